"""The program under test."""

import os
import re
import subprocess
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ["GLYPHWIRE_PROGRAM"]
SIGN = ROOT / "demo/sign.jpg"
PAGE = ROOT / "bench/quick/pages/images/00.jpg"
SLANTED = ROOT / "bench/quick/signs/images/01.jpg"


def read(*arguments):
    """What `glyphwire read` prints."""
    command = [PROGRAM, "read", *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


@contextmanager
def server(*arguments):
    """A server that answers HTTP; its address, such as http://127.0.0.1:41233."""
    command = [PROGRAM, "serve", "--port", "0", "--http", "127.0.0.1:0", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for line in process.stdout:
            if match := re.search(r"http://[0-9.]+:[0-9]+", line):
                break
        else:
            raise RuntimeError("the server has ended")
        yield match.group()
    finally:
        process.terminate()
        process.communicate()
