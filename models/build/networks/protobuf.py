"""Protocol-buffers messages as lists of their fields, which can be changed and written again.

Fields keep their order, so what is left alone is written as it was read. https://protobuf.dev/programming-guides/encoding/
"""

from typing import List, NamedTuple, Tuple, Union

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


class Field(NamedTuple):
    """A field of a message: its number, its wire type and its value."""

    number: int
    wire: int
    value: Union[int, bytes]


Message = List[Field]


class DecodeError(ValueError):
    """A message that is cut off or has a wire type that does not exist."""


def decode(data: bytes) -> Message:
    """The fields of an encoded message."""
    fields, place = [], 0
    while place < len(data):
        tag, place = _varint(data, place)
        number, wire = tag >> 3, tag & 7
        if wire == VARINT:
            value, place = _varint(data, place)
        else:
            if wire == BYTES:
                size, place = _varint(data, place)
            else:
                size = {FIXED64: 8, FIXED32: 4}.get(wire, -1)
            if size < 0 or place + size > len(data):
                raise DecodeError("a field is cut off or of an unknown type")
            value, place = data[place : place + size], place + size
        fields.append(Field(number, wire, value))
    return fields


def encode(message: Message) -> bytes:
    """A message as it is stored."""
    parts = []
    for number, wire, value in message:
        parts.append(_encoded_varint(number << 3 | wire))
        if wire == VARINT:
            parts.append(_encoded_varint(value))
        else:
            if wire == BYTES:
                parts.append(_encoded_varint(len(value)))
            parts.append(value)
    return b"".join(parts)


def integer(number: int, value: int) -> Field:
    """A field with an integer."""
    return Field(number, VARINT, value & (1 << 64) - 1)


def text(number: int, value: str) -> Field:
    """A field with a text."""
    return Field(number, BYTES, value.encode())


def message(number: int, fields: Message) -> Field:
    """A field with a message."""
    return Field(number, BYTES, encode(fields))


def values(fields: Message, number: int) -> list:
    """The values of all fields of a number."""
    return [field.value for field in fields if field.number == number]


def first_text(fields: Message, number: int) -> str:
    """The text of the first field of a number; empty where there is none."""
    return next((value.decode() for value in values(fields, number)), "")


def _varint(data: bytes, place: int) -> Tuple[int, int]:
    value = 0
    for shift in range(0, 64, 7):
        if place >= len(data):
            raise DecodeError("an integer is cut off")
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
    raise DecodeError("an integer has more than 64 bits")


def _encoded_varint(value: int) -> bytes:
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
