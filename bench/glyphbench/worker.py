"""A process that holds one engine: a path comes in as a line, what the engine made of the picture goes out as one.

Run as `python -m glyphbench.worker ENGINE`.
"""

import json
import os
import sys
import time
from pathlib import Path

from . import engines
from .process import peak_megabytes, processor_seconds


class Worker:
    """An engine, and the clocks beside it; `open_picture` makes a picture of a path."""

    def __init__(self, engine, open_picture):
        self.engine, self.open_picture = engine, open_picture

    def about(self):
        """What is to be known of the engine."""
        engine = self.engine
        return {name: getattr(engine, name) for name in ("tells_characters", "reads", "version", "process")}

    def answer(self, path, wants_characters, repeats):
        """The words in a picture; the times of its first reading, and of the quickest."""
        prepared = self.engine.prepare(self.open_picture(Path(path)))
        times = []
        for _ in range(repeats):
            worked, began = processor_seconds(self.engine.process), time.perf_counter()
            result = self.engine.read(prepared)
            passed, worked = time.perf_counter() - began, processor_seconds(self.engine.process) - worked
            times.append((passed * 1000, worked * 1000))
        answer = {"first_cpu_ms": times[0][1], "peak_mb": peak_megabytes(self.engine.process)}
        answer["ms"], answer["cpu_ms"] = map(min, zip(*times))
        # First, as it fails for what was not read.
        answer["words"] = self.engine.words(result)
        if hasattr(self.engine, "stages"):
            answer["stages_ms"] = self.engine.stages(result)
        if hasattr(self.engine, "characters"):
            answer["characters"] = self.engine.characters(prepared) if wants_characters else []
        elif self.engine.tells_characters:
            answer["characters"] = [each for word in answer["words"] for each in word.pop("characters", [])]
        return answer

    def run(self, requests, tell):
        """Answers requests, lines of JSON, by `tell`; in the end the engine is closed, whatever the end was."""
        try:
            tell(self.about())
            for line in requests:
                tell(attempted(lambda: self.answer(**json.loads(line))))
        finally:
            self.engine.close()


def attempted(work):
    """What `work` makes, or else its error as an answer."""
    try:
        return work()
    except Exception as error:  # Whatever an engine raises for a picture.
        return {"error": f"{type(error).__name__}: {error}"}


def main():
    # Whatever an engine prints must not get between the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def tell(answer):
        print(json.dumps(answer), file=answers, flush=True)

    worker = attempted(lambda: started(sys.argv[1]))
    if isinstance(worker, Worker):
        worker.run(sys.stdin, tell)
    else:
        tell(worker)


def started(name):
    """The worker of the engine called `name`."""
    # Here, as it needs what bench/run installs.
    from .pictures import Picture

    return Worker(engines.start(name), Picture)


if __name__ == "__main__":
    main()
