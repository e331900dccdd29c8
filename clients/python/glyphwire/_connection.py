"""A stream of frames for programs of threads."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any, Callable, cast

from . import _wire
from ._errors import GlyphwireError, closed
from ._frame import Frame
from ._latest_frame import LatestFrame
from ._line_buffer import LineBuffer
from ._lines import Configured, End, Hello, Line, Pong, Result, Stats, parse
from ._options import Options
from ._reconnect import ReconnectPolicy
from ._stream import Request, Stream, answer, fatal
from ._tls import LONGEST_TIMEOUT, SecureSocket, context, readable, writable


class _Answer:
    """What a request is waiting for."""

    def __init__(self, body: _wire.Body | None = None) -> None:
        #: What the server is sent again on another connection, once it has taken it.
        self.body = body
        self.outcome: None | Line | GlyphwireError = None


class _Link:
    """A socket and the lines that came from it."""

    def __init__(self, socket: socket.socket | SecureSocket, max_line_bytes: int) -> None:
        self.socket = socket
        self._splitter = _wire.LineSplitter(max_line_bytes)
        self._lines: deque[bytes] = deque()

    def next_line(self, deadline: float | None = None) -> bytes | None:
        """The next line, None when there are no more. Raises OSError, TimeoutError behind the deadline."""
        while not self._lines:
            if deadline is not None:
                self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            if not self.receive():
                return None
        return self._lines.popleft()

    def receive(self) -> bool:
        """Receives what is there, and says whether more may come."""
        some = self.socket.recv_some if isinstance(self.socket, SecureSocket) else self.socket.recv
        data = some(1 << 16)
        if data is None:
            return True
        self._lines.extend(self._splitter.feed(data))
        return bool(data)

    @property
    def has_line(self) -> bool:
        return bool(self._lines)

    def write(self, *parts: bytes | bytearray | memoryview, moved: Callable[[], None] = lambda: None) -> bool:
        """Sends a message, and says whether another may follow; why not is for the reader to find.

        ``moved`` is called whenever the socket has taken a part of a long one.
        """
        try:
            for part in parts:
                for start in range(0, len(part), _wire.PIECE_BYTES):
                    if start > 0:
                        moved()
                    self.socket.sendall(memoryview(part)[start : start + _wire.PIECE_BYTES])
            return True
        except OSError:
            self.shut_down()
            return False
        except BaseException:
            self.shut_down()  # half a message is on its way, and nothing can follow it
            raise

    def shut_down(self) -> None:
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Connection:
    """A connection to a Glyphwire server: frames go in, their text comes out. :func:`connect` makes one.

    :meth:`read` does everything for a camera, a video or a list of pictures. With :meth:`send` and :meth:`results`,
    send in one thread and read in another: a server that is behind stops reading, and so does :meth:`send` wait;
    results that nobody reads stop everything that is behind them, until :meth:`finish` is called.

    Every frame that was sent has exactly one result, in the order of the frames, unless :meth:`close` is called. Where
    the connection is lost before the server answered, the result's code is ``connection_lost``.
    """

    def __init__(
        self,
        stream: Stream[_Answer],
        host: str,
        port: int,
        timeout: float,
        answer_timeout: float,
        ping_interval: float | None,
        max_line_bytes: int,
        line_buffer: int,
        tls: ssl.SSLContext | None,
    ) -> None:
        self._stream = stream
        self._host = host
        self._port = port
        self._timeout = timeout
        self._answer_timeout = answer_timeout
        self._ping_interval = ping_interval
        self._tls = tls
        self._max_line_bytes = max_line_bytes
        #: Guards all that follows and the stream; told when any of it changes.
        self._changed = threading.Condition()
        self._lines = LineBuffer(line_buffer)
        self._link: _Link | None = None
        #: Whether :meth:`close` was called before the stream had ended.
        self._is_dismissed = False
        #: Held while a message is written, so that the next one follows the whole of it.
        self._sending = threading.Lock()
        link = self._open()
        assert stream.hello is not None
        #: What the server said of itself when it was connected to; later greetings are among :meth:`lines`.
        self.hello: Hello = stream.hello
        threading.Thread(target=self._run, args=(link,), name=f"glyphwire {stream.address}", daemon=True).start()

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Frames and results

    def read(self, frames: Iterable[Frame], *, latest: bool = False) -> Iterator[Result]:
        """Sends frames as they come, and yields one result for each, in order; then the stream is finished.

        With ``latest``, as for a camera, at most two frames are unanswered, and one waits, which a newer one replaces.
        So the delay stays short, also over a slow network. Replaced frames have no result: match the others by the
        ``sequence`` or ``captured_us`` that you give them, not by counting. A frame must not change after it was
        yielded. Do not stop reading results: while ``line_buffer`` of them are unread no answer comes in, and no frame
        waits for one.

        ``frames`` is iterated in a thread of its own, so that it may wait for a camera. What it raises is raised here,
        behind the results of the frames that were sent. Leaving the loop early closes the connection; :meth:`close`,
        from any thread, ends the loop, even while ``frames`` waits.
        """
        failures: list[BaseException] = []

        def feed() -> None:
            try:
                if latest:
                    self._send_latest(frames)
                else:
                    for frame in frames:
                        self.send(frame)
            except BaseException as error:
                failures.append(error)
            try:
                self.finish()
            except BaseException as error:
                failures.append(error)
                self._shut()

        feeder = threading.Thread(target=feed, name=f"glyphwire frames for {self._stream.address}", daemon=True)
        feeder.start()
        try:
            yield from self.results()
            if self._is_dismissed:
                return  # who closed wants no more, and the frames may never come
        finally:
            self.close()
        feeder.join()
        if failures:
            raise failures[0]

    def _send_latest(self, frames: Iterable[Frame]) -> None:
        """Sends the newest frame each time that few enough are unanswered; a thread of its own iterates ``frames``."""
        latest = LatestFrame()
        name = f"glyphwire camera for {self._stream.address}"
        threading.Thread(target=self._watch, args=(frames, latest), name=name, daemon=True).start()
        while True:
            with self._changed:
                while not latest.is_due(self._may_send_latest()) and self._stream.end is None:
                    self._changed.wait()
                if not latest.is_waiting:
                    return latest.raise_failure()
            self._send(latest.take)

    def _watch(self, frames: Iterable[Frame], latest: LatestFrame) -> None:
        """Iterates frames, and keeps the newest."""
        failure: BaseException | None = None
        try:
            for frame in frames:
                with self._changed:
                    if self._stream.end is not None:
                        return
                    latest.put(frame)
                    self._changed.notify_all()
        except BaseException as error:
            failure = error
        with self._changed:
            latest.end(failure)
            self._changed.notify_all()

    def send(self, frame: Frame) -> int:
        """Sends a frame as soon as the server takes it, and returns the number that its result will carry."""
        return self._send(lambda: frame)

    def _send(self, take: Callable[[], Frame]) -> int:
        """Sends the frame that is there to be taken when it can be sent."""
        with self._sending:
            with self._changed:
                link = self._wait_until_ready(_wire.FRAME)
                frame = take()
                header, sequence = self._stream.frame(frame)
            self._write(link, header, frame.payload)
        return sequence

    def results(self) -> Iterator[Result]:
        """The results of the frames, one for each, until the stream ends.

        A loop may be left and another one begun. Raises :class:`GlyphwireError` when the connection is lost for good.
        """
        for line in self.lines():
            if isinstance(line, Result):
                yield line

    def lines(self) -> Iterator[Line]:
        """All lines, results among them; a line is either taken here or from :meth:`results`."""
        while True:
            with self._changed:
                while not self._lines:
                    if self._stream.end is not None:
                        if self._stream.end.code == "closed":
                            return
                        raise self._stream.end.again()
                    self._changed.wait()
                line = self._lines.take()
                self._changed.notify_all()
            yield line

    # Requests

    def configure(self, options: Options | Mapping[str, Any]) -> dict[str, Any]:
        """Sets the options for the frames that follow, and returns all that are in force.

        What ``options`` leaves out is back at its default. Raises :class:`GlyphwireError` with ``refused`` where the
        server cannot honour them; those of before stay in force then.
        """
        body = _wire.configure_body(options)
        return cast(Configured, self._request(_wire.CONFIGURE, _Answer(body), body.options)).options

    def ping(self, captured_us: int = 0) -> Pong:
        """Asks for a sign of life; ``captured_us`` is your clock, echoed in the answer."""
        return cast(Pong, self._request(_wire.PING, _Answer(), captured_us=captured_us))

    def stats(self) -> Stats:
        """Asks how long the stages took so far, on this connection and on the whole server."""
        return cast(Stats, self._request(_wire.STATS, _Answer()))

    def finish(self) -> End:
        """Ends the stream: waits until every frame has its result. Those that were not read yet still can be."""
        with self._changed:
            self._lines.finishers += 1
            self._changed.notify_all()
        try:
            return cast(End, self._request(_wire.END, _Answer()))
        finally:
            with self._changed:
                if not self._stream.is_finishing:  # interrupted before the end was sent: the stream goes on
                    self._lines.finishers -= 1
                    self._changed.notify_all()

    def close(self) -> None:
        """Closes the connection at once; :meth:`results` ends behind what was received already."""
        with self._changed:
            self._is_dismissed |= self._stream.end is None
            self._shut()

    def _shut(self) -> None:
        with self._changed:
            self._fail_requests(self._stream.close(), closed())
            if self._link is not None:
                self._link.shut_down()
            self._changed.notify_all()

    def _request(self, type: int, waiter: _Answer, body: bytes = b"", captured_us: int = 0) -> Line:
        with self._sending:
            with self._changed:
                link = self._wait_until_ready(type)
                request = self._stream.request(type, waiter, body, captured_us)
            self._write(link, request.message)
        with self._changed:
            while waiter.outcome is None:
                self._changed.wait()
        return answer(waiter.outcome)

    def _write(self, link: _Link, *parts: bytes | bytearray | memoryview) -> None:
        if link.write(*parts, moved=self._heard):
            return
        with self._changed:
            # What comes next waits for another connection instead of being lost on this one.
            if self._link is link:
                self._stream.is_open = False

    def _wait_until_ready(self, type: int) -> _Link:
        """Waits until a message of this type may be sent."""
        while self._link is None or not self._may_send(type):
            if self._stream.end is not None:
                raise self._stream.end.again()
            self._changed.wait()
        if self._stream.is_finishing:
            raise closed()
        return self._link

    def _may_send(self, type: int) -> bool:
        # Answers that nobody reads do not come in, so they cannot be waited for.
        return self._stream.may_send(type) or (self._stream.is_open and not self._has_room())

    def _may_send_latest(self) -> bool:
        return self._stream.may_send_latest or (self._stream.is_open and not self._has_room())

    # The thread that reads

    def _run(self, link: _Link) -> None:
        """Reads lines until the stream is over, over as many connections as that takes."""
        next_link: _Link | None = link
        try:
            while next_link is not None:
                error = self._read(next_link)
                next_link.shut_down()  # whoever is sending goes on with the next connection
                next_link.socket.close()
                next_link = self._reconnect(error)
        except BaseException as error:
            self._end(self._stream.broken(error))  # or whoever waits would do so for ever
            raise

    def _read(self, link: _Link) -> GlyphwireError:
        """Reads lines until there are no more, and says why."""
        try:
            while True:
                with self._changed:
                    if not self._has_room():
                        self._changed.wait_for(self._has_room)
                        self._stream.heard()
                if not link.has_line:
                    self._await_bytes(link)
                line = link.next_line()
                if line is None:
                    return self._stream.lost(None)
                self._receive(parse(line, time.monotonic()))
        except OSError as error:
            return self._stream.lost(error)
        except GlyphwireError as error:
            return error

    def _await_bytes(self, link: _Link) -> None:
        """Receives until there is a line, or no more; raises GlyphwireError where the server is silent for too long."""
        while not link.has_line:
            with self._changed:
                left = self._stream.silence_left(self._answer_timeout)
                ping_left = self._stream.ping_left(self._ping_interval)
            if left <= 0:
                raise self._stream.silent(self._answer_timeout)
            if ping_left <= 0:
                self._ping(link)
            elif readable(link.socket, min(left, ping_left)):
                is_open = link.receive()
                self._heard()
                if not is_open:
                    return

    def _heard(self) -> None:
        with self._changed:
            self._stream.heard()

    def _ping(self, link: _Link) -> None:
        """Sends a ping, unless messages are on their way already; it never waits, for nobody else reads."""
        if not self._sending.acquire(blocking=False):
            with self._changed:
                return self._stream.put_ping_off()
        try:
            with self._changed:
                if self._stream.ping_left(self._ping_interval) > 0:
                    return  # something was sent meanwhile, the end perhaps
                self._stream.put_ping_off()
                if not writable(link.socket):
                    return
                request = self._stream.ping(_Answer())
            self._write(link, request.message)
        finally:
            self._sending.release()

    def _has_room(self) -> bool:
        return self._lines.has_room or self._stream.end is not None

    def _receive(self, line: Line) -> None:
        with self._changed:
            parsed, request = self._stream.received(line)
            if request is None or not request.is_own:
                self._lines.add(parsed, is_known=request is not None)
            if request is not None:
                if request.waiter.body is not None and parsed.type == "configured":
                    self._stream.configured(request.waiter.body)
                request.waiter.outcome = parsed
            self._changed.notify_all()
        error = fatal(parsed)
        if error is not None:
            raise error

    def _reconnect(self, error: GlyphwireError) -> _Link | None:
        """What comes after a failure: another connection, or nothing."""
        while True:
            with self._changed:
                self._link = None
                end = self._stream.missing_end(error)
                if end is not None:
                    self._receive(end)
                lost, requests, delay = self._stream.failed(error)
                for line in lost:
                    self._lines.add(line)
                self._fail_requests(requests, error)
                self._changed.notify_all()
                if delay is None:
                    return None
                if self._changed.wait_for(lambda: self._stream.end is not None, delay):
                    return None
            try:
                return self._open()
            except GlyphwireError as failure:
                error = failure

    def _end(self, error: GlyphwireError) -> None:
        """Ends the stream with an error."""
        with self._changed:
            self._fail_requests(self._stream.close(error), error)
            self._changed.notify_all()

    def _fail_requests(self, requests: list[Request[_Answer]], error: GlyphwireError) -> None:
        for request in requests:
            request.waiter.outcome = error

    # Connecting

    def _open_socket(self, deadline: float) -> socket.socket | SecureSocket:
        plain = self._connect(deadline)
        if self._tls is None:
            return plain
        try:
            plain.settimeout(max(deadline - time.monotonic(), 0.001))
            return SecureSocket(plain, self._tls, self._host)
        except BaseException:
            plain.close()
            raise

    def _connect(self, deadline: float) -> socket.socket:
        """Connects to the first of the host's addresses that answers, each in its share of the time that is left."""
        failure = OSError("the host has no address")
        found = socket.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        for tried, (family, type, protocol, _, address) in enumerate(found):
            share = max(deadline - time.monotonic(), 0.001) / (len(found) - tried)
            try:
                return _connected(socket.socket(family, type, protocol), address, share)
            except OSError as error:
                failure = error
        raise failure

    def _open(self) -> _Link:
        """Connects, waits for the greeting, and has the server take the options."""
        deadline = time.monotonic() + min(self._timeout, LONGEST_TIMEOUT)
        try:
            link = _Link(self._open_socket(deadline), self._max_line_bytes)
        except (OSError, UnicodeError) as error:
            raise self._stream.cannot_connect(error) from error
        try:
            link.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            link.socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            self._greet(link, deadline)
            link.socket.settimeout(None)
        except socket.timeout as error:
            link.socket.close()
            raise self._stream.not_greeted(self._timeout) from error
        except OSError as error:
            link.socket.close()
            raise self._stream.not_opened(error) from error
        except BaseException:
            link.socket.close()
            raise
        with self._changed:
            if self._stream.end is not None:
                link.socket.close()
                raise self._stream.end.again()
            self._link = link
            self._stream.opened()
            self._changed.notify_all()
        return link

    def _greet(self, link: _Link, deadline: float) -> None:
        line = link.next_line(deadline)
        if line is None:
            raise self._stream.closed_before_greeting()
        with self._changed:
            self._lines.add(self._stream.greeted(line), is_known=True)
            opening = self._stream.opening()
        for options in opening:
            self._have_taken(options, link, deadline)

    def _have_taken(self, options: bytes, link: _Link, deadline: float) -> None:
        """Sends options, and waits until the server has taken them."""
        waiter = _Answer()
        with self._changed:
            request = self._stream.options(waiter, options)
        link.socket.sendall(request.message)
        while waiter.outcome is None:
            line = link.next_line(deadline)
            if line is None:
                raise self._stream.lost(None)
            self._receive(parse(line, time.monotonic()))
        try:
            answer(waiter.outcome)
        except GlyphwireError as error:
            # They stay wrong, however often they are sent.
            with self._changed:
                self._stream.end = error
            raise


