"""Frames of many sizes, in every format, lying every way: made of the pictures that this repository has."""

import pathlib
import struct
import subprocess
from dataclasses import dataclass, replace

from .server import ROOT, program

FRAME, CONFIGURE, PING, END, STATS = 1, 2, 3, 4, 5
JPEG = 1
_HEADER = struct.Struct(">IBBBBQQHHI")


def message(type, payload=b"", *, sequence=0, format=0, orientation=0, captured_us=0, width=0, height=0, stride=0):
    """A message as it goes over the wire."""
    header = (28 + len(payload), type, format, orientation, 0, sequence, captured_us, width, height, stride)
    return _HEADER.pack(*header) + payload


@dataclass(frozen=True)
class Picture:
    """The payload of a frame, and what its header says."""

    name: str
    payload: bytes
    format: int
    orientation: int = 0
    width: int = 0
    height: int = 0
    stride: int = 0

    def message(self, sequence, captured_us=0, payload=None):
        return message(
            FRAME,
            self.payload if payload is None else payload,
            sequence=sequence,
            format=self.format,
            orientation=self.orientation,
            captured_us=captured_us,
            width=self.width,
            height=self.height,
            stride=self.stride,
        )


def pictures(folder, largest=3 << 20):
    """Pictures from a few pixels on, each lying another way; `folder` is for what is made on the way.

    Payloads of more than `largest` bytes are left out: the largest pages would take most of the time.
    """
    folder = pathlib.Path(folder)
    found = _session(ROOT / "demo/session.gws", "demo")[::6]
    quick = [str(ROOT / "bench/quick" / name / "images") for name in ("graphics", "pages", "signs")]
    for format in ("jpeg", "lz4", "bgra"):
        made = folder / f"quick-{format}.gws"
        command = [program("glyphwire-replay"), "record", *quick, "--format", format, "--output", str(made)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found += _session(made, f"quick-{format}")
        made.unlink()
    for path in sorted((ROOT / "Tests/Vectors").glob("1*.bin")):
        found += _session(path, path.stem)
    turned = (replace(picture, orientation=1 + index % 8) for index, picture in enumerate(found))
    return [picture for picture in turned if len(picture.payload) <= largest]


def _session(path, name):
    """The frames of a session."""
    stream, place, found = path.read_bytes(), 0, []
    while place + 32 <= len(stream):
        length, type, format, orientation, _, _, _, width, height, stride = _HEADER.unpack_from(stream, place)
        if type == FRAME:
            payload = stream[place + 32 : place + 4 + length]
            found.append(Picture(f"{name}/{len(found)}", payload, format, orientation, width, height, stride))
        place += 4 + length
    return found
