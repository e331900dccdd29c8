"""What a stream of frames is doing, over one connection or several in a row. No I/O, no lock, no waiting."""

from __future__ import annotations

import math
import time
from collections import deque
from typing import Generic, NamedTuple, TypeVar

from . import _wire
from ._errors import GlyphwireError, closed, refused
from ._frame import Frame
from ._lines import Configured, End, ErrorLine, Goaway, Hello, Line, Result, bad_line, parse
from ._reconnect import ReconnectPolicy
from ._tls import handshake_advice

#: What a request is waited for with: a thread's or a task's.
Waiter = TypeVar("Waiter")

#: Seconds until the first ping of a client that has sent nothing: servers wait for five (Protocol.md's rule A9).
_FIRST_PING = 2.0

#: How many frames may be unanswered for each that the server works on, so that the next ones are there in time.
_FRAMES_PER_WINDOW = 2

#: How many frames of a camera are unanswered at most: two keep network and server busy (rule D9).
_CAMERA_FRAMES = 2

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
        #: Whether the client asks by itself, and nobody wants the answer.
        self.is_own = False

    def is_answered_by(self, line: Line) -> bool:
        return line.type in (_ANSWERS[self.type], "error") and line.fields.get("sequence") == self.sequence


class Stream(Generic[Waiter]):
    """Which frames and requests wait for their answer, and what follows from a line or a loss."""

    def __init__(self, host: str, port: int, body: _wire.Body | None, reconnect: ReconnectPolicy | None) -> None:
        if not 0 < port < 1 << 16:
            # The system would connect to what is left of it in 16 bits.
            raise ValueError(f"port is {port}; give a number from 1 to 65535")
        self.address = f"{host}:{port}"
        #: What the server last took, to be sent again on another connection; and the last token, which that may lack.
        self._body = body
        self._token = None if body is None else body.token
        #: What the server said of itself, on the connection at hand.
        self.hello: Hello | None = None
        #: Whether messages may be sent: the server has greeted, taken the options if there are any, and does not stop.
        self.is_open = False
        #: Whether no message may follow those that were sent.
        self.is_finishing = False
        #: Why everything is over; None while it is not.
        self.end: GlyphwireError | None = None
        self._reconnect = reconnect
        self._was_open = False
        self._is_leaving = False
        self._attempts = 0
        #: How many frames the server works on at once, if it reads every frame.
        self._window: int | None = None
        self._max_message_bytes: int | None = None
        self._last_sequence = 0
        self._last_request = 0
        #: Since when nothing has come from the server, or since the first message was sent that has no answer, if that is later.
        self._silent_since = 0.0
        #: When the last message was sent; if none was on this connection, when the server greeted.
        self._sent_at = 0.0
        self._has_sent = False
        self._frames: deque[SentFrame] = deque()
        #: How many frames the server at hand has answered.
        self._answered = 0
        self._requests: deque[Request[Waiter]] = deque()

    # What is sent

    def configured(self, body: _wire.Body) -> None:
        """The server has taken options."""
        self._body = body
        self._token = body.token or self._token

    def opening(self) -> list[bytes]:
        """The options to send first on the connection at hand, one after the other is taken.

        The token goes alone where the options have none (rule A1), or are longer than it allows before (rule N1).
        """
        if self._body is None:
            return []
        options, own_token = self._body
        goes_alone = own_token is None or self._is_too_long_without_token(options)
        if self._token is None or not self._is_asked_for_token or not goes_alone:
            return [options]
        return [self._token, options]

    def _is_too_long_without_token(self, body: bytes) -> bool:
        limit = None if self.hello is None else self.hello.limits.get("max_unauthenticated_bytes")
        return isinstance(limit, int) and _wire.length(len(body)) > limit

    @property
    def _is_asked_for_token(self) -> bool:
        return self.hello is not None and self.hello.fields.get("auth") == "token"

    def may_send(self, type: int) -> bool:
        """Whether a message may be sent now.

        Of files few are under way at a time, and their end follows the last answer, so that little is lost with a server.
        """
        if not self.is_open or self._window is None:
            return self.is_open
        if type == _wire.END:
            return not self._frames
        return type != _wire.FRAME or len(self._frames) < _FRAMES_PER_WINDOW * self._window

    @property
    def may_send_latest(self) -> bool:
        """Whether so few frames are unanswered that the latest one is not better replaced by a newer one."""
        return self.is_open and len(self._frames) < _CAMERA_FRAMES

    def frame(self, frame: Frame) -> tuple[bytes, int]:
        """The header to send with a frame at once, and the frame's number; it waits for its result from now on."""
        sequence = (self._last_sequence + 1) % (1 << 64) if frame.sequence is None else frame.sequence
        header = _wire.frame_header(frame, sequence)
        self._check_size(len(header) + len(frame.payload))
        self._last_sequence = sequence
        self._will_send()
        self._frames.append(SentFrame(sequence, frame.captured_us, time.monotonic()))
        return header, sequence

    def options(self, waiter: Waiter, body: bytes) -> Request[Waiter]:
        """Options to send first on the connection at hand. Raises GlyphwireError where the server stops."""
        if self._is_leaving:
            # Between the token and the options, which another server is to have (rule G4).
            raise self.lost(None)
        return self.request(_wire.CONFIGURE, waiter, body)

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

    def ping(self, waiter: Waiter) -> Request[Waiter]:
        """A ping to send at once, of which nobody is told."""
        request = self.request(_wire.PING, waiter)
        request.is_own = True
        return request

    def _will_send(self) -> None:
        if not self._frames and not self._requests:
            self._silent_since = time.monotonic()
        self._has_sent = True
        self.put_ping_off()

    def put_ping_off(self) -> None:
        """The time after which a ping is due begins again."""
        self._sent_at = time.monotonic()

    def ping_left(self, interval: float | None) -> float:
        """The seconds until a ping is due, so that the server keeps an idle connection (A10); infinite if none is."""
        has_own = any(request.is_own for request in self._requests)
        if interval is None or not 0 < interval < math.inf:
            return math.inf
        if not self.is_open or self.is_finishing or has_own:
            return math.inf
        if not self._has_sent:
            if self._is_asked_for_token:
                return math.inf  # the first message has to bring it
            interval = min(interval, _FIRST_PING)
        return self._sent_at + interval - time.monotonic()

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
        """Bytes came, or could not have come because nobody read them; or the socket took some of a long message."""
        self._silent_since = time.monotonic()

    def silence_left(self, limit: float) -> float:
        """The seconds until the server counts as dead (rule A12), should nothing come; at most ``limit``."""
        # A server that stops owes the end of the connection, for which everything else waits.
        if not self._frames and not self._requests and not self._is_leaving:
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
        self._has_sent = False
        self._window = None
        self._answered = 0
        self.put_ping_off()
        return hello

    def opened(self) -> None:
        """The server has taken the options."""
        self._was_open = True
        self.is_open = not self._is_leaving

    def received(self, line: Line) -> tuple[Line, Request[Waiter] | None]:
        """A line after the first as it is handed on, and the request that it answers.

        Raises GlyphwireError where the line cannot be right, which ends the connection.
        """
        if _is_answer(line):
            self._attempts = 0
        if isinstance(line, Result):
            return self._result(line), None
        if isinstance(line, Goaway):
            self._is_leaving = True
            self.is_open = False
        elif isinstance(line, Configured):
            self._window = None if line.window is None else max(line.window, 1)
        request = None
        if self._requests and self._requests[0].is_answered_by(line):
            request = self._requests.popleft()
        if line.type == "end" and request is not None:
            if self._frames:
                raise bad_line(line.line, f"the end, but frame {self._frames[0].sequence} has no result")
            self.is_open = False
            self.end = closed()
        return line, request

    def _result(self, result: Result) -> Result:
        status, sequence = result.status, result.sequence
        if status == "error" and (result.code is None or result.message is None):
            raise bad_line(result.line, "an error without a code")
        if not self._frames:
            raise bad_line(result.line, f"a result for frame {sequence}, but no frame waits for one")
        if self._frames[0].sequence != sequence:
            raise bad_line(result.line, f"a result for frame {sequence}, but frame {self._frames[0].sequence} is next")
        self._answered += 1
        return Result(result.line, result.fields, result.received_at, self._frames.popleft().sent_at)

    # How it goes on

    def missing_end(self, error: GlyphwireError) -> End | None:
        """The ``end`` line that a server which stops does not send, if the stream that ends so is complete (rule G4).

        The client's ``end`` has crossed the ``goaway`` then, and every other message has its answer.
        """
        is_complete = self._is_leaving and not self._frames and [one.type for one in self._requests] == [_wire.END]
        if error.code != "connection_lost" or not is_complete:
            return None
        fields = {"type": "end", "sequence": self._requests[0].sequence, "frames": self._answered}
        return End(b"", fields, time.monotonic())

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
        self.is_open = self._is_leaving = False
        if self.end is not None:
            return lost, unanswered, None
        policy = self._reconnect
        may_reconnect = self._was_open and not self.is_finishing and not error.is_permanent
        if policy is None or not may_reconnect or self._attempts >= policy.max_attempts:
            self.end = error
            return lost, unanswered, None
        self._attempts += 1
        return lost, unanswered, max(policy.delay(self._attempts), error.minimum_pause)

    def close(self, reason: GlyphwireError | None = None) -> list[Request[Waiter]]:
        """The user wants nothing more, or nothing more is possible. Returns the requests that will have no answer."""
        unanswered = list(self._requests)
        self._frames.clear()
        self._requests.clear()
        self.is_open = False
        if self.end is None:
            self.end = reason or closed()
        return unanswered

    # What to say

    def cannot_connect(self, error: OSError | UnicodeError) -> GlyphwireError:
        tls = handshake_advice(error)
        if tls is not None:
            return GlyphwireError("cannot_connect", f"cannot connect to {self.address}: {tls}", is_final=True)
        reason = (error.strerror or error) if isinstance(error, OSError) else f"no host has this name ({error})"
        return GlyphwireError(
            "cannot_connect",
            f"cannot connect to {self.address}: {reason}; "
            "check that a server listens there (glyphwire serve) and that host and port are right",
        )

    def not_opened(self, error: OSError) -> GlyphwireError:
        """The connection broke before the server has greeted and taken the options."""
        return self.lost(error) if handshake_advice(error) is None else self.cannot_connect(error)

    def not_greeted(self, seconds: float) -> GlyphwireError:
        return GlyphwireError(
            "timed_out",
            f"{self.address} did not greet within {seconds:g} s; check that a Glyphwire server listens there",
        )

    def closed_before_greeting(self) -> GlyphwireError:
        # A port that has greeted before is the right one.
        if self.hello is not None:
            return self.lost(None)
        return GlyphwireError(
            "connection_lost",
            f"the connection to {self.address} was closed before a greeting; is this the port for frames (7411), not the one "
            "for HTTP? If it is, the server's log says why",
        )

    def silent(self, seconds: float) -> GlyphwireError:
        return GlyphwireError(
            "connection_lost",
            f"{self.address} has sent nothing for {seconds:g} s while messages were unanswered, or it was to close; the "
            "server or the network may be down, or answer_timeout too short for a server that many share",
        )

    def lost(self, error: OSError | None) -> GlyphwireError:
        reason = "was closed by the server" if error is None else f"broke: {error.strerror or error}"
        advice = (
            "the server stops, and took nothing more; connect again later"
            if self._is_leaving
            else "the server may have stopped, its log says why"
        )
        return GlyphwireError("connection_lost", f"the connection to {self.address} {reason}; {advice}")

    def broken(self, error: BaseException) -> GlyphwireError:
        """The client itself has failed."""
        return GlyphwireError("connection_lost", f"the connection to {self.address} was given up: {error!r}")


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
