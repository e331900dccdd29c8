"""A process that holds one engine: a path comes in as a line, what the engine made of the picture goes out as one.

Run as `python -m glyphbench.worker ENGINE`.
"""

import json
import os
import sys
import time
from pathlib import Path

from . import engines
from .pictures import Picture
from .process import peak_megabytes, processor_seconds


class Worker:
    """An engine, and the clocks beside it."""

    def __init__(self, name):
        self.engine = engines.start(name)

    def about(self):
        """What is to be known of the engine."""
        engine = self.engine
        return {"tells_characters": engine.tells_characters, "reads": engine.reads, "version": engine.version}

    def answer(self, path, wants_characters, repeats):
        """The words in a picture; the times of its first reading, and of the quickest."""
        prepared = self.engine.prepare(Picture(Path(path)))
        times = []
        for _ in range(repeats):
            worked, began = processor_seconds(self.engine.process), time.perf_counter()
            result = self.engine.read(prepared)
            passed, worked = time.perf_counter() - began, processor_seconds(self.engine.process) - worked
            times.append((passed * 1000, worked * 1000))
        answer = {"first_cpu_ms": times[0][1], "peak_mb": peak_megabytes(self.engine.process)}
        answer["ms"], answer["cpu_ms"] = map(min, zip(*times))
        if hasattr(self.engine, "stages"):
            answer["stages_ms"] = self.engine.stages(result)
        answer["words"] = self.engine.words(result)
        if hasattr(self.engine, "characters"):
            answer["characters"] = self.engine.characters(prepared) if wants_characters else []
        elif self.engine.tells_characters:
            answer["characters"] = [each for word in answer["words"] for each in word.pop("characters", [])]
        return answer


def main():
    # Whatever an engine prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    worker = Worker(sys.argv[1])
    print(json.dumps(worker.about()), file=answers, flush=True)
    for line in sys.stdin:
        print(json.dumps(worker.answer(**json.loads(line))), file=answers, flush=True)
    worker.engine.close()


if __name__ == "__main__":
    main()
