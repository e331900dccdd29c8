"""What a stream of frames is doing, over one connection or several in a row. No I/O, no lock, no waiting."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from . import _wire
from ._errors import GlyphwireError, closed, refused
from ._frame import Frame
from ._lines import ErrorLine, Hello, Line, Result, bad_line, parse
from ._reconnect import ReconnectPolicy

#: What a request is waited for with: a thread's or a task's.
Waiter = TypeVar("Waiter")

_ANSWERS = {_wire.CONFIGURE: "configured", _wire.PING: "pong", _wire.END: "end", _wire.STATS: "stats"}


class SentFrame(NamedTuple):
    sequence: int
    captured_us: int
    sent_at: float


class Request(Generic[Waiter]):
    """A message that is no frame, and who waits for its answer."""

    def __init__(self, type: int, sequence: int, message: bytes, waiter: Waiter) -> None:
        self.type = type
        self.sequence = sequence
        self.message = message
        self.waiter = waiter

    def is_answered_by(self, line: Line) -> bool:
        return line.type in (_ANSWERS[self.type], "error") and line.fields.get("sequence") == self.sequence


class Stream(Generic[Waiter]):
    """Which frames and requests wait for their answer, and what follows from a line or a loss."""

    def __init__(
        self, host: str, port: int, options: Mapping[str, Any] | None, reconnect: ReconnectPolicy | None
    ) -> None:
        self.address = f"{host}:{port}"
        #: What the server was last told, to be told again on another connection.
        self.options = options
        #: What the server said of itself, on the connection at hand.
        self.hello: Hello | None = None
        #: Whether frames may be sent: the server has greeted, and taken the options if there are any.
        self.is_open = False
        #: Whether no message may follow those that were sent.
        self.is_finishing = False
        #: Why everything is over; None while it is not.
        self.end: GlyphwireError | None = None
        self._reconnect = reconnect
        self._was_open = False
        self._attempts = 0
        self._max_message_bytes: int | None = None
        self._last_sequence = 0
        self._last_request = 0
        #: Since when nothing has come from the server, or since the first message was sent that has no answer, if that is later.
        self._silent_since = 0.0
        self._frames: deque[SentFrame] = deque()
        self._requests: deque[Request[Waiter]] = deque()

    # What is sent

    def frame(self, frame: Frame) -> tuple[bytes, int]:
        """The header to send with a frame at once, and the frame's number; it waits for its result from now on."""
        sequence = (self._last_sequence + 1) % (1 << 64) if frame.sequence is None else frame.sequence
        header = _wire.frame_header(frame, sequence)
        self._check_size(len(header) + len(frame.payload))
        self._last_sequence = sequence
        self._will_send()
        self._frames.append(SentFrame(sequence, frame.captured_us, time.monotonic()))
        return header, sequence

    def request(self, type: int, waiter: Waiter, body: bytes = b"", captured_us: int = 0) -> Request[Waiter]:
        """A message to send at once, and to be answered."""
        sequence = self._last_request + 1
        header = _wire.header(type, len(body), sequence=sequence, captured_us=captured_us)
        self._check_size(len(header) + len(body))
        self._last_request = sequence
        if type == _wire.END:
            self.is_finishing = True
        request = Request(type, sequence, header + body, waiter)
        self._will_send()
        self._requests.append(request)
        return request

    def _will_send(self) -> None:
        if not self._frames and not self._requests:
            self._silent_since = time.monotonic()

    def _check_size(self, message_bytes: int) -> None:
        limit = self._max_message_bytes
        if limit is not None and message_bytes - 4 > limit:
            raise GlyphwireError(
                "message_too_large",
                f"a message of {message_bytes - 4} bytes, {self.address} takes at most {limit}; "
                "send a smaller picture, or JPEG",
            )

    # What is received

    def heard(self) -> None:
        """Bytes came from the server, or could not have come because nobody read them."""
        self._silent_since = time.monotonic()

    def silence_left(self, limit: float) -> float:
        """The seconds until the server counts as dead (rule A12), should nothing come; at most ``limit``."""
        if not self._frames and not self._requests:
            return limit
        return self._silent_since + limit - time.monotonic()

    def greeted(self, line: bytes) -> Hello:
        """The server's first line."""
        try:
            hello: Line | None = parse(line, time.monotonic())
        except GlyphwireError:
            hello = None
        if not isinstance(hello, Hello):
            if isinstance(hello, ErrorLine) and hello.fatal:
                raise refused(hello.code, hello.message)
            raise GlyphwireError("not_glyphwire", f"the first line from {self.address} is no greeting; check the port")
        if hello.protocol != 1:
            raise GlyphwireError(
                "unsupported_protocol",
                f"{self.address} speaks version {hello.protocol} of the protocol, this client 1; "
                "update the older of the two",
            )
        limit = hello.limits.get("max_message_bytes")
        self._max_message_bytes = limit if isinstance(limit, int) else None
        self.hello = hello
        return hello

    def opened(self) -> None:
        """The server has taken the options."""
        self.is_open = self._was_open = True

    def received(self, line: bytes) -> tuple[Line, Request[Waiter] | None]:
        """A line after the first, and the request that it answers.

        Raises GlyphwireError where the line cannot be right, which ends the connection.
        """
        parsed = parse(line, time.monotonic())
        if _is_answer(parsed):
            self._attempts = 0
        if isinstance(parsed, Result):
            return self._result(parsed), None
        request = None
        if self._requests and self._requests[0].is_answered_by(parsed):
            request = self._requests.popleft()
        if parsed.type == "end" and request is not None:
            if self._frames:
                raise bad_line(line, f"the end, but frame {self._frames[0].sequence} has no result")
            self.is_open = False
            self.end = closed()
        return parsed, request

    def _result(self, result: Result) -> Result:
        status, sequence = result.status, result.sequence
        if status == "error" and (result.code is None or result.message is None):
            raise bad_line(result.line, "an error without a code")
        if not self._frames:
            raise bad_line(result.line, f"a result for frame {sequence}, but no frame waits for one")
        if self._frames[0].sequence != sequence:
            raise bad_line(result.line, f"a result for frame {sequence}, but frame {self._frames[0].sequence} is next")
        return Result(result.line, result.fields, result.received_at, self._frames.popleft().sent_at)

    # How it goes on

    def failed(self, error: GlyphwireError) -> tuple[list[Line], list[Request[Waiter]], float | None]:
        """The connection failed, or could not be opened.

        Returns the results of the frames that will have no other, the requests that will have no answer, and the
        seconds to wait before the next attempt; None if there is none, and ``end`` is set.
        """
        now = time.monotonic()
        lost: list[Line] = [_lost(frame, now) for frame in self._frames]
        unanswered = list(self._requests)
        self._frames.clear()
        self._requests.clear()
        self.is_open = False
        if self.end is not None:
            return lost, unanswered, None
        policy = self._reconnect
        may_reconnect = self._was_open and not self.is_finishing and not error.is_permanent
        if policy is None or not may_reconnect or self._attempts >= policy.max_attempts:
            self.end = error
            return lost, unanswered, None
        self._attempts += 1
        return lost, unanswered, max(policy.delay(self._attempts), error.minimum_pause)

    def close(self) -> list[Request[Waiter]]:
        """The user wants nothing more. Returns the requests that will have no answer."""
        unanswered = list(self._requests)
        self._frames.clear()
        self._requests.clear()
        self.is_open = False
        if self.end is None:
            self.end = closed()
        return unanswered

    # What to say

    def cannot_connect(self, error: OSError) -> GlyphwireError:
        return GlyphwireError(
            "cannot_connect",
            f"cannot connect to {self.address}: {error.strerror or error}; "
            "check that a server listens there (glyphwire serve) and that host and port are right",
        )

    def not_greeted(self, seconds: float) -> GlyphwireError:
        return GlyphwireError(
            "timed_out",
            f"{self.address} did not greet within {seconds:g} s; check that a Glyphwire server listens there",
        )

    def silent(self, seconds: float) -> GlyphwireError:
        return GlyphwireError(
            "connection_lost",
            f"{self.address} has sent nothing for {seconds:g} s while messages were unanswered; the server or the network "
            "may be down, or answer_timeout too short for a server that many share",
        )

    def lost(self, error: OSError | None) -> GlyphwireError:
        reason = "was closed by the server" if error is None else f"broke: {error.strerror or error}"
        return GlyphwireError(
            "connection_lost",
            f"the connection to {self.address} {reason}; the server may have stopped, its log says why",
        )


def _is_answer(line: Line) -> bool:
    """Whether a line answers a message, which shows that the server has admitted the client; a greeting does not."""
    is_error = isinstance(line, ErrorLine) and not line.fatal
    return isinstance(line, Result) or line.type in _ANSWERS.values() or is_error


def _lost(frame: SentFrame, now: float) -> Result:
    fields = {
        "type": "result",
        "sequence": frame.sequence,
        "captured_us": frame.captured_us,
        "status": "error",
        "code": "connection_lost",
        "message": "the connection was lost before the frame was answered; send it again",
    }
    return Result(b"", fields, now, frame.sent_at)


def answer(outcome: Line | GlyphwireError | None) -> Line:
    """The answer to a request; raises what the server objects, or why there is none."""
    if outcome is None or isinstance(outcome, GlyphwireError):
        raise (outcome or closed()).again()
    line = outcome
    if isinstance(line, ErrorLine):
        raise refused(line.code, line.message)
    return line


def fatal(line: Line) -> GlyphwireError | None:
    """What a line says that ends the connection, if it does."""
    return refused(line.code, line.message) if isinstance(line, ErrorLine) and line.fatal else None
