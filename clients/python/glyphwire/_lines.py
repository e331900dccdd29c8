"""What the server says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Callable, NoReturn

from ._errors import GlyphwireError


def bad_line(line: bytes, flaw: str) -> GlyphwireError:
    start = line[:120].decode("utf-8", "replace")
    return GlyphwireError("bad_line", f"the server sent a line that Protocol.md does not know: {flaw}, in {start!r}")


@dataclass(frozen=True)
class Line:
    """One line from the server, of whatever type."""

    #: The line as it was received, without its line feed; empty for the result of a frame that was lost.
    line: bytes = field(repr=False)
    #: What it says: all members, those too that this version does not know.
    fields: Mapping[str, Any]
    #: ``time.monotonic()`` when it had come.
    received_at: float = field(default=0.0, repr=False)

    @property
    def type(self) -> str:
        """``hello``, ``configured``, ``result``, ``pong``, ``stats``, ``error``, ``end``, or another."""
        return str(self.fields["type"])

    def _get(self, name: str, kind: Any) -> Any:
        value = self.fields.get(name)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise bad_line(self.line, f"{name!r} is {value!r}" if name in self.fields else f"no {name!r}")
        return value


class _Numbered(Line):
    @property
    def sequence(self) -> int:
        """The number of the message that this answers."""
        return int(self._get("sequence", int))


class Hello(Line):
    """The first line of every connection."""

    @property
    def version(self) -> str:
        """Of the server's software; for logs, not for decisions."""
        return str(self._get("version", str))

    @property
    def protocol(self) -> int:
        return int(self._get("protocol", int))

    @property
    def auth(self) -> str:
        """``none``, or ``token``: the options must hold the right ``token``."""
        return str(self._get("auth", str))

    @property
    def limits(self) -> dict[str, int]:
        return dict(self._get("limits", dict))

    @property
    def levels(self) -> list[str]:
        """The values that ``level`` may have here."""
        return list(self._get("levels", list))

    @property
    def features(self) -> list[str]:
        return list(self._get("features", list))


class Configured(_Numbered):
    """The answer to ``configure``."""

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its value now in force."""
        return dict(self._get("options", dict))


class Pong(_Numbered):
    """The answer to ``ping``."""

    @property
    def captured_us(self) -> int:
        return int(self._get("captured_us", int))

    @property
    def received_us(self) -> int:
        """The server's clock when the ping had come, in microseconds since 1970."""
        return int(self._get("received_us", int))

    @property
    def sent_us(self) -> int:
        """The server's clock when this line was written, in microseconds since 1970."""
        return int(self._get("sent_us", int))


class Stats(_Numbered):
    """The answer to ``stats``: counts, and percentiles of the stages."""

    @property
    def connection(self) -> dict[str, Any]:
        return dict(self._get("connection", dict))

    @property
    def server(self) -> dict[str, Any]:
        return dict(self._get("server", dict))


class End(_Numbered):
    """The answer to ``end``, and the last line."""

    @property
    def frames(self) -> int:
        """How many frames were answered on this connection."""
        return int(self._get("frames", int))


class ErrorLine(Line):
    """The answer to a message that could not be honoured and is no frame; or the server's last word."""

    @property
    def sequence(self) -> int | None:
        """The number of the message; None if its header could not be read."""
        return None if self.fields.get("sequence") is None else int(self._get("sequence", int))

    @property
    def code(self) -> str:
        return str(self._get("code", str))

    @property
    def message(self) -> str:
        return str(self._get("message", str))

    @property
    def fatal(self) -> bool:
        """Whether this is the last line, and the server closes the connection."""
        return bool(self._get("fatal", bool))


@dataclass(frozen=True)
class TextCandidate:
    """One of several readings of a line."""

    text: str
    confidence: float


@dataclass(frozen=True)
class TextCharacter:
    """One character of a word."""

    text: str
    confidence: float
    #: x0, y0 ... x3, y3: four corners, clockwise as a reader sees them, from where the text begins.
    box: tuple[float, ...]


@dataclass(frozen=True)
class TextWord:
    """One word of a line: what stands between spaces."""

    text: str
    #: 0...1: how sure the reading is.
    confidence: float
    #: x0, y0 ... x3, y3: four corners, clockwise as a reader sees them, from where the text begins.
    box: tuple[float, ...]
    #: Empty where they were not asked for.
    characters: tuple[TextCharacter, ...] = field(default=(), repr=False)
    #: With the option ``temporal``: a number that it keeps while it stays in view; else None.
    id: int | None = None


@dataclass(frozen=True)
class TextLine:
    """One line of text that was found in a frame."""

    text: str
    #: 0...1: how sure the reading is.
    confidence: float
    #: x0, y0 ... x3, y3: four corners, clockwise as a reader sees them, from where the text begins.
    box: tuple[float, ...]
    words: tuple[TextWord, ...] = field(default=(), repr=False)
    #: Other readings, the best first and equal to ``text``; empty unless more than one was asked for.
    candidates: tuple[TextCandidate, ...] = field(default=(), repr=False)
    #: With the option ``temporal``: ``new``, ``kept`` or ``read``; else None.
    state: str | None = None


