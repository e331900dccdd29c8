"""A camera of our Python client."""

import asyncio
import itertools
import sys
import time

from .server import ROOT

sys.path.insert(0, str(ROOT / "clients/python"))
import glyphwire  # noqa: E402


class Camera:
    """Streams until it is told to stop, through whatever happens to its server and to the network."""

    def __init__(self, host, port, found, counts, policy, options=None, **timeouts):
        self.address = (host, port)
        self.found = found
        self.counts = counts
        self.settings = {"options": {"delivery": "every"} | (options or {}), "reconnect": policy} | timeouts
        self.is_stopped = False
        self.sequences = []
        #: When each frame was read.
        self.read_at = []
        #: The capture times of the frames that were sent.
        self.captured = []

    async def run(self):
        connection = await glyphwire.connect_async(*self.address, **self.settings)
        async with connection:
            async for result in connection.read(self.frames()):
                self.received(result)

    async def frames(self):
        for picture in itertools.cycle(self.found):
            if self.is_stopped:
                return
            self.counts["sent"] += 1
            self.captured.append(int(time.time() * 1e6))
            yield glyphwire.Frame(picture.payload, orientation=picture.orientation, captured_us=self.captured[-1])
            await asyncio.sleep(0.2)

    def received(self, result):
        self.sequences.append(result.sequence)
        self.counts[result.status if result.is_ok else result.code or result.status] += 1
        if result.is_ok:
            self.read_at.append(time.monotonic())

    def gap(self, since):
        """The longest time without a result since a moment."""
        times = [since, *(at for at in self.read_at if since < at), time.monotonic()]
        return max(after - before for before, after in zip(times, times[1:]))
