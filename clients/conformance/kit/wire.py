"""Messages, and the lines a stub answers them with."""

import json
import struct
import sys
from pathlib import Path
from typing import NamedTuple

FRAME, CONFIGURE, PING, END, STATS = 1, 2, 3, 4, 5
HEADER = struct.Struct(">IBBBBQQHHI")

VECTORS = Path(__file__).resolve().parents[3] / "Tests" / "Vectors"


class Message(NamedTuple):
    type: int
    format: int
    orientation: int
    flags: int
    sequence: int
    captured_us: int
    width: int
    height: int
    bytes_per_row: int
    payload: bytes

    @property
    def bytes(self):
        length = HEADER.size - 4 + len(self.payload)
        return HEADER.pack(length, *self[:-1]) + self.payload

    @property
    def name(self):
        names = {FRAME: "frame", CONFIGURE: "configure", PING: "ping", END: "end", STATS: "stats"}
        return f"{names.get(self.type, f'message of type {self.type}')} {self.sequence}"


def message(
    type, payload=b"", *, format=0, orientation=0, sequence=0, captured_us=0, width=0, height=0, bytes_per_row=0
):
    return Message(type, format, orientation, 0, sequence, captured_us, width, height, bytes_per_row, payload)


def configure(sequence=0, **options):
    return message(CONFIGURE, json.dumps(options).encode(), sequence=sequence)


def read_head(read):
    """The next message without its payload, and the size of that; None when there are no more messages."""
    head = read(HEADER.size)
    if len(head) < HEADER.size:
        return None
    length, *fields = HEADER.unpack(head)
    size = length - (HEADER.size - 4)
    if size < 0:
        raise ValueError(f"a message announces {length} bytes; its header alone has {HEADER.size - 4}")
    return Message(*fields, b""), size


def read_message(read):
    """The next message; None when there are no more. `read(n)` returns n bytes, or fewer at the end."""
    found = read_head(read)
    if found is None:
        return None
    head, size = found
    payload = read(size)
    return head._replace(payload=payload) if len(payload) == size else None


def messages(data):
    """The messages of a session."""
    view, start = memoryview(data), 0

    def read(size):
        nonlocal start
        piece = bytes(view[start : start + size])
        start += len(piece)
        return piece

    return list(iter(lambda: read_message(read), None))


def vector(name):
    """The messages of a test vector; ends the program where there are none."""
    if not VECTORS.is_dir():
        sys.exit(f"conformance: there is no {VECTORS}; the kit sends its vectors, so run it in a checkout of Glyphwire")
    return messages((VECTORS / f"{name}.bin").read_bytes())


def dump(fields, **options):
    """A line as our server writes it, without its line feed."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), **options).encode()


HELLO = {
    "type": "hello",
    "server": "glyphwire",
    "version": "stub",
    "protocol": 1,
    "auth": "none",
    "limits": {"max_message_bytes": 67108864, "max_pixels": 37748736, "max_side": 65535, "max_configure_bytes": 65536},
    "levels": ["fast", "accurate"],
    "features": ["stats"],
}

#: Frames that may be unanswered under `"delivery":"every"`.
WINDOW = 4

OPTIONS = {
    "level": "fast",
    "recognize": True,
    "characters": True,
    "coordinates": "sent",
    "minimumTextHeight": 0,
    "regionOfInterest": [0, 0, 1, 1],
    "regions": [],
    "languages": [],
    "candidates": 1,
    "delivery": "live",
    "refresh_ms": 2000,
    "find": [],
    "report": "all",
    "customWords": [],
    "characterSet": "",
    "languageCorrection": True,
    "unreadable": "report",
    "upright": "given",
    "damaged": "refuse",
}

TIMINGS = {"queue": 41, "decode": 4120, "detect": 8433, "recognize": 1302, "total": 13954}

TEXTS = [
    "EXIT 42",
    "Übergang zu Gleis 7",
    "梧桐里街",
    'naïve "quotes" and \\ backslashes',
    "𝔄 emoji 🚉 flag 🇨🇭",
    "a/b <c> &d",
]


def text_line(text, top):
    words, left = [], 10
    for word in text.split(" "):
        right = left + 12 * len(word)
        characters = [
            {
                "text": one,
                "confidence": 0.987,
                "box": [
                    left + 12 * i,
                    top,
                    left + 12 * i + 11.5,
                    top,
                    left + 12 * i + 11.5,
                    top + 20,
                    left + 12 * i,
                    top + 20,
                ],
            }
            for i, one in enumerate(word)
        ]
        box = [left, top, right, top, right, top + 20, left, top + 20]
        words.append({"text": word, "confidence": 0.976, "box": box, "characters": characters})
        left = right + 8
    box = [10, top, left - 8, top, left - 8, top + 20, 10, top + 20]
    scores = {"detection": 0.902, "recognition": 0.981}
    return {"text": text, "confidence": 0.981, "box": box, "script": "Latn", "scores": scores, "words": words}


def result(frame, texts=None):
    """The canned answer to a frame; by its number it says one thing or another."""
    if texts is None:
        texts = TEXTS[frame.sequence % len(TEXTS) :][: frame.sequence % 3]
    return {
        "type": "result",
        "sequence": frame.sequence,
        "captured_us": frame.captured_us,
        "status": "ok",
        "width": frame.width or 640,
        "height": frame.height or 480,
        "orientation": frame.orientation or 1,
        "level": "fast",
        "coordinates": "sent",
        "text": "\n".join(texts),
        "lines": [text_line(text, 10 + 30 * i) for i, text in enumerate(texts)],
        "timings_us": TIMINGS,
    }


def full_result(frame):
    """The answer to a frame with every member that there may be, the last first."""
    fields = result(frame, ["EXIT 42", "Übergang zu Gleis 7"])
    for i, line in enumerate(fields["lines"]):
        candidates = [{"text": line["text"], "confidence": 0.981}, {"text": "EX1T 42", "confidence": 0.412}]
        line.update(state=("kept", "read")[i], candidates=candidates)
        for j, word in enumerate(line["words"]):
            word["id"] = 10 * i + j
    box = fields["lines"][0]["words"][1]["box"]
    match = {"pattern": 1, "text": "42", "line": 0, "words": [1], "box": box}
    fields.update(age_ms=-7, reused=True, truncated=True, matches=[match], matches_complete=False, lost=[3, 2**64 - 1])
    fields.update(warnings=[{"code": "jpeg_no_end"}, {"row": 312, "code": "jpeg_damaged"}, {"scale": 0.5, "code": "newer"}])
    fields["lines"] = [dict(reversed(line.items())) for line in fields["lines"]]
    return dict(reversed(fields.items()))


def failed(frame, code, message="the stub says so"):
    """The canned answer to a frame that could not be read."""
    return {
        "type": "result",
        "sequence": frame.sequence,
        "captured_us": frame.captured_us,
        "status": "error",
        "code": code,
        "message": message,
        "timings_us": dict.fromkeys(TIMINGS, 0),
    }


def error(sequence, code, fatal, message="the stub says so"):
    return {"type": "error", "sequence": sequence, "code": code, "message": message, "fatal": fatal}
