"""Glyphwire: its server with one worker, as any client meets it.

A frame's time is the whole way: the bytes into the socket, the line of JSON out of it. The server's own times are kept
beside it. A JPEG is sent as it is; other pictures as raw pixels, gray where they are gray.
"""

import json
import os
import socket
import struct
import subprocess
from pathlib import Path

import numpy as np

from .told import piece

ROOT = Path(__file__).resolve().parents[3]
# The server to measure; without it, what `make build` builds.
PROGRAM = "GLYPHWIRE_BENCH_PROGRAM"
JPEG, BGRA, GRAY = 1, 3, 5
FRAME, CONFIGURE = 1, 2


def message(kind, payload, form=0, orientation=0, sequence=0, size=(0, 0)):
    """A message of the protocol."""
    head = struct.pack(">IBBBBQQHHI", len(payload) + 28, kind, form, orientation, 0, sequence, 0, *size, 0)
    return head + payload


class Engine:
    tells_characters = True

    def __init__(self, level, recognize=True):
        self.reads = recognize
        command = [os.environ.get(PROGRAM) or str(ROOT / ".build/release/glyphwire"), "serve", "--host", "127.0.0.1"]
        command += ["--port", "0", "--workers", "1", "--levels", level, "--log-level", "error"]
        command += ["--models", str(ROOT / ".deps/models")]
        if not os.access(command[0], os.X_OK):
            raise SystemExit(f"bench: there is no {command[0]}: run 'make build', or name one in {PROGRAM}")
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        greeting = self.server.stdout.readline().split()
        if not greeting:
            raise SystemExit(f"bench: {command[0]} did not start")
        self.version = greeting[1]
        host, port = greeting[greeting.index("on") + 1].rsplit(":", 1)
        self.process = self.server.pid
        self.socket = socket.create_connection((host, int(port)))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.socket.makefile("rb", buffering=1 << 20)
        options = {"level": level, "recognize": recognize}
        if "temporal" in self._line("hello")["features"]:
            # Every picture is a new one: nothing of it may be known from the one before, nor from its first reading.
            options["temporal"] = False
        self.socket.sendall(message(CONFIGURE, json.dumps(options).encode()))
        self._line("configured")

    def _line(self, kind):
        line = json.loads(self.lines.readline())
        if line["type"] != kind:
            raise RuntimeError(f"expected {kind}, got {line}")
        return line

    def prepare(self, picture):
        if picture.is_jpeg:
            return message(FRAME, picture.bytes, JPEG)
        pixels = np.asarray(picture.image)
        if picture.image.mode == "L":
            return message(FRAME, pixels.tobytes(), GRAY, size=picture.image.size)
        bgra = np.dstack([pixels[..., ::-1], np.full(pixels.shape[:2], 255, np.uint8)])
        return message(FRAME, bgra.tobytes(), BGRA, size=picture.image.size)

    def read(self, frame):
        self.socket.sendall(frame)
        return self.lines.readline()

    def words(self, line):
        result = json.loads(line)
        if result["type"] != "result" or result["status"] != "ok":
            raise RuntimeError(result.get("message", line))
        # Where nothing is read, a line may have no words.
        return [piece(word) for text in result["lines"] for word in text["words"] or [text]]

    def stages(self, line):
        return {name: value / 1000 for name, value in json.loads(line)["timings_us"].items()}

    def close(self):
        self.socket.close()
        self.server.terminate()
        self.server.wait()
