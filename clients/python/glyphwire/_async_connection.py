"""A stream of frames for programs of tasks."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Iterable, Mapping
from types import TracebackType
from typing import (
    Any,
    Callable,
    cast,
)

from . import _wire
from ._errors import GlyphwireError, closed
from ._frame import Frame
from ._latest_frame import LatestFrame
from ._line_buffer import LineBuffer
from ._lines import Configured, End, Hello, Line, Pong, Result, Stats, parse
from ._options import Options
from ._reconnect import ReconnectPolicy
from ._stream import Request, Stream, answer, fatal
from ._tls import context


#: Bytes that asyncio keeps of what was received.
_READ_LIMIT = 1 << 20


class _Answer:
    """What a request is waiting for."""

    def __init__(self, body: _wire.Body | None = None) -> None:
        #: What the server is sent again on another connection, once it has taken it.
        self.body = body
        self.outcome: asyncio.Future[Line | GlyphwireError] = asyncio.get_running_loop().create_future()

    def resolve(self, outcome: Line | GlyphwireError) -> None:
        if not self.outcome.done():  # whoever waited may have turned away
            self.outcome.set_result(outcome)


class _Link:
    """A connection's two ends and the lines that came from it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, max_line_bytes: int) -> None:
        self._reader = reader
        self._writer = writer
        self._splitter = _wire.LineSplitter(max_line_bytes)
        self._lines: deque[bytes] = deque()
        #: What was handed over and not sent, and the task that sends it.
        self._outgoing: deque[memoryview] = deque()
        self._sender: asyncio.Task[None] | None = None
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

    async def next_line(self, heard: Callable[[], None] = lambda: None) -> bytes | None:
        """The next line, None when there are no more; calls ``heard`` for bytes that came. Raises OSError."""
        while not self._lines:
            data = await self._reader.read(1 << 16)
            heard()
            if not data:
                return None
            self._lines.extend(self._splitter.feed(data))
        return self._lines.popleft()

    def write(self, *parts: bytes, moved: Callable[[], None] = lambda: None) -> None:
        """Hands a message over, to be sent as the socket takes it.

        ``moved`` is called whenever the socket has taken a part of a long one.
        """
        for part in parts:
            for start in range(0, len(part), _wire.PIECE_BYTES):
                self._outgoing.append(memoryview(part)[start : start + _wire.PIECE_BYTES])
        if self._sender is None or self._sender.done():
            self._sender = asyncio.get_running_loop().create_task(self._send(moved))

    async def _send(self, moved: Callable[[], None]) -> None:
        try:
            while self._outgoing:
                piece = self._outgoing.popleft()
                self._writer.write(piece)
                await self._writer.drain()
                if len(piece) == _wire.PIECE_BYTES:
                    moved()
        except OSError:
            self.close()

    async def drained(self) -> bool:
        """Waits until another message may follow, and says whether one may; why not is for the reader to find."""
        if self._sender is not None:
            await asyncio.wait([self._sender])  # which goes on where whoever waits turns away
        # A socket that takes everything lets this return at once; the reader needs a turn too.
        await asyncio.sleep(0)
        return not self._writer.transport.is_closing()

    def close(self) -> None:
        # What was not sent yet need not be: whoever closes wants no answer.
        if self._sender is not None:
            self._sender.cancel()
        self._writer.transport.abort()


