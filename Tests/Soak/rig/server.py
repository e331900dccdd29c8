"""A server that is watched while it runs."""

import asyncio
import os
import pathlib
import re
import signal
import sys
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[3]

#: Seconds that a thread has to live to count as one that stays; compiling a network starts threads for its time.
LASTING = 10


@dataclass(frozen=True)
class Sample:
    """What the system says of a process at one moment."""

    seconds: float
    resident: int
    descriptors: int
    #: Those that have lived for LASTING seconds, or all while the process is younger.
    threads: int
    processor: float


class Server:
    """A `glyphwire serve` of this build, on a free port unless told otherwise."""

    def __init__(self, process, port, log):
        self.process = process
        self.port = port
        self.log = log
        self.samples = []
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
        fields = stat(folder)
        ages = [age(f"{folder}/task/{thread}") for thread in os.listdir(f"{folder}/task")]
        least = LASTING if age(folder) > LASTING else 0
        sample = Sample(
            seconds=asyncio.get_running_loop().time() - self._begin,
            resident=int(fields[21]) * os.sysconf("SC_PAGE_SIZE"),
            descriptors=len(os.listdir(f"{folder}/fd")),
            threads=sum(age >= least for age in ages),
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


def stat(folder):
    """What the system says of the process or thread of a folder of /proc, from its state on; see proc(5)."""
    with open(f"{folder}/stat") as file:
        return file.read().rpartition(")")[2].split()


def age(folder):
    """Seconds for which the process or thread of a folder of /proc has lived; 0 if it has ended."""
    try:
        began = int(stat(folder)[19]) / os.sysconf("SC_CLK_TCK")
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - began


def program(name="glyphwire"):
    """The path of a program of this build, or of the one that GLYPHWIRE_PROGRAM is of."""
    path = pathlib.Path(os.environ.get("GLYPHWIRE_PROGRAM") or ROOT / ".build/release/glyphwire").with_name(name)
    if not path.exists():
        sys.exit(f"soak: {path} is not there: run 'make build'")
    return str(path)
