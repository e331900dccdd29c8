"""What can go wrong."""

from __future__ import annotations

#: Wire codes of refusals that another attempt would meet again.
_PERMANENT_WIRE_CODES = {"auth_required", "auth_failed", "message_too_large", "message_too_short", "wrong_protocol"}
_PERMANENT_CODES = {
    "not_glyphwire",
    "unsupported_protocol",
    "bad_line",
    "line_too_long",
    "message_too_large",
    "closed",
}

#: What to do about refusals that a server explains in the protocol's terms.
_ADVICE = {"auth_required": '; give it as options={"token": …}, or with --token-file FILE on the command line'}

#: Seconds to wait before the next attempt, whatever the policy says: Protocol.md's rule X2.
_MINIMUM_PAUSES = {"too_many_guesses": 60.0}


class GlyphwireError(Exception):
    """Why a connection could not be made, a message was not taken, or a stream has broken off.

    ``code`` is one of

    - ``cannot_connect``: nobody answers at that address, or TLS fails
    - ``timed_out``: somebody answers, but does not greet in time
    - ``not_glyphwire``: what answers is no Glyphwire server
    - ``unsupported_protocol``: the server speaks another version of the protocol
    - ``connection_lost``: the connection broke, or the server closed it before the stream was ended
    - ``refused``: the server refused a message; ``wire_code`` says why
    - ``bad_line``: the server sent a line that is not what Protocol.md says
    - ``line_too_long``: the server sent a line longer than ``max_line_bytes``
    - ``message_too_large``: a message is larger than the server takes; it was not sent, and the connection lives
    - ``closed``: the connection was used after it was finished or closed
    """

    def __init__(self, code: str, message: str, wire_code: str | None = None, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        #: What the server said, as in Protocol.md's table of errors; None where it is not the server that objects.
        self.wire_code = wire_code
        self._is_final = is_final

    @property
    def is_permanent(self) -> bool:
        """Whether another attempt would end the same way."""
        is_refused = self.code == "refused" and self.wire_code in _PERMANENT_WIRE_CODES
        return self._is_final or is_refused or self.code in _PERMANENT_CODES

    @property
    def minimum_pause(self) -> float:
        """Seconds that must pass before another attempt."""
        return _MINIMUM_PAUSES.get(self.wire_code or "", 0.0)

    def again(self) -> GlyphwireError:
        """The same error, to be raised a second time: each raised one has a traceback of its own."""
        return GlyphwireError(self.code, self.message, self.wire_code, is_final=self._is_final)


def refused(wire_code: str, message: str) -> GlyphwireError:
    advice = _ADVICE.get(wire_code, "")
    return GlyphwireError("refused", f"the server refused: {message} ({wire_code}){advice}", wire_code)


def closed() -> GlyphwireError:
    return GlyphwireError("closed", "the connection was finished or closed; connect again to send more")
