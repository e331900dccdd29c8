"""Engines side by side: each in a process of its own, all on one core, every picture by each in turn."""

import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from statistics import median

from . import engines
from .process import bound, processor_seconds
from .score import figures, interval, tally


class EngineError(Exception):
    """What an engine reported in place of an answer: it did not start, or did not read a picture."""


class EngineProcess:
    """An engine in a process of its own, on one core."""

    def __init__(self, name, core):
        self.name = name
        command = [sys.executable, "-m", f"{__package__}.worker", name]
        # OpenCV and NumPy are told too, though they have only one core to run on.
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            preexec_fn=bound({core}),
        )
        try:
            self.about = self._answer()
        except EngineError:
            self.close()
            raise

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"bench: {engines.title(self.name)} ended with status {self.process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise EngineError(answer["error"])
        return answer

    def read(self, path, wants_characters=False, repeats=1):
        """What the engine makes of a picture; see worker.py for what is in it."""
        request = {"path": str(path), "wants_characters": wants_characters, "repeats": repeats}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self._answer()

    def busy_seconds(self):
        """The processor time of its processes by now."""
        return sum(map(processor_seconds, {self.process.pid, self.about["process"]}))

    def close(self):
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


@contextmanager
def started(names, core):
    """The processes of the engines called `names`, without those that do not start, whose reasons are printed."""
    with ExitStack() as stack:
        running = []
        for name in names:
            try:
                running.append(stack.enter_context(EngineProcess(name, core)))
            except EngineError as error:
                print(f"bench: {engines.title(name)} does not start: {error}", file=sys.stderr)
        if not running:
            raise SystemExit("bench: no engine starts")
        yield running


class Run:
    """One engine's readings of one data set."""

    def __init__(self, engine):
        self.engine = engine
        self.answers, self.tallies = [], []

    def read(self, data, truth, repeats):
        """Has a picture read; one that the engine fails on counts as one in which it finds nothing."""
        try:
            answer = self.engine.read(data.path(truth), data.has_characters, repeats)
        except EngineError as error:
            answer = {"error": str(error), "words": []}
            if self.engine.about["tells_characters"]:
                answer["characters"] = []
        self.tallies.append(tally(truth, answer["words"], answer.get("characters")))
        self.answers.append({"image": truth["image"], **answer})

    def summary(self, main):
        """The figures, and the times as medians over the pictures; `main` is the figure that gets an interval."""
        about, answers = self.engine.about, [answer for answer in self.answers if "error" not in answer]
        figure = figures(sum(self.tallies, Counter()), about["reads"])
        summary = {"engine": self.engine.name, "version": about["version"]}
        summary |= {name: round(value, 4) for name, value in figure.items()}
        if main in figure:
            summary["interval"] = [round(limit, 4) for limit in interval(self.tallies, main)]
        if len(answers) < len(self.answers):
            summary["failed"] = len(self.answers) - len(answers)
        return summary | (costs(answers) if answers else {})


def costs(answers):
    """Times as medians over answers, and the memory at the last."""
    times = ("ms", "cpu_ms", "first_cpu_ms")
    cost = {name: round(median(answer[name] for answer in answers), 2) for name in times}
    if stages := [answer["stages_ms"] for answer in answers if "stages_ms" in answer]:
        cost["stages_ms"] = {name: round(median(each[name] for each in stages), 2) for name in stages[0]}
    return cost | {"peak_mb": round(answers[-1]["peak_mb"])}


def compare(data, running, repeats, others, warm_up=2):
    """Reads a data set with engines that are `running`; returns their runs, and counts the `others` at work meanwhile.

    Every picture is read by each engine in turn, so that whatever disturbs the machine disturbs all of them, and
    another one begins each time. The first pictures are read once more before, for models are made ready when they
    are first used.
    """
    runs = [Run(engine) for engine in running]
    for truth in data.truths[:warm_up]:
        for engine in running:
            with suppress(EngineError):
                engine.read(data.path(truth))
    for count, truth in enumerate(data.truths):
        turn = count % len(runs)
        for run in runs[turn:] + runs[:turn]:
            with others.during(run.engine.busy_seconds):
                run.read(data, truth, repeats)
        if sys.stderr.isatty():
            print(f"\r{data.name}: {count + 1} of {len(data.truths)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    return runs
