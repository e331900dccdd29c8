"""What the server says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Callable, NoReturn, TypeVar

from ._errors import GlyphwireError

_T = TypeVar("_T")


def bad_line(line: bytes, flaw: str) -> GlyphwireError:
    start = line[:120].decode("utf-8", "replace")
    return GlyphwireError("bad_line", f"the server sent a line that Protocol.md does not know: {flaw}, in {start!r}")


@dataclass(frozen=True)
class Line:
    """One line from the server, of whatever type."""

    #: The line as it was received, without its line feed; empty for one that the client makes: the result of a lost frame, or
    #: the ``end`` that a server which stops does not send.
    line: bytes = field(repr=False)
    #: What it says: all members, those too that this version does not know.
    fields: Mapping[str, Any]
    #: ``time.monotonic()`` when it had come.
    received_at: float = field(default=0.0, repr=False)

    @property
    def type(self) -> str:
        """``hello``, ``configured``, ``result``, ``pong``, ``stats``, ``error``, ``end``, ``goaway``, or another."""
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
    def server(self) -> str:
        """``glyphwire``."""
        return str(self._get("server", str))

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
    def languages(self) -> list[str]:
        """The languages that a reader beside the networks reads here, by their codes; empty if there are none."""
        return list(self._get("languages", list)) if "languages" in self.fields else []

    @property
    def features(self) -> list[str]:
        return list(self._get("features", list))


class Configured(_Numbered):
    """The answer to ``configure``."""

    @property
    def options(self) -> dict[str, Any]:
        """Every option with its value now in force."""
        return dict(self._get("options", dict))

    @property
    def window(self) -> int | None:
        """With ``"delivery":"every"``: how many frames may be without an answer before the server reads no more."""
        return int(self._get("window", int)) if "window" in self.fields else None


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


class Goaway(Line):
    """Not an answer: the server is being stopped. What it has taken is answered; then it closes."""

    @property
    def grace_ms(self) -> int:
        """How long lines still come, in milliseconds."""
        return int(self._get("grace_ms", int))


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
class TextScores:
    """How sure each of the two networks is by itself."""

    #: That there is text.
    detection: float
    #: Of what it says; None where it was not read.
    recognition: float | None = None


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
    #: The writing of most letters by its code in ISO 15924, such as ``Latn``; None where there are no letters.
    script: str | None = None
    #: How sure each of the two networks is by itself; None from a server that does not tell.
    scores: TextScores | None = None
    #: Why the line was not read, such as ``script_unavailable``, so that its texts are empty; else None.
    reason: str | None = None
    #: The name of the region that the line is in; None unless there are some.
    region: str | None = None


@dataclass(frozen=True)
class TextMatch:
    """A place where something was found that the option ``find`` asked for."""

    #: Which one of ``find`` it is, from 0.
    pattern: int
    text: str
    #: Which one of the result's lines it is in, and which of that line's words, from 0.
    line: int
    words: tuple[int, ...]
    #: x0, y0 ... x3, y3: four corners, clockwise as a reader sees them, from where the text begins.
    box: tuple[float, ...]
    #: The name of the region that the line is in, whose ``find`` it is; None unless there are some.
    region: str | None = None


@dataclass(frozen=True)
class TextChange:
    """A line, or with the option ``find`` a match, that appeared, reads differently or is gone."""

    #: ``appeared``, ``changed`` or ``lost``.
    type: str
    #: The same for all changes of a text.
    id: int
    text: str
    #: x0, y0 ... x3, y3: four corners, clockwise as a reader sees them, from where the text begins.
    box: tuple[float, ...]
    #: 0...1: how sure the reading is; None of a match.
    confidence: float | None = None
    #: What the text was before it changed; else None.
    previous: str | None = None
    #: Which one of ``find`` it is, from 0; None of a line.
    pattern: int | None = None
    #: The name of the region that it is in; None unless there are some.
    region: str | None = None


@dataclass(frozen=True)
class FrameWarning:
    """Something about a frame that was odd; which numbers it has depends on its code."""

    #: As in Protocol.md, such as ``jpeg_no_end``; a newer server may have others.
    code: str
    #: The first row of the picture as it was sent that cannot be trusted.
    row: int | None = None
    #: By what the sides of the picture were multiplied.
    scale: float | None = None


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
        return str(self._get("text", str)) if self.is_ok and "changes" not in self.fields else ""

    @cached_property
    def lines(self) -> list[TextLine]:
        """Lines of text, in reading order; empty where the frame was not read."""
        return self._all("lines", _text_line) if self.is_ok and "changes" not in self.fields else []

    @property
    def words(self) -> list[TextWord]:
        """The words of all lines, in reading order."""
        return [word for line in self.lines for word in line.words]

    @cached_property
    def matches(self) -> list[TextMatch]:
        """What was found, in reading order; empty without the option ``find``."""
        return self._all("matches", _match) if "matches" in self.fields else []

    @property
    def matches_complete(self) -> bool:
        """Whether these are all matches; if not, some towards the end are missing."""
        return "matches_complete" not in self.fields or bool(self._get("matches_complete", bool))

    @cached_property
    def changes(self) -> list[TextChange]:
        """With ``"report": "changes"``: what appeared, changed or is gone; there are then no lines and no matches."""
        return self._all("changes", _change) if "changes" in self.fields else []

    @property
    def reused(self) -> bool:
        """With the option ``temporal``: whether the frame shows what the one before it showed."""
        return "reused" in self.fields and bool(self._get("reused", bool))

    @property
    def lost(self) -> list[int]:
        """With the option ``temporal``: ids of words that the frame before had and this one has not."""
        return self._all("lost", _integer) if "lost" in self.fields else []

    @property
    def truncated(self) -> bool:
        """Whether there are more words than the server tells of one frame, so that the last lines are left out."""
        return "truncated" in self.fields and bool(self._get("truncated", bool))

    @cached_property
    def warnings(self) -> list[FrameWarning]:
        """What was odd about the frame and did not keep it from being read."""
        return self._all("warnings", _warning) if "warnings" in self.fields else []

    @property
    def reason(self) -> str | None:
        """Of a frame with the status ``dropped``: why; else None."""
        return str(self._get("reason", str)) if "reason" in self.fields else None

    @property
    def by(self) -> int | None:
        """Of a frame with the status ``dropped``: the newer frame that took its place; else None."""
        return int(self._get("by", int)) if "by" in self.fields else None

    @property
    def age_ms(self) -> int | None:
        """How many milliseconds before its result the picture was taken, where the server can tell; else None."""
        return int(self._get("age_ms", int)) if "age_ms" in self.fields else None

    @property
    def timings_us(self) -> dict[str, int]:
        """Microseconds of each stage; empty for a frame that was lost."""
        return dict(self.fields.get("timings_us") or {})

    @property
    def round_trip(self) -> float:
        """Seconds from handing the frame to the socket to its result."""
        return self.received_at - self.sent_at

    def _all(self, name: str, read: Callable[[Any], _T]) -> list[_T]:
        """The elements of an array, each as ``read`` understands it."""
        try:
            return [read(one) for one in self._get(name, list)]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise bad_line(self.line, f"{name!r} cannot be understood ({error!r})") from None


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is no whole number")
    return value


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
    scores = fields.get("scores")
    return TextLine(
        _string(fields["text"]),
        fields["confidence"],
        _box(fields["box"]),
        words,
        candidates,
        fields.get("state"),
        fields.get("script"),
        None if scores is None else TextScores(scores["detection"], scores.get("recognition")),
        fields.get("reason"),
        fields.get("region"),
    )


def _match(fields: Mapping[str, Any]) -> TextMatch:
    words = tuple(map(_integer, fields["words"]))
    pattern, line = _integer(fields["pattern"]), _integer(fields["line"])
    return TextMatch(pattern, _string(fields["text"]), line, words, _box(fields["box"]), fields.get("region"))


def _change(fields: Mapping[str, Any]) -> TextChange:
    pattern = fields.get("pattern")
    return TextChange(
        _string(fields["type"]),
        _integer(fields["id"]),
        _string(fields["text"]),
        _box(fields["box"]),
        fields.get("confidence"),
        fields.get("previous"),
        None if pattern is None else _integer(pattern),
        fields.get("region"),
    )


def _warning(fields: Mapping[str, Any]) -> FrameWarning:
    row, scale = fields.get("row"), fields.get("scale")
    return FrameWarning(
        _string(fields["code"]), None if row is None else _integer(row), None if scale is None else float(scale)
    )


_TYPES: dict[str, Callable[..., Line]] = {
    "hello": Hello,
    "configured": Configured,
    "result": Result,
    "pong": Pong,
    "stats": Stats,
    "end": End,
    "error": ErrorLine,
    "goaway": Goaway,
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
