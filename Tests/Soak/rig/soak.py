"""Everything at once, for as long as one likes."""

import asyncio
import tempfile

from .clients import Client, deaf, quiet, stranger
from .frames import pictures
from .report import Report
from .server import Server, program
from .stream import Account

CLIENTS = 8

#: Networks for all the pictures' sizes take more than a server keeps. What it keeps should be reached before the first tenth
#: of the time is over, since all memory after that is held against it: with the usual bound that takes most of half an hour.
NETWORK_MEMORY = 500_000_000


async def run(seconds, seed, out):
    report, account = Report(), Account()
    with tempfile.TemporaryDirectory() as folder:
        found = pictures(folder)
    server = await Server.start(program(), "--network-memory", str(NETWORK_MEMORY), log=out / "soak.log")
    try:
        expected = await quiet(server.port, found, Account(), ["fast", "accurate"])
        await asyncio.sleep(3)
        idle = server.sample().descriptors
        server.samples.clear()
        clients = [Client(server.port, found, expected, account, seed + number) for number in range(CLIENTS)]
        good = [asyncio.create_task(client.run()) for client in clients]
        bad = [
            asyncio.create_task(server.watch()),
            asyncio.create_task(stranger(server.port, account, seed)),
            asyncio.create_task(deaf(server.port, account)),
        ]
        await asyncio.wait([*good, *bad], timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        for client in clients:
            client.is_stopped = True
        await asyncio.wait(good, timeout=120)
        for task in bad:
            task.cancel()
        ended = await asyncio.gather(*good, *bad, return_exceptions=True)
        for error in ended:
            if isinstance(error, Exception) and not isinstance(error, asyncio.CancelledError):
                account.complain(repr(error))
        # The server needs a moment to let go of those who went without a word.
        for _ in range(60):
            await asyncio.sleep(1)
            if (left := server.sample().descriptors) <= idle:
                break
        report.tell(f"{len(found)} pictures, {server.samples[-1].processor:.0f} s of processor time")
        report.tell_account(account)
        sent = account.counts["frames sent"]
        answered = sum(account.counts[f"frames {status}"] for status in ("ok", "error", "dropped", "expired"))
        given_up = account.counts["frames given up by the client"]
        report.require(not account.wrong, "every message is answered once, in order, and as in the quiet run")
        report.require(sent == answered + given_up, f"{sent} frames sent = {answered} answered + {given_up} given up")
        report.require_steady(server.samples, out / "soak.csv")
        report.require(left <= idle, f"{left} descriptors when all have gone, {idle} before they came")
    finally:
        code = await server.stop()
    report.require(code == 0, f"the server ends with {code}")
    return report
