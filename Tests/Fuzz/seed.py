#!/usr/bin/env python3
"""Writes what fuzzing begins with, out of this project's own vectors, pictures and documents: seed.py FOLDER"""

import hashlib
import json
import pathlib
import random
import re
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
VECTORS = sorted((ROOT / "Tests/Vectors").glob("*.bin"))
PICTURES = sorted((ROOT / "Tests/ImageCodecsTests/Fixtures").glob("*.jpg"))
FILES = sorted(
    path
    for path in (ROOT / "Tests/ImageCodecsTests/Fixtures").iterdir()
    if path.suffix in (".png", ".webp", ".gif", ".tif", ".bmp") and not path.name.endswith(".expected.png")
)
LARGEST = 4096


def messages(stream):
    """The messages of a stream, as pairs of header and payload, as far as they can be followed."""
    while len(stream) >= 32:
        length = struct.unpack_from(">I", stream)[0]
        if length < 28 or 4 + length > len(stream):
            return
        yield stream[:32], stream[32 : 4 + length]
        stream = stream[4 + length :]


def lz4(header, payload):
    """A frame as the target takes it: the format, each side less one, bytes of padding, the payload."""
    kind, format = header[4], header[5]
    width, height, bytes_per_row = struct.unpack_from(">HHI", header, 24)
    if kind != 1 or format not in (2, 4, 6) or not (0 < width <= 256 and 0 < height <= 256):
        return
    padding = max(0, bytes_per_row - width * (1 if format == 6 else 4))
    if padding < 256:
        yield bytes([{2: 0, 4: 1, 6: 2}[format], width - 1, height - 1, padding]) + payload


def segments(jpeg):
    """The payloads of the APP1 segments."""
    place = 2
    while place + 4 <= len(jpeg) and jpeg[place] == 0xFF and jpeg[place + 1] not in (0xD9, 0xDA):
        length = struct.unpack_from(">H", jpeg, place + 2)[0]
        if jpeg[place + 1] == 0xE1:
            yield jpeg[place + 4 : place + 2 + length]
        place += 2 + length


def irregular(jpeg):
    """The same picture as devices send it: irregular, and damaged."""
    place = 2
    while jpeg[place + 1] != 0xDA:
        place += 2 + struct.unpack_from(">H", jpeg, place + 2)[0]
    scan = place + 2 + struct.unpack_from(">H", jpeg, place + 2)[0]
    yield jpeg[:-2]
    yield jpeg[:-2] + bytes(200)
    yield jpeg[:-2] + jpeg[-200:]
    yield jpeg[:-2] + b"\x5a" * 60 + jpeg[-2:]
    yield b"\r\n" + jpeg
    yield jpeg[:2] + b"\xff\x00\x00" + jpeg[2:]
    yield jpeg[:place] + bytes(3) + jpeg[place:]
    yield jpeg[:scan] + re.sub(rb"(?=\xff[\xd0-\xd7])", b"\x12\x34\x56", jpeg[scan:])
    middle = scan + (len(jpeg) - scan) // 2
    for damaged in (jpeg[:middle], jpeg[:middle] + b"\xff\xd9", jpeg[:middle] + bytes(400), jpeg[:middle] + jpeg[middle + 9 :]):
        yield damaged
    tables = jpeg.find(b"\xff\xc4")
    if 0 < tables < place:
        yield jpeg[:tables] + jpeg[place:]


def results():
    """Results with texts that are awkward as JSON."""
    chance = random.Random(7411)
    texts = ["STAIR 1", 'a "quote" \\', "\u2028\u2029\x7f", "\x00\x1f\n\t", "梧桐里街", "😀e\u0301", ""]
    for _ in range(24):
        parts = [bytes(chance.randrange(256) for _ in range(chance.randrange(24)))]
        for text in chance.sample(texts, 3):
            encoded = text.encode()
            parts += [bytes([len(encoded)]), encoded, struct.pack(">f", chance.choice([0.5, 1e30, float("nan")]))]
        yield bytes([4 + chance.randrange(4)]) + b"".join(parts)


def seeds():
    streams = [path.read_bytes() for path in VECTORS]
    for stream in streams:
        yield "session", stream
        yield "messages", b"\xff\xff" + b"\x02\x05\x40" + stream
        yield "messages", b"\x01\x00" + b"\x00" + stream
        for header, payload in messages(stream):
            yield "header", header
            if header[4] == 2:
                yield "configure", payload
            for seed in lz4(header, payload):
                yield "lz4", seed
    for picture in PICTURES:
        yield "jpeg", picture.read_bytes()
        if not picture.name.startswith("bad-"):
            for seed in irregular(picture.read_bytes()):
                yield "jpeg", seed
        for segment in segments(picture.read_bytes()):
            yield "exif", segment
    for picture in FILES:
        yield "file", picture.read_bytes()
    document = (ROOT / "Protocol.md").read_text()
    for block in re.findall(r"```json\n(.*?)```", document, re.DOTALL):
        yield "line", block.encode()
        options = json.loads(block).get("options")
        if options:
            yield "configure", json.dumps(options).encode()
    for seed in results():
        yield "result", seed


def main():
    folder = pathlib.Path(sys.argv[1])
    for target, seed in seeds():
        if 0 < len(seed) <= LARGEST:
            (folder / target).mkdir(parents=True, exist_ok=True)
            (folder / target / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


if __name__ == "__main__":
    main()
