"""A client that measures the clock of its server, as rules T1 to T5 of Protocol.md have it."""

import json
import time

from .frames import CONFIGURE, PING
from .half_open import preamble
from .stream import Stream, Wrong

#: Milliseconds that a frame may be old when it is read on a busy machine. A clock that is set moves an age by hours.
OLDEST = 30_000
#: What is read is of no matter here.
OPTIONS = {"delivery": "every", "recognize": False}


class ClockCheck:
    """A connection to a server, past the proxy, that tells how old its frames are."""

    def __init__(self, stream, picture):
        self.stream = stream
        self.picture = picture
        #: How many seconds the server's clock is ahead of this one.
        self.offset = None
        #: The ages of the frames, in milliseconds.
        self.ages = []

    @classmethod
    async def connect(cls, target, account, picture):
        header = preamble(("127.0.0.1", 9), target)
        return cls(await Stream.connect(target[1], account, OPTIONS, host=target[0], preamble=header), picture)

    async def measure(self):
        """Measures the offset of the server's clock, and has a frame read whose age is counted by it."""
        await self._ping()
        options = OPTIONS | {"clock_offset_us": int(self.offset * 1e6)}
        await self.stream.send(CONFIGURE, json.dumps(options).encode())
        await self._answer()
        await self.stream.send_picture(self.picture)
        self.ages.append((await self._answer())["age_ms"])

    async def _ping(self):
        sent = time.time()
        await self.stream.send(PING, captured_us=int(sent * 1e6))
        pong = await self._answer()
        there, back = pong["received_us"] / 1e6 - sent, pong["sent_us"] / 1e6 - time.time()
        self.offset = (there + back) / 2

    async def _answer(self):
        answered = await self.stream.answer()
        if answered is None or answered[0].get("status", "ok") != "ok" or answered[0]["type"] == "error":
            raise Wrong(f"a clock was set, and the server answers {answered}")
        return answered[0]

    async def finish(self):
        async for _ in self.stream.finish():
            pass
        self.stream.close()
