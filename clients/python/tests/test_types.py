import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from . import test_readme

FOLDER = Path(__file__).resolve().parents[1]


@unittest.skipUnless(importlib.util.find_spec("mypy"), "no mypy: pip install mypy")
class TypeTests(unittest.TestCase):
    """What a type checker makes of the client, and of programs that use it."""

    def check(self, *arguments):
        command = [sys.executable, "-m", "mypy", "--cache-dir", os.devnull, *map(str, arguments)]
        environment = {**os.environ, "MYPYPATH": str(FOLDER)}
        done = subprocess.run(
            command, cwd=FOLDER, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_client_is_typed_strictly(self):
        self.check()  # what pyproject.toml says

    def test_the_declarations_fit_their_use(self):
        self.check("--strict", "tests/typed.py")

    def test_the_examples_of_the_readme_are_typed(self):
        with tempfile.TemporaryDirectory() as beside:
            for name in ("FIVE_LINES", "CAMERA", "VIDEO", "ASYNC", "TLS", "OF_THE_PROJECT"):
                path = Path(beside) / f"{name.lower()}.py"
                path.write_text(getattr(test_readme, name), "utf-8")
                self.check("--config-file=", "--follow-imports=silent", "--check-untyped-defs", "--ignore-missing-imports", path)
