"""The server that is measured, as a process of its own, and the bytes that it is sent."""

import os
import struct
import subprocess
from pathlib import Path

from .process import bound

ROOT = Path(__file__).resolve().parents[2]
# The server to measure; without it, what `make build` builds.
PROGRAM = "GLYPHWIRE_BENCH_PROGRAM"
JPEG, BGRA, GRAY = 1, 3, 5
FRAME, CONFIGURE, END = 1, 2, 4


def message(kind, payload=b"", form=0, orientation=0, sequence=0, captured=0, size=(0, 0)):
    """A message of the protocol."""
    head = struct.pack(">IBBBBQQHHI", len(payload) + 28, kind, form, orientation, 0, sequence, captured, *size, 0)
    return head + payload


def program():
    """The path of the server to measure; without one, this program ends and says so."""
    path = os.environ.get(PROGRAM) or str(ROOT / ".build/release/glyphwire")
    if not os.access(path, os.X_OK):
        raise SystemExit(f"bench: there is no {path}: run 'make build', or name one in {PROGRAM}")
    return path


class Server:
    """A server on a free port of loopback, which ends with `close`, or with this process."""

    def __init__(self, *options, cores=None):
        command = [program(), "serve", "--host", "127.0.0.1"]
        command += ["--port", "0", "--log-level", "error", "--models", str(ROOT / ".deps/models"), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=bound(cores))
        greeting = self.process.stdout.readline().split()
        if not greeting:
            raise SystemExit(f"bench: {command[0]} did not start")
        self.version, self.pid = greeting[1], self.process.pid
        self.host, port = greeting[greeting.index("on") + 1].rsplit(":", 1)
        self.port = int(port)

    def close(self):
        self.process.terminate()
        self.process.wait()
