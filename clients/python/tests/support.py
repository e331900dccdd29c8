"""What the tests share: a stub server, and the real one where it is built."""

from __future__ import annotations

import os
import signal
import socket
import sys
import unittest
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "clients" / "conformance"))

from kit import wire  # noqa: E402
from kit.server_check import ServerProgram  # noqa: E402
from kit.stub import StubServer  # noqa: E402

JPEG = ROOT / "demo" / "sign.jpg"

#: Longer than anything here takes.
PATIENCE = 20


class TestCase(unittest.TestCase):
    """A test that fails where it hangs."""

    def setUp(self):
        signal.signal(signal.SIGALRM, self._expired)
        signal.alarm(PATIENCE)
        self.addCleanup(signal.alarm, 0)

    def _expired(self, *_):
        raise TimeoutError(f"nothing happened for {PATIENCE} s")


def serve(connection):
    """Answers everything as a good server would."""
    connection.greet()
    connection.serve()


def answer_at_the_end(connection):
    """Takes messages of at most 100 bytes, and answers none before the client has ended its stream."""
    connection.greet(limits={**wire.HELLO["limits"], "max_message_bytes": 100})
    received = [connection.receive()]
    while received[-1] is not None and received[-1].type != wire.END:
        received.append(connection.receive())
    for one in received:
        connection.answer(one)


def answer_late(come, may_answer):
    """Releases `come` for each of two frames, waits until it may answer, and answers them and what follows."""

    def late(connection):
        connection.greet()
        for _ in range(2):
            connection.receive()
            come.release()
        may_answer.wait()
        for one in list(connection.received):
            connection.answer(one)
        connection.serve()

    return late


def cross_the_end(connection):
    """Says that the server stops once the client has ended its stream of one frame, and answers the frame alone."""
    connection.greet()
    frame, _ = connection.receive(), connection.receive()
    connection.send_line({"type": "goaway", "grace_ms": 1000})
    connection.answer(frame)
    connection.finish()


def stop_silently(connection):
    """Says on the first connection that the server stops, and then neither sends nor closes; serves the others."""
    connection.greet()
    if connection.number == 1:
        connection.send_line({"type": "goaway", "grace_ms": 1000})
        connection.ignore()
    else:
        connection.serve()


@contextmanager
def stub(script=serve, may_break=False, **settings):
    """A stub server; what its scripts raised is raised at the end, but for broken connections if those are wanted."""
    server = StubServer(script, **settings)
    yield server
    server.stop()
    for number, failure in server.failures:
        if not (may_break and isinstance(failure, OSError)):
            raise AssertionError(f"connection {number}: {failure!r}") from failure


@contextmanager
def deaf_address():
    """An address that takes no connection and refuses none: as many wait there as may."""
    if sys.platform != "linux":
        raise unittest.SkipTest("other systems refuse who may not wait")
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = [socket.socket() for _ in range(3)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(listener.getsockname())
        yield listener.getsockname()
        for one in waiting:
            one.close()


def server_program():
    """The real server's program, or a reason to skip."""
    named = os.environ.get("GLYPHWIRE_PROGRAM")
    built = [named] if named else [ROOT / ".build" / kind / "glyphwire" for kind in ("release", "debug")]
    for path in built:
        if os.access(path, os.X_OK):
            return path
    raise unittest.SkipTest("no server: build one with `make build`, or name one in GLYPHWIRE_PROGRAM")


__all__ = [
    "JPEG",
    "PATIENCE",
    "ROOT",
    "ServerProgram",
    "TestCase",
    "answer_at_the_end",
    "answer_late",
    "cross_the_end",
    "deaf_address",
    "serve",
    "server_program",
    "stub",
    "wire",
]
