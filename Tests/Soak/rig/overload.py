"""Ten times what can be read, on eight cameras."""

import asyncio
import itertools
import tempfile

from .frames import pictures
from .report import Report
from .server import Server, program
from .stream import Account, Stream, Wrong

CAMERAS = 8
FACTOR = 10
#: Frames are read one by one, and at the slower level, so that ten times as many are no burden to whoever sends them.
OPTIONS = {"level": "accurate", "temporal": False, "clock_offset_us": 0}


async def run(seconds, seed, out):
    report, account = Report(), Account()
    with tempfile.TemporaryDirectory() as folder:
        found = [picture for picture in pictures(folder) if picture.name.startswith("demo")]
    server = await Server.start(program(), log=out / "overload.log")
    try:
        capacity = await _capacity(server, found, min(20, seconds / 4))
        interval = CAMERAS / (capacity * FACTOR)
        server.samples.clear()
        watch = asyncio.create_task(server.watch())
        loop = asyncio.get_running_loop()
        begin = loop.time()
        ages = []
        cameras = [
            _camera(server, found, account, begin + number * interval / CAMERAS, interval, begin + seconds, ages)
            for number in range(CAMERAS)
        ]
        for error in await asyncio.gather(*cameras, return_exceptions=True):
            if error is not None:
                account.complain(repr(error))
        took = loop.time() - begin
        watch.cancel()
        report.tell_account(account)
        counts = account.counts
        rate = counts["frames ok"] / took
        sent = counts["frames sent"]
        report.tell(f"{capacity:.1f} frames a second can be read; {sent / took:.1f} were sent, {rate:.1f} read")
        report.require(sent / took > 0.9 * FACTOR * capacity, f"{sent / took / capacity:.1f} times the capacity is offered")
        report.require(rate > 0.7 * capacity, f"{rate / capacity:.2f} of the capacity is used")
        report.require(sent == counts["frames ok"] + counts["frames dropped"], "every frame is read, or told as dropped")
        report.require(not account.wrong, "each once, and in order")
        fifth = len(ages) // 5
        first, last = sorted(ages[:fifth]), sorted(ages[-fifth:])
        # One frame of each camera may be in work or in front, and one more of each as it is being read.
        bound = 1000 * 2 * (CAMERAS + 1) / rate
        p99 = sorted(ages)[len(ages) * 99 // 100]
        report.require(p99 <= bound, f"99 % of results are {p99} ms old or less; 2 rounds of the cameras are {bound:.0f} ms")
        middle = (first[len(first) // 2], last[len(last) // 2])
        report.require(
            middle[1] <= 1.25 * middle[0], f"half are {middle[0]} ms old or less in the first fifth, {middle[1]} in the last"
        )
        report.require_steady(server.samples, out / "overload.csv")
    finally:
        code = await server.stop()
    report.require(code == 0, f"the server ends with {code}")
    return report


async def _capacity(server, found, seconds):
    """Frames a second that are read when there is always one more."""
    account, loop = Account(), asyncio.get_running_loop()
    end = loop.time() + seconds

    async def send():
        stream = await Stream.connect(server.port, account, OPTIONS | {"delivery": "every"})
        for picture in itertools.cycle(found):
            if loop.time() > end:
                break
            await stream.send_picture(picture)
            while len(stream.unanswered) > 2:
                await stream.answer()
        async for _ in stream.finish():
            pass
        stream.close()

    begin = loop.time()
    await asyncio.gather(*(send() for _ in range(CAMERAS)))
    return account.counts["frames ok"] / (loop.time() - begin)


async def _camera(server, found, account, begin, interval, end, ages):
    """Sends frames when they are due, and notes how old each result is."""
    loop = asyncio.get_running_loop()
    stream = await Stream.connect(server.port, account, OPTIONS)

    async def send():
        for number, picture in enumerate(itertools.cycle(found)):
            due = begin + number * interval
            if due > end:
                break
            await asyncio.sleep(due - loop.time())
            await stream.send_picture(picture)

    sending = asyncio.create_task(send())
    try:
        while not (sending.done() and not stream.unanswered):
            if not stream.unanswered:
                await asyncio.sleep(interval)
                continue
            answered = await stream.answer()
            if answered is None:
                raise Wrong("the server closed a connection in the middle")
            if answered[0]["status"] == "ok":
                ages.append(answered[0]["age_ms"])
        await sending
        async for _ in stream.finish():
            pass
    finally:
        sending.cancel()
        stream.close()
