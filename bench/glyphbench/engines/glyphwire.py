"""Glyphwire: its server with one worker, as any client meets it.

A frame's time is the whole way: the bytes into the socket, the line of JSON out of it. The server's own times are kept
beside it. A JPEG is sent as it is; other pictures as raw pixels, gray where they are gray.
"""

import json
import socket
from contextlib import suppress

import numpy as np

from ..server import BGRA, CONFIGURE, FRAME, GRAY, JPEG, Server, message
from .told import words


class Engine:
    tells_characters = True

    def __init__(self, level, recognize=True):
        self.reads = recognize
        self.options = {"level": level, "recognize": recognize}
        self.server = Server("--workers", "1", "--levels", level)
        self.version, self.process = self.server.version, self.server.pid
        self._connect()

    def _connect(self):
        try:
            self.socket = socket.create_connection((self.server.host, self.server.port))
        except ConnectionRefusedError:
            raise SystemExit("bench: the server has ended") from None
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.socket.makefile("rb", buffering=1 << 20)
        options = dict(self.options)
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
        if line := self._answer(frame):
            return line
        # The frame before may have been one after which the server closes.
        self._disconnect()
        self._connect()
        return self._answer(frame)

    def _answer(self, frame):
        with suppress(BrokenPipeError, ConnectionResetError):
            self.socket.sendall(frame)
            return self.lines.readline()
        return b""

    def words(self, answer):
        if not answer:
            raise RuntimeError("the server closes the connection")
        result = json.loads(answer)
        if result["type"] != "result" or result["status"] != "ok":
            raise RuntimeError(result.get("message", answer))
        return words(result["lines"])

    def stages(self, answer):
        return {name: value / 1000 for name, value in json.loads(answer)["timings_us"].items()}

    def _disconnect(self):
        self.lines.close()
        self.socket.close()

    def close(self):
        self._disconnect()
        self.server.close()