class AsyncConnection:
    """A connection to a Glyphwire server: frames go in, their text comes out. :func:`connect_async` makes one.

    :meth:`read` does everything for a camera, a video or a list of pictures. With :meth:`send` and :meth:`results`,
    send in one task and read in another: a server that is behind stops reading, and so does :meth:`send` wait;
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
        self._changes: list[asyncio.Future[None]] = []
        self._lines = LineBuffer(line_buffer)
        self._link: _Link | None = None
        #: Held while a message is written, so that the next one follows the whole of it.
        self._sending = asyncio.Lock()
        #: Whether :meth:`close` was called before the stream had ended.
        self._is_dismissed = False
        self._reader: asyncio.Task[None] | None = None

        self._hello: Hello | None = None

    async def _start(self) -> None:
        link = await self._open()
        self._hello = self._stream.hello
        self._reader = asyncio.get_running_loop().create_task(self._run(link))

    @property
    def hello(self) -> Hello:
        """What the server said of itself when it was connected to; later greetings are among :meth:`lines`."""
        assert self._hello is not None
        return self._hello

    async def __aenter__(self) -> AsyncConnection:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # Frames and results

    async def read(
        self, frames: Iterable[Frame] | AsyncIterable[Frame], *, latest: bool = False
    ) -> AsyncGenerator[Result, None]:
        """Sends frames as they come, and yields one result for each, in order; then the stream is finished.

        With ``latest``, as for a camera, at most two frames are unanswered, and one waits, which a newer one replaces.
        So the delay stays short, also over a slow network. Replaced frames have no result: match the others by the
        ``sequence`` or ``captured_us`` that you give them, not by counting. A frame must not change after it was
        yielded. Do not stop reading results: while ``line_buffer`` of them are unread no answer comes in, and no frame
        waits for one.

        ``frames`` is iterated in a task of its own; let an asynchronous one wait for a camera. What it raises is raised
        here, behind the results of the frames that were sent. Leaving the loop early closes the connection; :meth:`close`,
        from any task, ends the loop, even while ``frames`` waits.
        """
        feeder = asyncio.get_running_loop().create_task(self._feed(frames, latest))
        try:
            async for result in self.results():
                yield result
            if self._is_dismissed:
                return  # who closed wants no more, and the frames may never come
            await feeder
        finally:
            feeder.cancel()
            await asyncio.gather(feeder, self.close(), return_exceptions=True)

    async def _feed(self, frames: Iterable[Frame] | AsyncIterable[Frame], latest: bool) -> None:
        failures: list[Exception] = []
        try:
            await (self._send_latest(frames) if latest else _for_each(frames, self.send))
        except Exception as error:
            failures.append(error)
        try:
            await self.finish()
        except Exception as error:
            failures.append(error)
            await self._shut()
        if failures:
            raise failures[0]

    async def _send_latest(self, frames: Iterable[Frame] | AsyncIterable[Frame]) -> None:
        """Sends the newest frame each time that few enough are unanswered; a task of its own iterates ``frames``."""
        latest = LatestFrame()
        watcher = asyncio.get_running_loop().create_task(self._watch(frames, latest))
        try:
            while True:
                await self._wait_for(
                    lambda: latest.is_due(self._may_send_latest()) or self._stream.end is not None
                )
                if not latest.is_waiting:
                    return latest.raise_failure()
                await self._send(latest.take)
        finally:
            watcher.cancel()
            await asyncio.gather(watcher, return_exceptions=True)

    async def _watch(self, frames: Iterable[Frame] | AsyncIterable[Frame], latest: LatestFrame) -> None:
        """Iterates frames, and keeps the newest."""

        async def put(frame: Frame) -> None:
            latest.put(frame)
            self._change()
            await asyncio.sleep(0)  # so that frames are sent though these do not wait

        failure: Exception | None = None
        try:
            await _for_each(frames, put)
        except Exception as error:
            failure = error
        latest.end(failure)
        self._change()

    async def send(self, frame: Frame) -> int:
        """Sends a frame as soon as the one before is sent, and returns the number that its result will carry.

        A call that is cancelled has sent nothing.
        """
        return await self._send(lambda: frame)

    async def _send(self, take: Callable[[], Frame]) -> int:
        """Sends the frame that is there to be taken when it can be sent."""
        async with self._sending:
            link = await self._wait_until_ready(_wire.FRAME)
            frame = take()
            header, sequence = self._stream.frame(frame)
            # What may change, as the picture in a camera's memory, is sent as it is now.
            link.write(header, bytes(frame.payload), moved=self._stream.heard)
        return sequence

    async def results(self) -> AsyncGenerator[Result, None]:
        """The results of the frames, one for each, until the stream ends.

        A loop may be left and another one begun. Raises :class:`GlyphwireError` when the connection is lost for good.
        """
        async for line in self.lines():
            if isinstance(line, Result):
                yield line

    async def lines(self) -> AsyncGenerator[Line, None]:
        """All lines, results among them; a line is either taken here or from :meth:`results`."""
        while True:
            await self._wait_for(lambda: len(self._lines) > 0 or self._stream.end is not None)
            if self._lines:
                line = self._lines.take()
                self._change()
                yield line
            elif self._stream.end is None or self._stream.end.code == "closed":
                return
            else:
                raise self._stream.end.again()

    # Requests

    async def configure(self, options: Options | Mapping[str, Any]) -> dict[str, Any]:
        """Sets the options for the frames that follow, and returns all that are in force.

        What ``options`` leaves out is back at its default. Raises :class:`GlyphwireError` with ``refused`` where the
        server cannot honour them; those of before stay in force then.
        """
        body = _wire.configure_body(options)
        return cast(Configured, await self._request(_wire.CONFIGURE, _Answer(body), body.options)).options

    async def ping(self, captured_us: int = 0) -> Pong:
        """Asks for a sign of life; ``captured_us`` is your clock, echoed in the answer."""
        return cast(Pong, await self._request(_wire.PING, _Answer(), captured_us=captured_us))

    async def stats(self) -> Stats:
        """Asks how long the stages took so far, on this connection and on the whole server."""
        return cast(Stats, await self._request(_wire.STATS, _Answer()))

    async def finish(self) -> End:
        """Ends the stream: waits until every frame has its result. Those that were not read yet still can be.

        Where it is cancelled before the end was sent, the stream goes on.
        """
        self._lines.finishers += 1
        self._change()
        try:
            return cast(End, await self._request(_wire.END, _Answer()))
        finally:
            if not self._stream.is_finishing:
                self._lines.finishers -= 1
                self._change()

    async def close(self) -> None:
        """Closes the connection at once; :meth:`results` ends behind what was received already."""
        self._is_dismissed |= self._stream.end is None
        await self._shut()

    async def _shut(self) -> None:
        self._fail_requests(self._stream.close(), closed())
        if self._link is not None:
            self._link.close()
        elif self._reader is not None:
            self._reader.cancel()  # it is connecting again, which takes its time
        self._change()
        if self._reader is not None and self._reader is not asyncio.current_task():
            await asyncio.wait([self._reader])

    async def _request(self, type: int, waiter: _Answer, body: bytes = b"", captured_us: int = 0) -> Line:
        async with self._sending:
            link = await self._wait_until_ready(type)
            request = self._stream.request(type, waiter, body, captured_us)
            link.write(request.message, moved=self._stream.heard)
        return answer(await waiter.outcome)

    async def _wait_until_ready(self, type: int) -> _Link:
        """Waits until a message of this type may be sent, and the one before is."""
        while True:
            await self._wait_for(lambda: self._may_send(type) or self._stream.end is not None)
            if self._stream.end is not None:
                raise self._stream.end.again()
            link = self._link
            if self._stream.is_finishing or link is None:
                raise closed()
            is_whole = await link.drained()
            if self._link is link and not is_whole:
                # What comes next waits for another connection instead of being lost on this one.
                self._stream.is_open = False
            elif self._link is link and self._may_send(type):
                return link

    def _may_send(self, type: int) -> bool:
        # Answers that nobody reads do not come in, so they cannot be waited for.
        return self._stream.may_send(type) or (self._stream.is_open and not self._has_room())

    def _may_send_latest(self) -> bool:
        return self._stream.may_send_latest or (self._stream.is_open and not self._has_room())

    # Waiting

    async def _wait_for(self, holds: Callable[[], bool]) -> None:
        """Waits until something that changes with :meth:`_change` holds."""
        while not holds():
            change = asyncio.get_running_loop().create_future()
            self._changes.append(change)
            await change

    def _change(self) -> None:
        for change in self._changes:
            if not change.done():
                change.set_result(None)
        self._changes.clear()

    def _has_room(self) -> bool:
        return self._lines.has_room or self._stream.end is not None

    # The task that reads

    async def _run(self, link: _Link) -> None:
        """Reads lines until the stream is over, over as many connections as that takes."""
        next_link: _Link | None = link
        try:
            while next_link is not None:
                error = await self._read(next_link)
                next_link.close()
                next_link = await self._reconnect(error)
        except BaseException as error:
            self._end(self._stream.broken(error))  # or whoever waits would do so for ever
            raise

    async def _read(self, link: _Link) -> GlyphwireError:
        """Reads lines until there are no more, and says why."""
        try:
            while True:
                if not self._has_room():
                    await self._wait_for(self._has_room)
                    self._stream.heard()
                line = await self._next_line(link)
                if line is None:
                    return self._stream.lost(None)
                self._receive(parse(line, time.monotonic()))
        except OSError as error:
            return self._stream.lost(error)
        except GlyphwireError as error:
            return error

    async def _next_line(self, link: _Link) -> bytes | None:
        """The next line; raises GlyphwireError where the server is silent for too long."""
        reading = asyncio.ensure_future(link.next_line(self._stream.heard))
        try:
            while not reading.done():
                left = self._stream.silence_left(self._answer_timeout)
                if left <= 0:
                    raise self._stream.silent(self._answer_timeout)
                ping_left = self._stream.ping_left(self._ping_interval)
                if ping_left <= 0:
                    self._ping(link)
                else:
                    await asyncio.wait([reading], timeout=min(left, ping_left))
            return reading.result()
        finally:
            reading.cancel()

    def _ping(self, link: _Link) -> None:
        """Sends a ping, unless messages are on their way already."""
        self._stream.put_ping_off()
        if not self._sending.locked():
            link.write(self._stream.ping(_Answer()).message)

    def _receive(self, line: Line) -> None:
        parsed, request = self._stream.received(line)
        if request is None or not request.is_own:
            self._lines.add(parsed, is_known=request is not None)
        if request is not None:
            if request.waiter.body is not None and parsed.type == "configured":
                self._stream.configured(request.waiter.body)
            request.waiter.resolve(parsed)
        self._change()
        error = fatal(parsed)
        if error is not None:
            raise error

    async def _reconnect(self, error: GlyphwireError) -> _Link | None:
        """What comes after a failure: another connection, or nothing."""
        while True:
            self._link = None
            end = self._stream.missing_end(error)
            if end is not None:
                self._receive(end)
            lost, requests, delay = self._stream.failed(error)
            for line in lost:
                self._lines.add(line)
            self._fail_requests(requests, error)
            self._change()
            if delay is None:
                return None
            try:
                await asyncio.wait_for(self._wait_for(lambda: self._stream.end is not None), delay)
                return None
            except asyncio.TimeoutError:
                pass
            try:
                return await self._open()
            except GlyphwireError as failure:
                error = failure

    def _end(self, error: GlyphwireError) -> None:
        """Ends the stream with an error."""
        self._fail_requests(self._stream.close(error), error)
        self._change()

    def _fail_requests(self, requests: list[Request[_Answer]], error: GlyphwireError) -> None:
        for request in requests:
            request.waiter.resolve(error)

    # Connecting

    async def _open(self) -> _Link:
        """Connects, waits for the greeting, and has the server take the options."""
        deadline = time.monotonic() + self._timeout
        link = await self._open_link(deadline)
        # Before Python 3.12, `wait_for` suppresses a cancellation that meets the end of what it waits for (bpo-37658).
        self._drop_if_ended(link)
        try:
            await asyncio.wait_for(self._greet(link), deadline - time.monotonic())
        except asyncio.TimeoutError as error:
            link.close()
            raise self._stream.not_greeted(self._timeout) from error
        except OSError as error:
            link.close()
            raise self._stream.not_opened(error) from error
        except BaseException:
            link.close()
            raise
        self._drop_if_ended(link)
        self._link = link
        self._stream.opened()
        self._change()
        return link

    def _drop_if_ended(self, link: _Link) -> None:
        """Closes a link that was made while the stream ended."""
        if self._stream.end is not None:
            link.close()
            raise self._stream.end.again()

    async def _open_link(self, deadline: float) -> _Link:
        try:
            reader, writer = await asyncio.wait_for(self._open_streams(deadline), self._timeout)
        except asyncio.TimeoutError as error:
            raise self._stream.cannot_connect(OSError("timed out")) from error
        except (OSError, UnicodeError) as error:
            raise self._stream.cannot_connect(error) from error
        return _Link(reader, writer, self._max_line_bytes)

    async def _open_streams(self, deadline: float) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        plain = await self._connect(deadline)
        name = None if self._tls is None else self._host
        return await asyncio.open_connection(sock=plain, limit=_READ_LIMIT, ssl=self._tls, server_hostname=name)

    async def _connect(self, deadline: float) -> socket.socket:
        """Connects to the first of the host's addresses that answers, each in its share of the time that is left."""
        failure = OSError("the host has no address")
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        for tried, (family, type, protocol, _, address) in enumerate(found):
            share = (deadline - time.monotonic()) / (len(found) - tried)
            try:
                return await asyncio.wait_for(_connected(socket.socket(family, type, protocol), address), share)
            except asyncio.TimeoutError:
                failure = OSError("timed out")
            except OSError as error:
                failure = error
        raise failure

    async def _greet(self, link: _Link) -> None:
        line = await link.next_line()
        if line is None:
            raise self._stream.closed_before_greeting()
        self._lines.add(self._stream.greeted(line), is_known=True)
        for options in self._stream.opening():
            await self._have_taken(options, link)

    async def _have_taken(self, options: bytes, link: _Link) -> None:
        """Sends options, and waits until the server has taken them."""
        waiter = _Answer()
        request = self._stream.options(waiter, options)
        link.write(request.message)
        while not waiter.outcome.done():
            line = await link.next_line()
            if line is None:
                raise self._stream.lost(None)
            self._receive(parse(line, time.monotonic()))
        try:
            answer(waiter.outcome.result())
        except GlyphwireError as error:
            # They stay wrong, however often they are sent.
            self._stream.end = error
            raise


async def _for_each(
    frames: Iterable[Frame] | AsyncIterable[Frame], use: Callable[[Frame], Awaitable[object]]
) -> None:
    if isinstance(frames, AsyncIterable):
        async for frame in frames:
            await use(frame)
    else:
        for frame in frames:
            await use(frame)


async def _connected(plain: socket.socket, address: tuple[Any, ...]) -> socket.socket:
    """The socket, connected to an address with all its parts: in IPv6 the scope is one."""
    try:
        plain.setblocking(False)
        await asyncio.get_running_loop().sock_connect(plain, address)
    except BaseException:
        plain.close()
        raise
    return plain


async def connect_async(
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
) -> AsyncConnection:
    """Connects to a Glyphwire server; its parameters and errors are those of :func:`glyphwire.connect`."""
    body = None if options is None else _wire.configure_body(options)
    stream: Stream[_Answer] = Stream(host, port, body, reconnect)
    timeouts = connect_timeout, answer_timeout, ping_interval
    connection = AsyncConnection(stream, host, port, *timeouts, max_line_bytes, line_buffer, context(tls))
    await connection._start()
    return connection
