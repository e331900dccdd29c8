"""Programs of clients that the checks run."""

import subprocess
from pathlib import Path

from .server_check import program_path


class Skipped(Exception):
    """The program cannot be run here."""


class Program:
    """An executable that is made ready by `--prepare`, or says what is missing for that."""

    #: How the names of such programs begin.
    prefix = ""

    def __init__(self, path):
        self.path = Path(program_path(path))
        self.name = f"{self.path.parent.name}{self.path.name[len(self.prefix) :]}"

    def prepare(self):
        done = subprocess.run([self.path, "--prepare"], stdout=subprocess.PIPE, text=True)
        if done.returncode == 77:
            raise Skipped(done.stdout.strip())
        if done.returncode:
            raise RuntimeError(f"{self.path} --prepare ended with {done.returncode}")
