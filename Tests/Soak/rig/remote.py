"""Cameras of another host, as a program: `python3 -m rig.remote SETUP`, which streams until its standard input ends.

SETUP is a pickled `Setup`. Each result is a line of JSON on standard output, and so is the end of each camera.
"""

import asyncio
import json
import pickle
import sys
import time
from collections import Counter
from dataclasses import dataclass

from .camera import Camera, glyphwire
from .stream import reading

#: Attempts follow each other quickly: what is measured is the way back, and not a pause.
POLICY = glyphwire.ReconnectPolicy(max_attempts=100_000, max_delay=0.4)
#: Seconds that a stage of a frame may take on a busy machine. A clock that is set moves a time by hours.
LONGEST_STAGE = 60


@dataclass(frozen=True)
class Setup:
    """What the program of a host needs to know."""

    host: str
    port: int
    pictures: list
    #: By the name of a picture, what a quiet run reads.
    expected: dict
    #: The options of each camera.
    cameras: list
    connect_timeout: float
    answer_timeout: float


class RemoteCamera(Camera):
    """A camera that reports each result, and what is wrong with it."""

    def __init__(self, number, setup, counts):
        timeouts = {"connect_timeout": setup.connect_timeout, "answer_timeout": setup.answer_timeout}
        super().__init__(setup.host, setup.port, setup.pictures, counts, POLICY, setup.cameras[number], **timeouts)
        self.number = number
        self.expected = setup.expected

    def received(self, result):
        super().received(result)
        wrong = self.mistake(result)
        report(
            camera=self.number, sequence=result.sequence, outcome=result.code or result.status, wrong=wrong,
            sent_at=result.sent_at, received_at=time.monotonic(), captured_us=result.captured_us,
        )  # fmt: skip

    def mistake(self, result):
        """What a result says that it must not, if anything."""
        number = len(self.sequences)
        if result.sequence != number:
            return f"result {number} is of frame {result.sequence}"
        if result.captured_us != self.captured[number - 1]:
            return f"frame {number} was captured at {self.captured[number - 1]}, its result says {result.captured_us}"
        timings = result.fields.get("timings_us", {})
        if any(not 0 <= each < LONGEST_STAGE * 1e6 for each in timings.values()):
            return f"frame {number} took {timings}"
        picture = self.found[(number - 1) % len(self.found)]
        if result.is_ok and reading(result.fields) != self.expected[picture.name]:
            return f"{picture.name} reads otherwise than in the quiet run: {result.text[:200]!r}"
        return None


def report(**fields):
    print(json.dumps(fields), flush=True)


async def main(path):
    with open(path, "rb") as file:
        setup = pickle.load(file)
    counts = [Counter() for _ in setup.cameras]
    cameras = [RemoteCamera(number, setup, counts[number]) for number in range(len(setup.cameras))]
    running = [asyncio.create_task(camera.run()) for camera in cameras]
    await asyncio.to_thread(sys.stdin.read)
    for camera in cameras:
        camera.is_stopped = True
    for number, error in enumerate(await asyncio.gather(*running, return_exceptions=True)):
        report(camera=number, sent=counts[number]["sent"], error=error and repr(error))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
