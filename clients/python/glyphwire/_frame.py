"""A picture to have read."""

from __future__ import annotations

import enum
import os
from dataclasses import dataclass, field
from typing import Any


class FrameFormat(enum.IntEnum):
    """How a payload holds the pixels."""

    JPEG = 1
    BGRA_LZ4_BLOCK = 2
    BGRA = 3
    BGRA_LZ4_FRAME = 4
    GRAY = 5
    GRAY_LZ4_BLOCK = 6


class Orientation(enum.IntEnum):
    """How a stored picture must be turned to stand upright, as in EXIF tag 0x0112."""

    #: None is said: a JPEG's own EXIF tag counts, or else UP.
    UNSPECIFIED = 0
    UP = 1
    UP_MIRRORED = 2
    DOWN = 3
    DOWN_MIRRORED = 4
    LEFT_MIRRORED = 5
    RIGHT = 6
    RIGHT_MIRRORED = 7
    LEFT = 8


@dataclass(frozen=True)
class Frame:
    """A picture to have read.

    ``Frame(jpeg)`` is all that a JPEG needs; :meth:`open` reads one from a file, and :meth:`from_array` takes a numpy
    array or what OpenCV delivers.
    """

    #: The JPEG file, or the rows as they are or packed with LZ4: bytes, or anything that has them.
    payload: bytes | bytearray | memoryview = field(repr=False)
    format: int = FrameFormat.JPEG
    #: In pixels; 0 for a JPEG, which says itself.
    width: int = 0
    #: In pixels; 0 for a JPEG, which says itself.
    height: int = 0
    #: From the start of one row to the start of the next; 0 for rows without padding, and for a JPEG.
    bytes_per_row: int = 0
    #: 1...8 as in EXIF; 0 takes the JPEG's own EXIF tag, or else 1.
    orientation: int = Orientation.UNSPECIFIED
    #: When it was taken, in microseconds of a clock of yours, echoed in the result; 0 if unknown.
    captured_us: int = 0
    #: Your own number for it, echoed in the result; None takes one more than the frame before.
    sequence: int | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.payload, bytes):
            object.__setattr__(self, "payload", memoryview(self.payload).cast("B"))
        for name, bits in (
            ("format", 8),
            ("orientation", 8),
            ("width", 16),
            ("height", 16),
            ("bytes_per_row", 32),
            ("captured_us", 64),
            ("sequence", 64),
        ):
            value = getattr(self, name)
            if value is not None and not 0 <= value < 1 << bits:
                raise ValueError(f"{name} is {value}; a header holds 0...{(1 << bits) - 1}")

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        *,
        orientation: int = Orientation.UNSPECIFIED,
        captured_us: int = 0,
        sequence: int | None = None,
    ) -> Frame:
        """A JPEG file as it is; other picture files too, where OpenCV is installed (``cv2``)."""
        with open(path, "rb") as file:
            data = file.read()
        if data[:2] == b"\xff\xd8":
            return cls(data, orientation=orientation, captured_us=captured_us, sequence=sequence)
        try:
            import cv2
        except ImportError:
            raise ValueError(f"{os.fspath(path)} is no JPEG; install opencv-python to send other pictures") from None
        import numpy

        pixels = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
        if pixels is None:
            raise ValueError(f"{os.fspath(path)} is no picture that OpenCV can read")
        return cls.from_array(pixels, orientation=orientation, captured_us=captured_us, sequence=sequence)

    @classmethod
    def from_array(
        cls,
        array: Any,
        *,
        jpeg_quality: int | None = None,
        orientation: int = Orientation.UNSPECIFIED,
        captured_us: int = 0,
        sequence: int | None = None,
    ) -> Frame:
        """The pixels of a numpy array of bytes: rows x columns of gray, or rows x columns x 3 or 4 of BGR or BGRA.

        That is what OpenCV delivers; turn RGB around with ``array[..., ::-1]``. The pixels go over the wire as they
        are, which no network but a fast one likes; ``jpeg_quality`` (80 or more) packs them with OpenCV.
        """
        import numpy

        if (
            array.dtype != numpy.uint8
            or array.ndim not in (2, 3)
            or (array.ndim == 3 and array.shape[2] not in (1, 3, 4))
        ):
            raise ValueError(
                f"an array of {array.dtype} and shape {array.shape}; "
                "send uint8 and rows x columns, rows x columns x 3 (BGR) or rows x columns x 4 (BGRA)"
            )
        height, width = array.shape[:2]
        said: dict[str, Any] = {"orientation": orientation, "captured_us": captured_us, "sequence": sequence}
        if jpeg_quality is not None:
            import cv2

            is_packed, file = cv2.imencode(".jpg", array, [cv2.IMWRITE_JPEG_QUALITY, jpeg_quality])
            if not is_packed:
                raise ValueError(f"OpenCV cannot make a JPEG of {width}x{height} pixels")
            return cls(file.tobytes(), **said)
        channels = 1 if array.ndim == 2 else array.shape[2]
        if channels == 3:
            pixels = numpy.empty((height, width, 4), numpy.uint8)
            pixels[..., :3] = array
            pixels[..., 3] = 255
        else:
            # Frames go out later, and cameras fill the same array again: the pixels are copied.
            pixels = numpy.array(array, order="C")
        format = FrameFormat.GRAY if channels == 1 else FrameFormat.BGRA
        return cls(memoryview(pixels.reshape(-1)), format, width, height, **said)
