"""A server that is watched while it runs."""

import asyncio
import os
import pathlib
import re
import signal
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Sample:
    """What the system says of a process at one moment."""

    seconds: float
    resident: int
    descriptors: int
    #: Those that were there at the sample before, too.
    threads: int
    processor: float


class Server:
    """A `glyphwire serve` of this build, on a free port unless told otherwise."""

    def __init__(self, process, port, log):
        self.process = process
        self.port = port
        self.log = log
        self.samples = []
        self._threads = set()
        self._begin = asyncio.get_running_loop().time()

    @classmethod
    async def start(cls, program, *options, log, port=0, before=()):
        """Starts a server and waits until it is ready; `before` are words in front of the command, such as `env`."""
        errors = open(log, "ab")
        process = await asyncio.create_subprocess_exec(
            *before, program, "serve", "--port", str(port), *options,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=errors,
        )  # fmt: skip
        errors.close()
        ready = (await process.stdout.readline()).decode()
        found = re.search(r"listening on \S+:(\d+)", ready)
        if not found:
            await process.wait()
            raise SystemExit(f"soak: the server did not start; see {log}")
        return cls(process, int(found[1]), log)

    def sample(self):
        """Looks at the process now."""
        folder = f"/proc/{self.process.pid}"
        # Compiling a network starts threads for its time; what counts are those that stay.
        threads = set(os.listdir(f"{folder}/task"))
        lasting = threads & self._threads if self._threads else threads
        self._threads = threads
        with open(f"{folder}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        sample = Sample(
            seconds=asyncio.get_running_loop().time() - self._begin,
            resident=int(fields[21]) * os.sysconf("SC_PAGE_SIZE"),
            descriptors=len(os.listdir(f"{folder}/fd")),
            threads=len(lasting),
            processor=(int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"),
        )
        self.samples.append(sample)
        return sample

    async def watch(self, pause=1.0):
        """Samples until it is cancelled."""
        while True:
            self.sample()
            await asyncio.sleep(pause)

    @property
    def is_running(self):
        return self.process.returncode is None

    async def stop(self, within=60):
        """Asks the server to end; its exit code, or None if it has to be killed."""
        if self.is_running:
            self.process.send_signal(signal.SIGTERM)
        try:
            return await asyncio.wait_for(self.process.wait(), within)
        except asyncio.TimeoutError:
            await self.kill()
            return None

    async def kill(self):
        """Ends the server without a word."""
        self.process.kill()
        await self.process.wait()


def program(name="glyphwire"):
    """The path of a program of this build, or of the one that GLYPHWIRE_PROGRAM is of."""
    path = pathlib.Path(os.environ.get("GLYPHWIRE_PROGRAM") or ROOT / ".build/release/glyphwire").with_name(name)
    if not path.exists():
        sys.exit(f"soak: {path} is not there: run 'make build'")
    return str(path)
