"""Messages to bytes, and bytes to lines."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

from ._errors import GlyphwireError
from ._frame import Frame

FRAME, CONFIGURE, PING, END, STATS = 1, 2, 3, 4, 5

#: How much of a long message is sent at once: enough for a fast network, and soon told from none for a slow one.
PIECE_BYTES = 1 << 18

#: Header fields, behind the length.
_HEADER = struct.Struct(">IBBBBQQHHI")


def length(payload_bytes: int) -> int:
    """What a message's length field says."""
    return _HEADER.size - 4 + payload_bytes


def header(
    type: int,
    payload_bytes: int,
    *,
    sequence: int,
    format: int = 0,
    orientation: int = 0,
    captured_us: int = 0,
    width: int = 0,
    height: int = 0,
    bytes_per_row: int = 0,
) -> bytes:
    """The 32 bytes in front of a payload."""
    size = length(payload_bytes)
    return _HEADER.pack(size, type, format, orientation, 0, sequence, captured_us, width, height, bytes_per_row)


def frame_header(frame: Frame, sequence: int) -> bytes:
    return header(
        FRAME,
        len(frame.payload),
        sequence=sequence,
        format=frame.format,
        orientation=frame.orientation,
        captured_us=frame.captured_us,
        width=frame.width,
        height=frame.height,
        bytes_per_row=frame.bytes_per_row,
    )


class Body(NamedTuple):
    """What a ``configure`` carries."""

    options: bytes
    #: The token of the options as a body of its own; None where they have none.
    token: bytes | None


def configure_body(options: Mapping[str, Any]) -> Body:
    token = _json({"token": options["token"]}) if "token" in options else None
    return Body(_json(dict(options)), token)


def _json(members: dict[str, Any]) -> bytes:
    return json.dumps(members, ensure_ascii=False, allow_nan=False).encode("utf-8")


class LineSplitter:
    """Cuts what comes off the socket into lines."""

    def __init__(self, max_line_bytes: int) -> None:
        self._max_line_bytes = max_line_bytes
        self._parts: list[bytes] = []
        self._waiting = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that end in ``data``, without their line feeds; what is left waits for more."""
        *ends, rest = data.split(b"\n")
        lines = []
        for end in ends:
            self._keep(end)
            lines.append(b"".join(self._parts))
            self._parts, self._waiting = [], 0
        self._keep(rest)
        return lines

    def _keep(self, part: bytes) -> None:
        self._waiting += len(part)
        if self._waiting > self._max_line_bytes:
            raise GlyphwireError(
                "line_too_long",
                f"the server sent a line of more than {self._max_line_bytes} bytes; "
                'ask for less ("characters": false) or raise max_line_bytes',
            )
        if part:
            self._parts.append(part)
