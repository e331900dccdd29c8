"""A host of cameras, seen from the test: a process in another network namespace."""

import asyncio
import json
import os
import pathlib
import pickle
import sys
from collections import Counter


class Host:
    """Runs `rig.remote`, and keeps what it reports."""

    def __init__(self, process, cameras):
        self.process = process
        #: The results of each camera, in order.
        self.results = [[] for _ in range(cameras)]
        #: How many frames each camera has sent, and why it gave up, once it has ended.
        self.ends = {}
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, namespace, setup, file, log, environment=None):
        """Starts the cameras of `setup`, which is left in a file for them."""
        file.write_bytes(pickle.dumps(setup))
        with open(log, "ab") as errors:
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-B", "-m", "rig.remote", str(file),
                cwd=pathlib.Path(__file__).resolve().parents[1], env=os.environ | (environment or {}),
                preexec_fn=namespace.enter,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=errors,
            )  # fmt: skip
        return cls(process, len(setup.cameras))

    async def _read(self):
        async for line in self.process.stdout:
            record = json.loads(line)
            if "sent" in record:
                self.ends[record["camera"]] = record
            else:
                self.results[record["camera"]].append(record)

    @property
    def is_running(self):
        return self.process.returncode is None

    @property
    def counts(self):
        """How often each outcome was reported, by all cameras."""
        return Counter(record["outcome"] for results in self.results for record in results)

    def returns(self, since):
        """For each camera when the first frame that it sent after a moment was read; None if none was yet."""
        return [_first_read(results, since) for results in self.results]

    async def stop(self, within=60):
        """Ends the streams; the exit code, or None if the process has to be killed."""
        self.process.stdin.close()
        try:
            code = await asyncio.wait_for(self.process.wait(), within)
        except asyncio.TimeoutError:
            self.kill()
            code = await self.process.wait() and None
        await self._reading
        return code

    def kill(self):
        if self.is_running:
            self.process.kill()


def _first_read(results, since):
    found = None
    for result in reversed(results):
        if result["sent_at"] <= since:
            break
        if result["outcome"] == "ok":
            found = result["received_at"]
    return found
