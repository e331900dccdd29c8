"""Clients as they are in life: most mean well, some are slow, some break, and some have the wrong port."""

import asyncio
import contextlib
import random

from .frames import PING, STATS, message
from .stream import Stream, Wrong, reading

OPTIONS = {"delivery": "every", "temporal": False}


async def quiet(port, pictures, account, levels):
    """Reads each picture by itself, one at a time, at each level: what it must read as whatever else goes on."""
    expected = {}
    for level in levels:
        stream = await Stream.connect(port, account, OPTIONS | {"level": level})
        for picture in pictures:
            await stream.send_picture(picture)
            line, _ = await stream.answer()
            expected[picture.name, level] = reading(line)
        async for _ in stream.finish():
            pass
        stream.close()
    return expected


class Client:
    """A client of the soak: connects, does as chance has it, and comes back, until it is told to stop."""

    def __init__(self, port, pictures, expected, account, seed):
        self.port = port
        self.pictures = pictures
        self.expected = expected
        self.account = account
        self.chance = random.Random(seed)
        self.is_stopped = False

    async def run(self):
        while not self.is_stopped:
            try:
                await self.chance.choice([self.steady, self.steady, self.live, self.cut, self.corrupt, self.slow])()
            except Wrong as error:
                self.account.complain(str(error))
            except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
                self.account.complain(f"a connection that was not to end broke: {error!r}")

    async def steady(self):
        """Sends frames, a few at a time, and holds each result against the quiet one."""
        level = self.chance.choices(["fast", "accurate"], [30, 1])[0]
        await self._play(level, count=self.chance.randint(1, 60))

    async def slow(self):
        """The same, with pauses in which nothing is read."""
        await self._play("fast", count=self.chance.randint(5, 30), pause=self.chance.uniform(0.5, 6))

    async def corrupt(self):
        """The same, with some payloads damaged: those are answered somehow, the others as ever."""
        await self._play("fast", count=self.chance.randint(5, 40), damage=0.3)

    async def _play(self, level, count, pause=0, damage=0):
        stream = await Stream.connect(self.port, self.account, OPTIONS | {"level": level})
        try:
            for _ in range(count):
                if self.is_stopped:
                    break
                picture = self.chance.choice(self.pictures)
                if self.chance.random() < damage:
                    await stream.send_picture(picture, payload=self._damaged(picture.payload))
                else:
                    await stream.send_picture(picture, note=(picture.name, level))
                if self.chance.random() < 0.05:
                    await stream.send(self.chance.choice([PING, STATS]))
                if pause and self.chance.random() < 0.2:
                    await asyncio.sleep(pause)
                while len(stream.unanswered) > 3:
                    self._check(await stream.answer())
            async for answered in stream.finish():
                self._check(answered)
        finally:
            stream.close()

    async def live(self):
        """A camera: frames at its own pace, compared with those before them, of which the newest are read."""
        stream = await Stream.connect(self.port, self.account, {"refresh_ms": 500, "clock_offset_us": 0})
        pause, picture = self.chance.uniform(0.01, 0.1), self.chance.choice(self.pictures)

        async def send():
            for _ in range(self.chance.randint(20, 200)):
                if self.is_stopped:
                    return
                await stream.send_picture(picture if self.chance.random() < 0.9 else self.chance.choice(self.pictures))
                await asyncio.sleep(pause)

        sending = asyncio.create_task(send())
        try:
            while not (sending.done() and not stream.unanswered):
                if stream.unanswered:
                    self._check(await stream.answer())
                else:
                    await asyncio.sleep(pause)
            await sending
            async for answered in stream.finish():
                self._check(answered)
        finally:
            sending.cancel()
            stream.close()

    async def cut(self):
        """Goes away in the middle of a message, with frames unanswered."""
        stream = await Stream.connect(self.port, self.account, OPTIONS)
        for _ in range(self.chance.randint(0, 5)):
            await stream.send_picture(self.chance.choice(self.pictures))
        whole = self.chance.choice(self.pictures).message(1)
        stream.writer.write(whole[: self.chance.randrange(len(whole))])
        with contextlib.suppress(ConnectionError):
            await stream.writer.drain()
        await asyncio.sleep(self.chance.uniform(0, 0.5))
        stream.abort()

    def _damaged(self, payload):
        damaged = bytearray(payload)
        for _ in range(self.chance.randint(1, 64)):
            damaged[self.chance.randrange(len(damaged))] = self.chance.randrange(256)
        if self.chance.random() < 0.3:
            del damaged[self.chance.randrange(1, len(damaged) + 1) :]
        return bytes(damaged)

    def _check(self, answered):
        if answered is None:
            raise Wrong("the server closed a connection in the middle")
        line, note = answered
        if line.get("fatal"):
            raise Wrong(f"refused: {line}")
        if note is not None and reading(line) != self.expected[note]:
            raise Wrong(f"{note} reads otherwise than in the quiet run: {str(line)[:300]}")
        if note is not None:
            self.account.add("results equal to the quiet run")


async def stranger(port, account, seed):
    """Connects with another protocol in mind, or none, over and over: one line says what is wrong, and that is it."""
    chance = random.Random(seed)
    greetings = [b"GET / HTTP/1.1\r\nHost: camera\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"\0" * 64]
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            # Chance may write the beginning of a message that the server has to wait for.
            with contextlib.suppress(ConnectionError, TimeoutError):
                await reader.readline()
                writer.write(chance.choice([*greetings, b"\xff" * 8, chance.randbytes(200)]))
                await writer.drain()
                if chance.random() < 0.5:
                    await asyncio.wait_for(reader.readline(), 5)
        finally:
            writer.close()
        account.add("strangers")
        await asyncio.sleep(chance.uniform(0, 1))


async def deaf(port, account):
    """Asks for lines and reads none: is shown out, sooner or later, and comes back."""
    pings = message(PING) * 1000
    while True:
        _, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        try:
            while True:
                writer.write(pings)
                await writer.drain()
        except ConnectionError:
            account.add("clients shown out that read nothing")
        finally:
            writer.transport.abort()