@dataclass(frozen=True)
class Result(Line):
    """The answer to a frame: exactly one for each, whatever became of it."""

    #: ``time.monotonic()`` when the frame was handed to the socket.
    sent_at: float = field(default=0.0, repr=False)

    @property
    def sequence(self) -> int:
        """The number of the frame."""
        return int(self._get("sequence", int))

    @property
    def captured_us(self) -> int:
        return int(self._get("captured_us", int))

    @property
    def status(self) -> str:
        """``ok``: it was looked at; ``error``: it could not be. Any other, known here or not: it was not read."""
        return str(self._get("status", str))

    @property
    def is_ok(self) -> bool:
        return self.status == "ok"

    @property
    def code(self) -> str | None:
        """What was wrong, as in Protocol.md's table of errors, or ``connection_lost``; None without an error."""
        return str(self._get("code", str)) if self.status == "error" else None

    @property
    def message(self) -> str | None:
        """What was wrong, for a person; None without an error."""
        return str(self._get("message", str)) if self.status == "error" else None

    @property
    def width(self) -> int | None:
        """Of the picture as it was sent; None where it was not looked at."""
        return int(self._get("width", int)) if self.is_ok else None

    @property
    def height(self) -> int | None:
        """Of the picture as it was sent; None where it was not looked at."""
        return int(self._get("height", int)) if self.is_ok else None

    @property
    def orientation(self) -> int | None:
        """1...8: how it was turned to be read; None where it was not looked at."""
        return int(self._get("orientation", int)) if self.is_ok else None

    @property
    def level(self) -> str | None:
        """Which models read it; None where it was not looked at."""
        return str(self._get("level", str)) if self.is_ok else None

    @property
    def coordinates(self) -> str | None:
        """What the numbers of every box mean; None where it was not looked at."""
        return str(self._get("coordinates", str)) if self.is_ok else None

    @property
    def text(self) -> str:
        """The text of all lines, line feeds between them; empty where the frame was not read."""
        return str(self._get("text", str)) if self.is_ok else ""

    @cached_property
    def lines(self) -> list[TextLine]:
        """Lines of text, in reading order; empty where the frame was not read."""
        if not self.is_ok:
            return []
        try:
            return [_text_line(line) for line in self._get("lines", list)]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise bad_line(self.line, f"'lines' cannot be understood ({error!r})") from None

    @property
    def words(self) -> list[TextWord]:
        """The words of all lines, in reading order."""
        return [word for line in self.lines for word in line.words]

    @property
    def by(self) -> int | None:
        """Of a frame with the status ``dropped``: the newer frame that took its place; else None."""
        return self.fields.get("by")

    @property
    def timings_us(self) -> dict[str, int]:
        """Microseconds of each stage; empty for a frame that was lost."""
        return dict(self.fields.get("timings_us") or {})

    @property
    def round_trip(self) -> float:
        """Seconds from handing the frame to the socket to its result."""
        return self.received_at - self.sent_at


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _box(value: Any) -> tuple[float, ...]:
    box = tuple(value)
    if len(box) != 8 or not all(isinstance(number, (int, float)) for number in box):
        raise ValueError(f"a box of {box}")
    return box


def _character(fields: Mapping[str, Any]) -> TextCharacter:
    return TextCharacter(_string(fields["text"]), fields["confidence"], _box(fields["box"]))


def _word(fields: Mapping[str, Any]) -> TextWord:
    characters = tuple(map(_character, fields.get("characters", ())))
    return TextWord(_string(fields["text"]), fields["confidence"], _box(fields["box"]), characters, fields.get("id"))


def _text_line(fields: Mapping[str, Any]) -> TextLine:
    words = tuple(map(_word, fields["words"]))
    candidates = tuple(TextCandidate(_string(one["text"]), one["confidence"]) for one in fields.get("candidates", ()))
    return TextLine(
        _string(fields["text"]), fields["confidence"], _box(fields["box"]), words, candidates, fields.get("state")
    )


_TYPES: dict[str, Callable[..., Line]] = {
    "hello": Hello,
    "configured": Configured,
    "result": Result,
    "pong": Pong,
    "stats": Stats,
    "end": End,
    "error": ErrorLine,
}


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def parse(line: bytes, received_at: float) -> Line:
    """A line as what it is; raises GlyphwireError(bad_line)."""
    try:
        fields = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise bad_line(line, f"no JSON ({error})") from None
    if not isinstance(fields, dict) or not isinstance(fields.get("type"), str):
        raise bad_line(line, "no object with a 'type'")
    return _TYPES.get(fields["type"], Line)(line, fields, received_at)
