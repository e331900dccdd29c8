"""A server that has no descriptor left for another connection, and no room on its disk for another line of its log."""

import asyncio
import contextlib
import itertools
import tempfile

from .frames import pictures
from .report import Report
from .server import Server, program
from .stream import Account, Stream

DESCRIPTORS = 64
VISITORS = 300


async def run(seconds, seed, out):
    report, account = Report(), Account()
    with tempfile.TemporaryDirectory() as folder:
        found = [picture for picture in pictures(folder) if picture.name.startswith("1")]
    before = ["prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}"]
    options = ["--levels", "fast", "--log-level", "debug"]
    server = await Server.start(program(), *options, log="/dev/full", before=before)
    try:
        stream = await Stream.connect(server.port, account, {"delivery": "every"})
        begin = server.sample()
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        rounds = greeted = 0
        while loop.time() < end:
            visitors = await asyncio.gather(*(_visit(server.port) for _ in range(VISITORS)))
            for picture in itertools.islice(itertools.cycle(found), 40):
                await stream.send_picture(picture)
                await stream.answer()
            greeted += sum(bool(line) for _, line in visitors)
            for writer, _ in visitors:
                if writer:
                    writer.transport.abort()
            rounds += 1
        server.sample()
        async for _ in stream.finish():
            pass
        stream.close()
        await asyncio.sleep(2)
        after = await asyncio.wait_for(Stream.connect(server.port, account), 30)
        after.close()
        report.tell_account(account)
        sent, answered = account.counts["frames sent"], account.counts["frames ok"]
        report.tell(f"{DESCRIPTORS} descriptors; {rounds} times {VISITORS} visitors at once, {greeted} were greeted")
        report.require(sent == answered > 0, f"the stream that was there first has {answered} of {sent} frames read")
        report.require(greeted < rounds * VISITORS, "some visitors found no room")
        report.require(after.hello["type"] == "hello", "when they have gone, the next one is greeted")
        spent = (server.samples[-1].processor - begin.processor) / (server.samples[-1].seconds - begin.seconds)
        report.tell(f"{spent:.2f} processors were in use on the way")
    finally:
        code = await server.stop()
    report.require(code == 0, f"the server, whose log finds no room, ends with {code}")
    return report


async def _visit(port):
    """Connects and sends nothing; the connection and the greeting, as far as there is any."""
    with contextlib.suppress(OSError, asyncio.TimeoutError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            return writer, await asyncio.wait_for(reader.readline(), 1)
        except (OSError, asyncio.TimeoutError):
            return writer, b""
    return None, b""
