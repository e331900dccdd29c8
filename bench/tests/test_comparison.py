"""Comparisons that go wrong: pictures that cannot be read, and processes that end."""

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from glyphbench.comparison import EngineError, compare
from glyphbench.others import OtherWork
from glyphbench.report import described, table
from glyphbench.sets import DataSet
from glyphbench.worker import Worker

BENCH = Path(__file__).resolve().parents[1]
QUAD = [[0, 0], [40, 0], [40, 10], [0, 10]]
# A server that does nothing, and reports its process.
SERVER = """
import os, time
os.write(2, str(os.getpid()).encode())
print("glyphwire 1.0 listening on 127.0.0.1:9 (1 worker)", flush=True)
time.sleep(3600)
"""
# Seconds that a process may take to end.
PATIENCE = 30


class Engine:
    """An engine that reads each picture as `EXIT`, but for those whose name is on its list."""

    tells_characters, reads, version, process = False, True, "1", os.getpid()

    def __init__(self, name="glyphwire-fast", fails_on=()):
        self.name, self.fails_on, self.closed = name, fails_on, 0
        self.about = {"tells_characters": False, "reads": True, "version": "1", "process": self.process}

    def prepare(self, picture):
        return picture

    def read(self, path, *_):
        if path.name in self.fails_on:
            raise EngineError("it is damaged")
        return {"words": [{"quad": QUAD, "text": "EXIT"}], "ms": 8, "cpu_ms": 4, "first_cpu_ms": 6, "peak_mb": 5}

    def words(self, answer):
        return answer["words"]

    def busy_seconds(self):
        return 0.0

    def close(self):
        self.closed += 1


def data_set(folder, names):
    """A set of pictures that all show `EXIT`."""
    items = [{"poly": QUAD, "text": "EXIT"}]
    for name in names:
        (folder / name).touch()
    lines = [json.dumps({"image": name, "items": items}) + "\n" for name in names]
    (folder / "gt.jsonl").write_text("".join(lines))
    return DataSet(folder)


class ComparisonTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def test_a_picture_on_which_one_engine_fails_is_one_without_words_for_it(self):
        data = data_set(self.folder, ["a.jpg", "b.jpg"])
        running = [Engine(), Engine("tesseract", fails_on=["a.jpg"])]
        result = described(data, compare(data, running, repeats=1, others=OtherWork()))
        ours, theirs = result["engines"]
        self.assertEqual((ours["e2e_f"], ours["cpu_ms"]), (1, 4))
        self.assertAlmostEqual(theirs["e2e_f"], 2 / 3, places=3)
        self.assertEqual((theirs["cpu_ms"], theirs["failed"]), (4, 1))
        self.assertIn("failed, and counts as finding nothing: Tesseract 1.", table(result))

    def test_an_engine_that_reads_nothing_has_figures_but_no_times(self):
        data = data_set(self.folder, ["a.jpg"])
        running = [Engine(), Engine("tesseract", fails_on=["a.jpg"])]
        result = described(data, compare(data, running, repeats=1, others=OtherWork()))
        self.assertNotIn("cpu_ms", result["engines"][1])
        self.assertIn("| Tesseract | 0.000 (0.00–0.00) |", table(result))

    def test_a_worker_answers_what_its_engine_cannot_read_with_the_error_and_closes_it_at_the_end(self):
        engine, told = Engine(fails_on=["b.jpg"]), []
        requests = [json.dumps({"path": name, "wants_characters": False, "repeats": 1}) for name in ("b.jpg", "a.jpg")]
        Worker(engine, lambda path: path).run(requests, told.append)
        about, failed, read = told
        self.assertEqual(about["version"], "1")
        self.assertEqual(failed, {"error": "EngineError: it is damaged"})
        self.assertEqual(read["words"][0]["text"], "EXIT")
        self.assertEqual(engine.closed, 1)

    def test_a_worker_that_is_interrupted_closes_its_engine(self):
        def interrupted():
            raise KeyboardInterrupt
            yield

        engine = Engine()
        with self.assertRaises(KeyboardInterrupt):
            Worker(engine, Path).run(interrupted(), lambda _: None)
        self.assertEqual(engine.closed, 1)

    def test_a_server_ends_with_the_process_that_started_it_however_that_ends(self):
        program = self.folder / "glyphwire"
        program.write_text(f"#!{sys.executable}\n{SERVER}")
        program.chmod(0o700)
        script = "import os; from glyphbench.server import Server; Server(); os.kill(os.getpid(), 9)"
        environment = os.environ | {"GLYPHWIRE_BENCH_PROGRAM": str(program), "PYTHONPATH": str(BENCH)}
        errors, theirs = os.pipe()
        self.addCleanup(os.close, errors)
        subprocess.run([sys.executable, "-c", script], env=environment, stderr=theirs, check=False)
        os.close(theirs)
        server = int(os.read(errors, 100))
        # The pipe is readable again when nobody holds its other end any more.
        has_ended = bool(select.select([errors], [], [], PATIENCE)[0])
        if not has_ended:
            os.kill(server, signal.SIGKILL)
        self.assertTrue(has_ended)


if __name__ == "__main__":
    unittest.main()