def _connected(plain: socket.socket, address: tuple[Any, ...], seconds: float) -> socket.socket:
    try:
        plain.settimeout(seconds)
        plain.connect(address)
    except BaseException:
        plain.close()
        raise
    return plain


def connect(
    host: str = "localhost",
    port: int = 7411,
    *,
    options: Options | Mapping[str, Any] | None = None,
    reconnect: ReconnectPolicy | None = None,
    connect_timeout: float = 10.0,
    answer_timeout: float = 30.0,
    ping_interval: float | None = 240.0,
    max_line_bytes: int = 16 << 20,
    line_buffer: int = 64,
    tls: bool | ssl.SSLContext = False,
) -> Connection:
    """Connects to a Glyphwire server, waits for its greeting, and has it take the options.

    - ``options`` are sent first, on every connection; without them the server's own are in force. Their names are
      Protocol.md's: ``{"level": "accurate", "characters": False}``.
    - ``reconnect`` makes a lost connection again; without it, that is an error.
    - ``connect_timeout``: seconds that all of this may take.
    - ``answer_timeout``: seconds in which a server may send nothing while messages are unanswered; then the connection
      counts as lost.
    - ``ping_interval``: seconds without a message after which a ``ping`` is sent, so that the server keeps the
      connection; None, 0 and infinity send none. Before the first message it is two seconds, since servers wait for
      five.
    - ``max_line_bytes``: the longest line that is taken.
    - ``line_buffer``: how many lines may wait to be read before reading from the socket pauses.
    - ``tls``: true for TLS with the system's authorities, or a context such as
      ``ssl.create_default_context(cafile="server.pem")``.

    A connection that is neither finished nor closed keeps its thread and its socket: use it in a ``with``.

    Raises :class:`GlyphwireError`.
    """
    body = None if options is None else _wire.configure_body(options)
    stream: Stream[_Answer] = Stream(host, port, body, reconnect)
    timeouts = connect_timeout, answer_timeout, ping_interval
    return Connection(stream, host, port, *timeouts, max_line_bytes, line_buffer, context(tls))
