"""Where `python -m glyphwire` takes its frames from."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from io import RawIOBase
from typing import Any, NamedTuple

from ._frame import Frame


class Picture(NamedTuple):
    """A frame, and what to call it."""

    name: str
    frame: Frame


class UnusableSource(Exception):
    """What was named cannot be streamed; the message says why, and what to do."""


def is_live(source: str) -> bool:
    """Whether frames come at their own pace, so that a late one is worth less than the next."""
    return source == "-" or source.isdigit() or source.startswith("/dev/")


def pictures(source: str, orientation: int) -> Iterator[Picture]:
    """The frames of a picture file, a video file, a camera, or motion JPEG on standard input.

    Raises UnusableSource.
    """
    if source == "-":
        # Without a buffer, whose lock would be held by a read that Ctrl-C leaves behind.
        with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as stream:
            yield from _motion_jpeg(stream, orientation)
    elif is_live(source):
        yield from _captured(source, int(source) if source.isdigit() else source, orientation)
    elif not os.path.isfile(source):
        raise UnusableSource(f"there is no file {source}")
    elif _is_picture(source):
        try:
            yield Picture(source, Frame.open(source, orientation=orientation))
        except ValueError as error:
            raise UnusableSource(str(error)) from None
    else:
        yield from _captured(source, source, orientation)


def _is_picture(path: str) -> bool:
    with open(path, "rb") as file:
        if file.read(2) == b"\xff\xd8":
            return True
    return bool(_opencv(path).haveImageReader(path))


def _opencv(source: str) -> Any:
    try:
        import cv2
    except ImportError:
        device = f"/dev/video{source}" if source.isdigit() else source
        how = f"-f v4l2 -i {device}" if is_live(source) else f"-i {source}"
        raise UnusableSource(
            f"{source} needs OpenCV: pip install opencv-python-headless; "
            f"or let ffmpeg deliver it: ffmpeg {how} -f mjpeg - | python -m glyphwire -"
        ) from None
    return cv2


def _captured(name: str, source: str | int, orientation: int) -> Iterator[Picture]:
    cv2 = _opencv(name)
    capture = cv2.VideoCapture(source)
    try:
        if not capture.isOpened():
            raise UnusableSource(f"OpenCV cannot open {name}; is it a camera or a video?")
        while True:
            is_read, image = capture.read()
            if not is_read:
                return
            at = "" if is_live(name) else f" {capture.get(cv2.CAP_PROP_POS_MSEC) / 1000:.2f} s"
            frame = Frame.from_array(image, jpeg_quality=85, orientation=orientation, captured_us=_now())
            yield Picture(f"{name}{at}", frame)
    finally:
        capture.release()


def _now() -> int:
    return time.time_ns() // 1000


def _motion_jpeg(stream: RawIOBase, orientation: int) -> Iterator[Picture]:
    for number, jpeg in enumerate(split_motion_jpeg(stream), 1):
        yield Picture(f"frame {number}", Frame(jpeg, orientation=orientation, captured_us=_now()))


def split_motion_jpeg(stream: RawIOBase) -> Iterator[bytes]:
    """The JPEG files of a stream in which one follows the other; what stands between them is passed over.

    A file ends at its own end marker: those inside a segment, of a thumbnail say, do not count.
    """
    waiting = bytearray()
    while True:
        chunk = stream.read(1 << 16)
        if not chunk:
            return
        waiting += chunk
        while True:
            start = waiting.find(b"\xff\xd8\xff")
            if start < 0:
                del waiting[:-2]
                break
            end = _jpeg_end(waiting, start)
            if end is None:
                del waiting[:start]
                break
            yield bytes(waiting[start:end])
            del waiting[:end]


def _jpeg_end(data: bytearray, start: int) -> int | None:
    """Where the JPEG that begins at ``start`` ends; None if it has not come yet."""
    place = start + 2
    while place + 4 <= len(data):
        if data[place] != 0xFF:
            return place  # no marker where one must be: cut here, and let the server say what it is
        marker = data[place + 1]
        if marker == 0xFF:
            place += 1
        elif marker == 0xD9:
            return place + 2
        elif marker == 0xDA:
            scan = _scan_end(data, place + 2 + int.from_bytes(data[place + 2 : place + 4], "big"))
            if scan is None:
                return None
            place = scan
        else:
            place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return place + 2 if bytes(data[place : place + 2]) == b"\xff\xd9" else None


def _scan_end(data: bytearray, place: int) -> int | None:
    """Where the marker behind a scan stands; None if it has not come yet."""
    while True:
        place = data.find(0xFF, place)
        if place < 0 or place + 1 >= len(data):
            return None
        if data[place + 1] == 0 or 0xD0 <= data[place + 1] <= 0xD7:
            place += 2
        elif data[place + 1] == 0xFF:
            place += 1
        else:
            return place
