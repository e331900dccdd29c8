"""Engines side by side: each in a process of its own, all on one core, every picture by each in turn."""

import json
import os
import subprocess
import sys
from collections import Counter
from statistics import median

from . import engines
from .score import figures, interval, tally


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
            preexec_fn=lambda: os.sched_setaffinity(0, {core}),
        )
        self.about = self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"bench: {engines.title(self.name)} ended with status {self.process.wait()}")
        return json.loads(line)

    def read(self, path, wants_characters=False, repeats=1):
        """What the engine makes of a picture; see worker.py for what is in it."""
        request = {"path": str(path), "wants_characters": wants_characters, "repeats": repeats}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        return self._answer()

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Run:
    """One engine's readings of one data set."""

    def __init__(self, engine):
        self.engine = engine
        self.answers, self.tallies = [], []

    def add(self, truth, answer):
        words = answer["words"]
        self.tallies.append(tally(truth, words, answer.get("characters")))
        self.answers.append({"image": truth["image"], **answer})

    def summary(self, main):
        """The figures, and the times as medians over the pictures; `main` is the figure that gets an interval."""
        reads = self.engine.about["reads"]
        figure = figures(sum(self.tallies, Counter()), reads)
        summary = {"engine": self.engine.name, "version": self.engine.about["version"]}
        summary |= {name: round(value, 4) for name, value in figure.items()}
        if main in figure:
            summary["interval"] = [round(bound, 4) for bound in interval(self.tallies, main)]
        for name in ("ms", "cpu_ms", "first_cpu_ms"):
            summary[name] = round(median(answer[name] for answer in self.answers), 2)
        if stages := [answer["stages_ms"] for answer in self.answers if "stages_ms" in answer]:
            summary["stages_ms"] = {name: round(median(each[name] for each in stages), 2) for name in stages[0]}
        summary["peak_mb"] = round(self.answers[-1]["peak_mb"])
        return summary


def compare(data, names, core, repeats, warm_up=2):
    """Reads a data set with the engines called `names`; returns their runs.

    Every picture is read by each engine in turn, so that whatever disturbs the machine disturbs all of them, and
    another one begins each time. The first pictures are read once more before, for models are made ready when they
    are first used.
    """
    runs = [Run(EngineProcess(name, core)) for name in names]
    for truth in data.truths[:warm_up]:
        for run in runs:
            run.engine.read(data.path(truth))
    for count, truth in enumerate(data.truths):
        turn = count % len(runs)
        for run in runs[turn:] + runs[:turn]:
            run.add(truth, run.engine.read(data.path(truth), data.has_characters, repeats))
        if sys.stderr.isatty():
            print(f"\r{data.name}: {count + 1} of {len(data.truths)}", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    for run in runs:
        run.engine.close()
    return runs
