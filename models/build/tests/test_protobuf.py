"""Messages are read whole or not at all, and written as they were."""

import unittest

from networks import protobuf
from networks.protobuf import Field


class ProtobufTests(unittest.TestCase):
    """Encoding and decoding."""

    def test_fields_of_every_type_are_written_as_they_were_read(self):
        fields = [
            protobuf.integer(1, 300), protobuf.integer(2, -1), Field(3, protobuf.FIXED64, b"12345678"),
            Field(4, protobuf.FIXED32, b"1234"), protobuf.text(200, "é"), protobuf.message(6, [protobuf.text(1, "")]),
        ]  # fmt: skip
        self.assertEqual(protobuf.decode(protobuf.encode(fields)), fields)

    def test_an_integer_is_encoded_as_the_specification_has_it(self):
        self.assertEqual(protobuf.encode([protobuf.integer(1, 150)]), b"\x08\x96\x01")

    def test_a_message_that_is_cut_off_is_refused(self):
        whole = protobuf.encode([protobuf.text(1, "abc"), protobuf.integer(2, 300), Field(3, protobuf.FIXED32, b"1234")])
        ends = {len(protobuf.encode([protobuf.text(1, "abc")])), len(whole) - 5, 0}
        for length in set(range(len(whole))) - ends:
            with self.subTest(length=length), self.assertRaises(protobuf.DecodeError):
                protobuf.decode(whole[:length])

    def test_unknown_types_and_endless_integers_are_refused(self):
        for data in (b"\x0b", b"\x08" + b"\xff" * 10):
            with self.assertRaises(protobuf.DecodeError):
                protobuf.decode(data)


if __name__ == "__main__":
    unittest.main()
