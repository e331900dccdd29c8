"""Checks a server with the test vectors; Tests/Vectors/README.md has the rules."""

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time

from . import wire
from .matching import mismatch, show

#: Seconds without a line that are a failure.
PATIENCE = 10
#: So many pieces at either end are sent with a pause behind each, or a server would read some of them as one.
PACED = 40
PAUSE = 0.001


class Vector:
    def __init__(self, path):
        self.name = path.stem
        self.data = path.read_bytes()
        self.lines = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
        #: What the server must have been started with.
        self.arguments = self.lines.pop(0)["server"] if "type" not in self.lines[0] else []


def vectors(only=()):
    every = [Vector(path) for path in sorted(wire.VECTORS.glob("[0-9]*.bin"))]
    return [one for one in every if not only or one.name.startswith(tuple(only))]


class Unusable(RuntimeError):
    """A server that cannot be checked; the message says why, in a line."""


def greeting(host, port):
    """The `hello` of the server there, before anything is checked; raises Unusable where there is none."""
    place = f"{host}:{port}"
    try:
        connection = socket.create_connection((host, port), timeout=PATIENCE)
    except OSError as error:
        raise Unusable(f"no server can be reached at {place}: {error.strerror or error}") from None
    line = b""
    with connection, contextlib.suppress(OSError):
        line = connection.makefile("rb").readline()
    if not line and speaks_tls(host, port):
        raise Unusable(f"{place} speaks TLS, and these checks do not: let socat or stunnel take it off")
    if not line:
        raise Unusable(f"{place} accepts connections, and greets nobody within {PATIENCE} s")
    try:
        hello = json.loads(line)
        is_hello = hello["type"] == "hello" and hello["protocol"] == 1
    except (ValueError, TypeError, LookupError):
        is_hello = False
    if not is_hello:
        raise Unusable(f"{place} greets with no hello of version 1, but with {line[:100]!r}")
    return hello


def speaks_tls(host, port):
    """Whether whoever is there shakes hands, whatever its certificate says."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with socket.create_connection((host, port), timeout=PATIENCE) as connection, context.wrap_socket(connection):
            return True
    except OSError:
        return False


def answers(host, port, pieces):
    """The lines that a server answers these bytes with, sent piece by piece."""
    with socket.create_connection((host, port), timeout=PATIENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def send():
            try:
                for i, piece in enumerate(pieces):
                    connection.sendall(piece)
                    if i < PACED or i >= len(pieces) - PACED:
                        time.sleep(PAUSE)
            except OSError:
                pass  # the server has said its last word already

        lines = connection.makefile("rb")
        hello = json.loads(lines.readline() or b"{}")
        if hello.get("type") != "hello" or hello.get("protocol") != 1:
            raise ValueError(f"no hello of version 1: {show(hello)}")
        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        found = []
        try:
            for line in lines:
                if not line.endswith(b"\n"):
                    raise ValueError(f"a line without a line feed: {line[-100:]!r}")
                found.append(json.loads(line))
        except ConnectionResetError:
            pass
        connection.settimeout(0.1)  # whatever is not sent yet need not be
        sender.join()
        return found


def flaw(vector, host, port, pieces):
    """What is wrong with the answers to a vector; None if nothing is."""
    try:
        found = answers(host, port, pieces)
    except (OSError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    unanswered = sequence_flaw(vector.lines, found)
    if unanswered:
        return unanswered
    if len(found) != len(vector.lines):
        return f"{len(found)} lines instead of {len(vector.lines)}, the last: {show(found[-1:])}"
    return mismatch(vector.lines, found, "lines")


def sequence_flaw(expected, found):
    """Which message has no answer where it belongs, if another's stands there."""
    for place, (wanted, line) in enumerate(zip(expected, found)):
        sequence, other = wanted.get("sequence"), line.get("sequence") if isinstance(line, dict) else None
        if isinstance(sequence, int) and isinstance(other, int) and other != sequence:
            return f"message {sequence} has no answer: line {place + 1} answers message {other}"
    return None


def check(host, port, vectors, cuts, report):
    """Plays each vector whole and byte by byte; with `cuts` also in two pieces, cut at every byte there is."""
    for vector in vectors:
        data = vector.data
        ways = {"whole": [data], "byte by byte": [data[i : i + 1] for i in range(len(data))]}
        if cuts:
            ways.update({f"cut at byte {i}": [data[:i], data[i:]] for i in range(1, len(data))})
        wrong = ((way, flaw(vector, host, port, pieces)) for way, pieces in ways.items())
        report(vector.name, next((f"{way}: {what}" for way, what in wrong if what), None))


def program_path(name):
    """Where a program is: a file, or else what PATH has of that name; raises FileNotFoundError."""
    path = name if os.path.isfile(name) else shutil.which(name)
    if path is None:
        raise FileNotFoundError(f"there is no program {name}, neither as a file nor in PATH")
    return os.path.abspath(path)


class ServerProgram:
    """A server that is started here: `PROGRAM serve --host 127.0.0.1 --port PORT ARGUMENTS`."""

    READY = re.compile(r"listening on \S+:(\d+)")

    def __init__(self, program, arguments=(), port=0):
        command = [
            program_path(program),
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--log-level",
            "warning",
            *arguments,
        ]
        try:
            self._process = subprocess.Popen(command, cwd=wire.VECTORS, stdout=subprocess.PIPE, text=True)
        except OSError as error:
            raise Unusable(f"{program} cannot be run: {error.strerror}") from None
        ready = self._process.stdout.readline()
        found = self.READY.search(ready)
        if not found:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            raise Unusable(f"{' '.join(command)} did not say where it listens, but {ready!r}")
        self.port = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.stop()

    def stop(self):
        """Ends the server; raises Unusable if it does not end as it should."""
        self._process.send_signal(signal.SIGTERM)
        code = self._process.wait(30)
        self._process.stdout.close()
        if code != 0:
            raise Unusable(f"the server ended with {code}")


def check_server(host, port, vectors, cuts, report):
    """Plays the vectors to a server that is there already, but for those that its greeting rules out."""
    if greeting(host, port).get("auth") == "token":
        vectors = [one for one in vectors if "--token-file" in one.arguments]
        if not vectors:
            raise Unusable(f"{host}:{port} asks for a token: check it without one, or have it started by --start PROGRAM")
    check(host, port, vectors, cuts, report)


def check_program(program, vectors, cuts, report):
    """Plays each vector to a server that was started with what the vector asks for."""
    for arguments in sorted({tuple(one.arguments) for one in vectors}):
        with ServerProgram(program, arguments) as server:
            check("127.0.0.1", server.port, [one for one in vectors if tuple(one.arguments) == arguments], cuts, report)
