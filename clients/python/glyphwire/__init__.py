"""Read the text in pictures and live video, with a Glyphwire server.

    import glyphwire

    with glyphwire.connect("localhost") as connection:
        for result in connection.read([glyphwire.Frame.open("photo.jpg")]):
            print(result.text)

Protocol.md of Glyphwire says what goes over the wire; names here are the names there.
"""

from ._async_connection import AsyncConnection, connect_async
from ._connection import Connection, connect
from ._errors import GlyphwireError
from ._frame import Frame, FrameFormat, Orientation
from ._lines import (
    Configured,
    End,
    ErrorLine,
    FrameWarning,
    Goaway,
    Hello,
    Line,
    Pong,
    Result,
    Stats,
    TextCandidate,
    TextChange,
    TextCharacter,
    TextLine,
    TextMatch,
    TextScores,
    TextWord,
)
from ._options import Options, Region
from ._reconnect import ReconnectPolicy

__version__ = "0.1.0"

__all__ = [
    "AsyncConnection",
    "Configured",
    "Connection",
    "End",
    "ErrorLine",
    "Frame",
    "FrameFormat",
    "FrameWarning",
    "GlyphwireError",
    "Goaway",
    "Hello",
    "Line",
    "Options",
    "Orientation",
    "Pong",
    "ReconnectPolicy",
    "Region",
    "Result",
    "Stats",
    "TextCandidate",
    "TextChange",
    "TextCharacter",
    "TextLine",
    "TextMatch",
    "TextScores",
    "TextWord",
    "connect",
    "connect_async",
]
