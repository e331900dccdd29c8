"""Where `python -m glyphwire` takes its frames from."""

from __future__ import annotations

import codecs
import os
import shlex
import stat
import sys
import time
from collections.abc import Iterator
from io import RawIOBase
from typing import Any, NamedTuple

from ._frame import Frame


#: How many bytes at the start of a file show whether it is text.
_TEXT_BYTES = 1024
#: Encodings of text by its byte order mark.
_ENCODINGS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
#: What XML has near its start that ffmpeg reads: drawings, and descriptions of streams.
_MEDIA_ELEMENTS = ("<svg", "<!DOCTYPE svg", "<MPD")
#: How text begins that ffmpeg reads; playlists, too.
_MEDIA_STARTS = ("#EXTM3U", "ffconcat version", "v=0", *_MEDIA_ELEMENTS)


class Picture(NamedTuple):
    """A frame, and what to call it."""

    name: str
    frame: Frame


class UnusableSource(Exception):
    """What was named cannot be streamed; the message says why, and what to do."""


def is_live(source: str) -> bool:
    """Whether frames come at their own pace, so that a late one is worth less than the next."""
    return source == "-" or is_camera(source)


def is_camera(source: str) -> bool:
    """Whether a source is a device, or the number of one; a file may have digits as its name."""
    try:
        return stat.S_ISCHR(os.stat(source).st_mode)
    except OSError:
        return source.isascii() and source.isdigit()


def pictures(source: str, orientation: int) -> Iterator[Picture]:
    """The frames of a picture file, a video file, a camera, or motion JPEG on standard input.

    Raises UnusableSource.
    """
    if source == "-":
        # Without a buffer, whose lock would be held by a read that Ctrl-C leaves behind.
        with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as stream:
            yield from _motion_jpeg(stream, orientation)
    elif is_live(source):
        yield from _captured(source, _device(source), orientation)
    elif not os.path.isfile(source):
        raise UnusableSource(f"there is no file {source}")
    else:
        yield from _from_file(source, orientation)


def _from_file(path: str, orientation: int) -> Iterator[Picture]:
    try:
        picture = Frame.open(path, orientation=orientation) if _is_picture(path) else None
    except OSError as error:
        raise UnusableSource(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise UnusableSource(str(error)) from None
    if picture is None:
        yield from _captured(path, path, orientation)
    else:
        yield Picture(path, picture)


def _device(camera: str) -> str | int:
    """What OpenCV knows a camera by."""
    return camera if os.path.exists(camera) else int(camera)


def _is_picture(path: str) -> bool:
    with open(path, "rb") as file:
        if file.read(2) == b"\xff\xd8":
            return True
    return bool(_opencv(path).haveImageReader(path))


def _is_text(path: str) -> bool:
    """Whether a file begins with UTF-8 or UTF-16, without control characters, and is none that ffmpeg reads."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        start = file.read(_TEXT_BYTES)
    encoding = next((name for mark, name in _ENCODINGS.items() if start.startswith(mark)), "utf-8")
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(start)  # the last character may be cut
    except UnicodeDecodeError:
        return False
    if _is_media(text.lstrip()):
        return False
    return bool(text) and all(character.isprintable() or character.isspace() for character in text)


def _is_media(text: str) -> bool:
    """Whether the start of a text is that of a playlist, a drawing or the description of a stream."""
    if text.startswith("<?xml"):
        return any(element in text for element in _MEDIA_ELEMENTS)
    return text.startswith(_MEDIA_STARTS)


def _opencv(source: str) -> Any:
    try:
        import cv2
    except ImportError:
        if _is_text(source):
            raise UnusableSource(f"{source} is text, no picture") from None
        device = source if os.path.exists(source) else f"/dev/video{source}"
        how = f"-f v4l2 -i {shlex.quote(device)}" if is_live(source) else f"-i {shlex.quote(source)}"
        raise UnusableSource(
            f"{source} needs OpenCV: pip install opencv-python-headless; "
            f"or let ffmpeg deliver it: ffmpeg {how} -f mjpeg - | python -m glyphwire -"
        ) from None
    return cv2


def _captured(name: str, source: str | int, orientation: int) -> Iterator[Picture]:
    cv2 = _opencv(name)
    capture = cv2.VideoCapture(source)
    try:
        # OpenCV opens some files that have no picture, such as text.
        is_read, image = capture.read()
        if not is_read:
            is_text = _is_text(name)
            raise UnusableSource(
                f"{name} is text, no picture" if is_text else f"OpenCV cannot open {name}; is it a camera or a video?"
            )
        while is_read:
            at = "" if is_live(name) else f" {capture.get(cv2.CAP_PROP_POS_MSEC) / 1000:.2f} s"
            frame = Frame.from_array(image, jpeg_quality=85, orientation=orientation, captured_us=_now())
            yield Picture(f"{name}{at}", frame)
            is_read, image = capture.read()
    finally:
        capture.release()


def _now() -> int:
    return time.time_ns() // 1000


def _motion_jpeg(stream: RawIOBase, orientation: int) -> Iterator[Picture]:
    for number, jpeg in enumerate(split_motion_jpeg(stream)):
        yield Picture(f"frame {number}", Frame(jpeg, orientation=orientation, captured_us=_now()))


def split_motion_jpeg(stream: RawIOBase) -> Iterator[bytes]:
    """The JPEG files of a stream in which one follows the other; what stands between them is passed over.

    A file ends at its own end marker: those inside a segment, of a thumbnail say, do not count.
    """
    waiting = bytearray()
    end = _JPEGEnd()
    while chunk := stream.read(1 << 16):
        waiting += chunk
        while _begins_with_jpeg(waiting):
            length = end.find(waiting)
            if length is None:
                break
            yield bytes(waiting[:length])
            del waiting[:length]
            end = _JPEGEnd()


def _begins_with_jpeg(waiting: bytearray) -> bool:
    """Removes what stands before the first JPEG; says whether there is one."""
    start = waiting.find(b"\xff\xd8\xff")
    del waiting[: start if start >= 0 else -2]
    return start >= 0


class _JPEGEnd:
    """The end of a JPEG that comes in pieces; each byte is looked at once."""

    def __init__(self) -> None:
        #: Where the next marker is, or what is left of a scan.
        self._place = 2
        self._is_in_scan = False

    def find(self, data: bytearray) -> int | None:
        """How long the JPEG at the start of ``data`` is; None if its end has not come yet."""
        while not self._is_in_scan or self._passes_scan(data):
            place = self._place
            if place + 4 > len(data):
                return place + 2 if data[place : place + 2] == b"\xff\xd9" else None
            marker = data[place + 1]
            if data[place] != 0xFF:
                return place  # no marker where one must be: cut here, and let the server say what it is
            if marker == 0xD9:
                return place + 2
            if marker == 0xFF:
                self._place += 1
            else:
                self._place += 2 + int.from_bytes(data[place + 2 : place + 4], "big")
                self._is_in_scan = marker == 0xDA
        return None

    def _passes_scan(self, data: bytearray) -> bool:
        """Moves to the marker behind a scan; says whether it has come."""
        while True:
            place = data.find(0xFF, self._place)
            if place < 0 or place + 1 >= len(data):
                self._place = max(self._place, len(data)) if place < 0 else place
                return False
            following = data[place + 1]
            if following == 0 or 0xD0 <= following <= 0xD7:
                self._place = place + 2
            elif following == 0xFF:
                self._place = place + 1
            else:
                self._place, self._is_in_scan = place, False
                return True
