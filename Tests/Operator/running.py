"""Starts what these tests need, on ports that were free, and ends it."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("GLYPHWIRE_PROGRAM", os.path.join(ROOT, ".build/debug/glyphwire"))
PATIENCE = 120  # seconds that anything may take on a slow machine


def get(url):
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return response.read().decode()


def wait_for(what, condition):
    """Calls `condition` until what it returns is true, and returns that."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {PATIENCE} s in vain for {what}")


@contextlib.contextmanager
def running(arguments, **options):
    process = subprocess.Popen(arguments, **options)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()


class Server:
    """A server of this build: the port of its frames, and the address of its HTTP side."""

    def __init__(self, process):
        self.process = process
        self.port = int(re.search(r":(\d+) \(", process.stdout.readline()).group(1))
        self.http = re.search(r"https?://\S+", process.stdout.readline()).group(0)

    def reload(self):
        """Makes the server read its files of tokens and TLS again."""
        self.process.send_signal(signal.SIGHUP)

    def metric(self, sample):
        found = re.search(rf"^{re.escape(sample)} (\S+)$", get(self.http + "metrics"), re.M)
        return float(found.group(1)) if found else None


@contextlib.contextmanager
def server(*arguments):
    command = [PROGRAM, "serve", "--port", "0", "--http", "127.0.0.1:0", "--log-level", "warning", *arguments]
    with running(command, stdout=subprocess.PIPE, text=True) as process:
        yield Server(process)


@contextlib.contextmanager
def replay(server, session, *arguments):
    command = [PROGRAM + "-replay", "run", session, "--port", str(server.port), *arguments]
    with running(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        yield process


def messages(path):
    """The messages of a session or vector, but for its end."""
    with open(path, "rb") as file:
        session = file.read()
    at = 0
    while at < len(session):
        end = at + 4 + struct.unpack_from(">I", session, at)[0]
        if session[at + 4] != 4:
            yield session[at:end]
        at = end


def connect(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)


def lines(connection, count):
    """The next lines of a server, as objects."""
    received = b""
    while received.count(b"\n") < count:
        chunk = connection.recv(1 << 16)
        assert chunk, "the server closed"
        received += chunk
    return [json.loads(line) for line in received.splitlines()]


@contextlib.contextmanager
def folder():
    path = tempfile.mkdtemp(prefix="glyphwire-operator-")
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
