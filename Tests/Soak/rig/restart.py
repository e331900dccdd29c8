"""A server that is killed without a word, and started again, while clients stream to it."""

import asyncio
import statistics
import tempfile
from collections import Counter

from .camera import Camera, glyphwire
from .frames import pictures
from .report import Report
from .server import Server, program

CLIENTS = 8
POLICY = glyphwire.ReconnectPolicy(max_attempts=1000, max_delay=0.4)


async def run(seconds, seed, out):
    report, loop = Report(), asyncio.get_running_loop()
    with tempfile.TemporaryDirectory() as folder:
        # One small picture: what is measured is the way back, not reading or getting ready for other sizes.
        found = [picture for picture in pictures(folder) if picture.name.startswith("104")]
    server = await Server.start(program(), log=out / "restart.log")
    state = {"ready": loop.time(), "end": loop.time() + seconds}
    port, counts, gaps, usual = server.port, Counter(), [], []
    clients = [Client(port, found, counts, state, gaps) for _ in range(CLIENTS)]
    running = [asyncio.create_task(client.run()) for client in clients]
    kills = 0
    while loop.time() < state["end"]:
        await asyncio.sleep(5)
        await server.kill()
        kills += 1
        server = await Server.start(program(), log=out / "restart.log", port=port)
        state["ready"] = loop.time()
        state["number"] = kills
        # How long it takes somebody who connects now, beside all the others.
        async with await glyphwire.connect_async("127.0.0.1", port, options={"delivery": "every"}) as connection:
            async for _ in connection.read([glyphwire.Frame(found[0].payload)]):
                usual.append(loop.time() - state["ready"])
        while len(gaps) < kills * CLIENTS and loop.time() < state["ready"] + 60:
            await asyncio.sleep(0.1)
    for client in clients:
        client.is_stopped = True
    wrong = [repr(error) for error in await asyncio.gather(*running, return_exceptions=True) if error is not None]
    code = await server.stop()
    for what, number in sorted(counts.items()):
        report.tell(f"{number:>9}  {what}")
    report.require(not wrong, f"no client gives up {wrong}")
    results = sum(number for what, number in counts.items() if what != "sent")
    report.require(counts["sent"] == results, f"{counts['sent']} frames sent = {results} results, {kills} times killed")
    report.require(counts["connection_lost"] > 0, "frames were on their way when the server was killed, and are told as lost")
    report.require(len(gaps) >= kills * CLIENTS, f"{len(gaps)} times a client went on")
    slowest, median = max(gaps, default=0), statistics.median(gaps or [0])
    report.tell(f"a new client has its first result {max(usual):.2f} s after the server is ready, or sooner")
    report.require(slowest <= max(usual) + 1, f"those that were there, {slowest:.2f} s or sooner (median {median:.2f} s)")
    report.require(code == 0, f"the server ends with {code}")
    return report


class Client(Camera):
    """A camera that notes how long after each start of the server it has a frame read again."""

    def __init__(self, port, found, counts, state, gaps):
        super().__init__("127.0.0.1", port, found, counts, POLICY)
        self.state = state
        self.gaps = gaps
        self.seen = 0

    async def run(self):
        await super().run()
        if self.sequences != sorted(set(self.sequences)):
            raise AssertionError("results are out of order, or there are two for a frame")

    def received(self, result):
        super().received(result)
        if result.is_ok and self.state.get("number", 0) > self.seen:
            self.seen = self.state["number"]
            self.gaps.append(asyncio.get_running_loop().time() - self.state["ready"])
