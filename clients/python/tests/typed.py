"""Uses what the client declares; mypy is the test."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterator

import glyphwire
from glyphwire import (
    ErrorLine,
    Frame,
    FrameFormat,
    GlyphwireError,
    Goaway,
    Options,
    Orientation,
    ReconnectPolicy,
    Result,
    TextLine,
    TextWord,
)

options: Options = {
    "token": "open sesame",
    "client": "mypy",
    "level": "accurate",
    "recognize": True,
    "characters": False,
    "coordinates": "vision",
    "minimumTextHeight": 0.05,
    "regionOfInterest": (0, 0, 1, 0.5),
    "upright": "auto",
    "languages": ["en", "zh-Hans"],
    "customWords": ["Gleis"],
    "languageCorrection": False,
    "damaged": "read",
    "candidates": 3,
    "delivery": "every",
    "deadline_ms": 300,
    "clock_offset_us": -5,
    "temporal": True,
    "refresh_ms": 1000,
    "find": ["exit", r"/\d+/"],
}
misspelled: Options = {"levle": "fast"}  # type: ignore[typeddict-unknown-key]
not_allowed: Options = {"level": "turbo"}  # type: ignore[typeddict-item]


def frames() -> Iterator[Frame]:
    yield Frame(b"\xff\xd8", orientation=Orientation.LEFT)
    yield Frame(bytes(4), FrameFormat.GRAY, 2, 2, captured_us=12)


def tell(result: Result) -> list[str]:
    words: list[TextWord] = result.words
    lines: list[TextLine] = result.lines
    flags: list[bool] = [result.is_ok, result.reused, result.truncated, result.matches_complete]
    numbers: list[int | None] = [result.by, result.age_ms, result.orientation, result.width, *result.lost]
    numbers += [warning.row for warning in result.warnings]
    texts: list[str | None] = [result.code, result.message, result.reason, lines[0].script, lines[0].reason, lines[0].state]
    places: list[tuple[float, ...]] = [match.box for match in result.matches] + [word.box for word in words]
    found = [lines[match.line].words[match.words[0]].id for match in result.matches]
    sure = [line.scores.recognition or line.scores.detection for line in lines if line.scores]
    others: list[tuple[str, float]] = [(one.text, one.confidence) for line in lines for one in line.candidates]
    letters = [one.text for word in words for one in word.characters]
    total: int = result.timings_us["total"]
    return [str(one) for one in (*flags, *numbers, *texts, *places, *found, *sure, *others, *letters, total)]


def warn(connection: glyphwire.Connection) -> None:
    for line in connection.lines():
        if isinstance(line, Goaway):
            grace: int = line.grace_ms
            print(line.type, grace)
        elif isinstance(line, ErrorLine) and not line.fatal:
            print(line.code, line.message, line.sequence)


def stream() -> None:
    with glyphwire.connect("localhost", options=options, reconnect=ReconnectPolicy(max_attempts=3)) as connection:
        in_force = connection.configure({"brightness": 3})
        clock: int = connection.ping(1).sent_us
        p99: int = connection.stats().server["timings_us"]["total"]["p99"]
        for result in connection.read(frames(), latest=True):
            print(tell(result), in_force["level"], clock, p99, connection.hello.limits["max_pixels"])


async def stream_async() -> None:
    try:
        async with await glyphwire.connect_async("localhost", tls=ssl.create_default_context()) as connection:
            await connection.configure(options)
            async for result in connection.read(frames(), latest=True):
                print(tell(result))
    except GlyphwireError as error:
        print(error.code, error.wire_code)


asyncio.run(stream_async())
