"""What a client asks of the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict


class Region(TypedDict, total=False):
    """A named part of the upright picture, with a rectangle or a polygon; what is left out is as the stream has it."""

    #: Told with the lines of the region; each region has one.
    name: str
    #: x, y, width and height as fractions.
    regionOfInterest: Sequence[float]
    #: Corners x0, y0, x1, y1, ... as fractions.
    polygon: Sequence[float]
    #: Texts, and regular expressions between slashes, to look for.
    find: Sequence[str]
    #: The characters and ranges to read alone.
    characterSet: str
    #: Leaves out lines lower than this fraction of the upright picture's height.
    minimumTextHeight: float


class Options(TypedDict, total=False):
    """The options of a stream, by their names in Protocol.md; what is left out is at the server's default."""

    #: Shown to a server whose ``hello`` says ``"auth":"token"``.
    token: str
    #: A name for the server's logs.
    client: str
    #: Small models for live video, or larger ones for text that is small, blurred or must be right.
    level: Literal["fast", "accurate"]
    #: ``False``: say where text is and do not read it.
    recognize: bool
    #: ``False``: words come without their characters.
    characters: bool
    #: What the numbers of a box mean.
    coordinates: Literal["sent", "upright", "vision"]
    #: Leaves out lines lower than this fraction of the upright picture's height.
    minimumTextHeight: float
    #: x, y, width and height of the only part of the upright picture that is looked at, as fractions.
    regionOfInterest: Sequence[float]
    #: Named parts of the upright picture that are read instead of the rest, each with options of its own.
    regions: Sequence[Region]
    #: Who says which way up the pictures are: their header or EXIF tag, or the text in them.
    upright: Literal["given", "auto"]
    #: Languages to expect, as codes of BCP 47.
    languages: Sequence[str]
    #: Words to expect, which are told where a reading is nearly as likely one of them.
    customWords: Sequence[str]
    #: "changes": results have ``changes`` alone, what appeared, changed or is gone; "all" by default.
    report: Literal["all", "changes"]
    #: The characters and ranges to read alone, such as "0-9." or "A-Z0-9-".
    characterSet: str
    #: ``False``: misread words are not corrected by a dictionary.
    languageCorrection: bool
    #: What becomes of lines in scripts that the server cannot read: their boxes are told, or nothing; "report" by default.
    unreadable: Literal["report", "omit"]
    #: What becomes of a JPEG that is damaged: an error, or what lies above the damage is read; "refuse" by default.
    damaged: Literal["refuse", "read"]
    #: How many readings of each line are told, the best first.
    candidates: int
    #: Of frames that come faster than they are read: newer ones take their place, or all are read.
    delivery: Literal["live", "every"]
    #: Frames that are older than so many milliseconds when their turn comes are not read.
    deadline_ms: int
    #: By how many microseconds the server's clock is ahead of yours, as pings tell.
    clock_offset_us: int
    #: Whether frames are compared with those before them, so that words have ids.
    temporal: bool
    #: With ``temporal``: after how many milliseconds a whole frame is looked at again.
    refresh_ms: int
    #: Texts, and regular expressions between slashes, to look for in what is read; results tell ``matches``.
    find: Sequence[str]

