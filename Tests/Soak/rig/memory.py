"""Eight streams of raw pictures, in little memory; and how much a worker needs."""

import asyncio
import contextlib
import itertools
import os
import pathlib
import tempfile

from .frames import pictures
from .report import Report
from .server import Server, program
from .stream import Account, Stream, Wrong

CAMERAS = 8
LIMIT = 512 << 20
#: What networks get of so much memory unless told otherwise, and of much.
NETWORKS = ("256M", None)
BGRA = 3


async def run(seconds, seed, out):
    report, account = Report(), Account()
    with tempfile.TemporaryDirectory() as folder:
        raw = [picture for picture in pictures(folder, largest=16 << 20) if picture.format == BGRA]
    raw = [picture for picture in raw if picture.width >= 640]
    with _limited(LIMIT) as group:
        options = ["--levels", "fast"]
        server = await Server.start(program(), *options, log=out / "memory.log", before=group.words)
        try:
            watch = asyncio.create_task(server.watch())
            end = asyncio.get_running_loop().time() + seconds
            cameras = [_camera(server, raw, account, number, end) for number in range(CAMERAS)]
            for error in await asyncio.gather(*cameras, return_exceptions=True):
                if error is not None:
                    account.complain(repr(error))
            watch.cancel()
            lives = server.is_running
        finally:
            code = await server.stop()
        report.tell_account(account)
        counts = account.counts
        answered = sum(counts[f"frames {status}"] for status in ("ok", "error", "dropped", "expired"))
        report.require(not account.wrong, "no stream breaks")
        report.require(counts["frames sent"] == answered, f"{counts['frames sent']} frames sent = {answered} answered")
        report.require(counts["frames ok"] > 0, f"{counts['frames ok']} of them are read")
        report.require(counts["frames dropped"] + counts["frames error"] > 0, "the others are told as dropped or refused")
        report.require(lives and code == 0, f"the server lives, and ends with {code}")
        if server.samples:
            report.tell(f"resident: at most {max(sample.resident for sample in server.samples) >> 20} MiB of {LIMIT >> 20}")
        report.require(group.killed() == 0, f"the kernel has killed {group.killed()} processes; {group.name}")
    for networks in NETWORKS:
        for workers in (1, 2, 4):
            resident = await _resident(workers, networks, raw, out) >> 20
            told = f"--network-memory {networks}" if networks else "as much as there is"
            report.tell(f"{resident:>9}  MiB resident with {workers} workers, one stream on each; {told}")
    return report


async def _camera(server, raw, account, number, end):
    """Sends pictures as fast as the socket takes them."""
    loop = asyncio.get_running_loop()
    stream = await Stream.connect(server.port, account, {"clock_offset_us": 0})

    async def send():
        for picture in itertools.cycle(raw[number % len(raw) :] + raw[: number % len(raw)]):
            if loop.time() > end:
                break
            await stream.send_picture(picture)
            await asyncio.sleep(0.02)

    sending = asyncio.create_task(send())
    try:
        while not (sending.done() and not stream.unanswered):
            if not stream.unanswered:
                await asyncio.sleep(0.01)
            elif (answered := await stream.answer()) is None:
                raise Wrong("the server closed a connection in the middle")
            elif answered[0].get("fatal"):
                raise Wrong(f"refused: {answered[0]}")
        await sending
        async for _ in stream.finish():
            pass
    finally:
        sending.cancel()
        stream.close()


async def _resident(workers, networks, raw, out):
    """The most memory that a server of so many workers takes, each with a stream."""
    options = ["--levels", "fast", "--workers", str(workers), *(["--network-memory", networks] if networks else [])]
    server = await Server.start(program(), *options, log=out / "memory.log")
    try:
        account, end = Account(), asyncio.get_running_loop().time() + 15
        await asyncio.gather(*(_camera(server, raw, account, number, end) for number in range(workers)))
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) << 10
    finally:
        await server.stop()


class _Group:
    """A limit on memory: the words to start a program with, and what became of it."""

    def __init__(self, name, words, events=None, field="oom_kill"):
        self.name = name
        self.words = words
        self._events = events
        self._field = field

    def killed(self):
        if self._events is None:
            return 0
        fields = dict(line.split() for line in self._events.read_text().splitlines())
        return int(fields.get(self._field, 0))


@contextlib.contextmanager
def _limited(limit):
    """A control group of either version where this user may make one, or a limit on address space."""
    enter = 'echo $$ > "$0/cgroup.procs" && exec "$@"'
    first = pathlib.Path("/sys/fs/cgroup/memory")
    second = pathlib.Path("/sys/fs/cgroup")
    name = f"glyphwire-soak-{os.getpid()}"
    for root, file, events in (
        (first, "memory.limit_in_bytes", "memory.oom_control"),
        (second, "memory.max", "memory.events"),
    ):
        group = root / name
        try:
            group.mkdir()
            (group / file).write_text(str(limit))
        except OSError:
            with contextlib.suppress(OSError):
                group.rmdir()
            continue
        try:
            yield _Group(f"control group {group}", ["sh", "-c", enter, str(group)], group / events)
        finally:
            group.rmdir()
        return
    words = ["systemd-run", "--user", "--scope", "--quiet", f"--property=MemoryMax={limit}", "--property=MemorySwapMax=0"]
    yield _Group("a scope of the user's systemd", words)
