"""Checks a client's command line against the stub; README.md has the options that all of them share."""

import json
import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path

from . import wire
from .matching import mismatch
from .program import Program
from .scenarios import PAUSE
from .stub import StubServer

PICTURE = Path(__file__).resolve().parents[3] / "demo" / "sign.jpg"

#: Seconds that a command may take, whatever becomes of its output; fewer than the stub waits for it.
LIMIT = 10

#: VALUE of `--option NAME=VALUE`, and what is sent: JSON where all of it is JSON, else a string.
VALUES = [
    ("3", 3),
    ("-5", -5),
    ("0.05", 0.05),
    ("1e3", 1000),
    ("true", True),
    ("false", False),
    ("null", None),
    ('"quoted"', "quoted"),
    ('["en","de"]', ["en", "de"]),
    ('[0, 0.5, 1, 5e-1]', [0, 0.5, 1, 0.5]),
    ('{"a":[{"b":"\\u00e9\\n"},[]],"c":{}}', {"a": [{"b": "é\n"}, []], "c": {}}),
    ("vision", "vision"),
    ("", ""),
    ("0-9", "0-9"),
    ("0-9.", "0-9."),
    ("-", "-"),
    ("007", "007"),
    ("1 2", "1 2"),
    (".5", ".5"),
    ("5.", "5."),
    ("1e", "1e"),
    ("NaN", "NaN"),
    ("truely", "truely"),
    ('"', '"'),
    ('"a\\q"', '"a\\q"'),
    ('say "hi" \\ bye', 'say "hi" \\ bye'),
    ("[A-Z]", "[A-Z]"),
    ('{"a":}', '{"a":}'),
    ("a=b", "a=b"),
]

#: Options that command lines set by themselves, with other values; and one that is given twice.
OWN_OPTIONS = {"client": "my name", "characters": True, "delivery": "live", "again": 2}

#: What the errors of command lines do not look like: the traces of programs that have crashed.
TRACE = re.compile(r"Traceback|panicked at|^\s+at |^goroutine ", re.MULTILINE)


class CommandLine(Program):
    """A client's command line."""

    prefix = "conformance-command"

    def start(self, port, *arguments, stdout):
        command = [self.path, "--host", "127.0.0.1", "--port", str(port), "--no-wait", *arguments]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, text=True)

    def run(self, port, *arguments, stdout=subprocess.PIPE):
        """Its exit status, and what it says on standard output and on standard error."""
        return ended(self.start(port, *arguments, stdout=stdout))


def ended(process):
    """How a process ends; raises AssertionError where it does not."""
    with process:
        try:
            output, errors = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"went on for {LIMIT} s") from None
    return process.returncode, output, errors


def check_failure(status, errors):
    """That a command has failed as it should."""
    assert status == 1, f"ended with {status} instead of 1; it said {errors.strip()[-400:]!r}"
    assert not TRACE.search(errors), f"crashed: {errors.strip()[-400:]!r}"


# What the stub does


def greet(connection, **changes):
    connection.greet(features=["stats", "delivery"], **changes)


def answer(connection, received):
    """Answers as a server would that reads the number of each picture on it."""
    if received.type == wire.FRAME:
        connection.answer_frame(wire.result(received, [f"PICTURE {len(connection.frames)}"]))
    else:
        connection.answer(received)


def serve(connection):
    greet(connection)
    connection.serve(answer=lambda received: answer(connection, received))


# The checks


def without_repetition(pairs):
    names = [name for name, _ in pairs]
    assert len(set(names)) == len(names), f"an option is sent twice: {sorted(names)}"
    return dict(pairs)


def check_options(command):
    values = {f"value{i}": value for i, (_, value) in enumerate(VALUES)}
    for pairs, expected in (
        ([f"value{i}={text}" for i, (text, _) in enumerate(VALUES)], values),
        (["client=my name", "characters=true", "delivery=live", "again=1", "again=2"], OWN_OPTIONS),
    ):
        stub = StubServer(serve)
        status, _, errors = command.run(stub.port, *(part for pair in pairs for part in ("--option", pair)), PICTURE)
        stub.stop()
        assert status == 0, f"ended with {status}: {errors.strip()[-400:]}"
        *_, last = [one for one in stub.connections[-1].received if one.type == wire.CONFIGURE]
        flaw = mismatch(expected, json.loads(last.payload, object_pairs_hook=without_repetition), "options")
        assert flaw is None, flaw


def check_wrong_usage(command):
    for wrong in (["--option", "nonsense", PICTURE], ["--option", "=1", PICTURE], ["--turbo"]):
        status, _, errors = command.run(1, *wrong)
        assert status == 2 and errors, f"{wrong[:-1]} ends with {status} and {errors!r}, not with 2 and a reason"


def check_full_output(command):
    for arguments in ([PICTURE], ["--json", PICTURE], ["--help"]):
        stub = StubServer(serve)
        with open("/dev/full", "wb") as full:
            status, _, errors = command.run(stub.port, *arguments, stdout=full)
        stub.stop()
        check_failure(status, errors)
        assert "no space left" in errors.lower(), f"does not say why it failed: {errors.strip()[-400:]!r}"


def check_reader_that_leaves(command):
    """The reader takes a line, as `head -1` does; what comes then cannot be printed, and nothing more is answered."""
    for arguments in ([], ["--json"]):
        has_left = threading.Event()

        def leave(connection):
            greet(connection)
            connection.serve(frames=1, answer=lambda received: answer(connection, received))
            has_left.wait(LIMIT)
            connection.serve(frames=2, answer=lambda received: answer(connection, received))
            connection.drain()

        stub = StubServer(leave)
        reading, writing = os.pipe()
        process = command.start(stub.port, *arguments, PICTURE, PICTURE, PICTURE, stdout=writing)
        os.close(writing)
        with open(reading, "rb") as reader:
            line = reader.readline()
        has_left.set()
        status, _, errors = ended(process)
        stub.stop()
        assert b"PICTURE" in line, f"printed {line!r} first"
        check_failure(status, errors)


def check_large_picture(command):
    """A picture that the server does not take costs only itself: those before it are printed."""

    def serve_within_limit(connection):
        greet(connection, limits={**wire.HELLO["limits"], "max_message_bytes": 2 * PICTURE.stat().st_size})
        # The first pictures have no answer while the client comes to the large one.
        held = []
        for received in iter(lambda: connection.receive_within(PAUSE) if held else connection.receive(), None):
            if received.type in (wire.FRAME, wire.END):
                held.append(received)
            else:
                connection.answer(received)
        for one in held:
            connection.answer(one)
        connection.serve()

    stub = StubServer(serve_within_limit)
    with tempfile.NamedTemporaryFile(suffix=".jpg") as large:
        large.write(with_comment(PICTURE.read_bytes(), 2 * PICTURE.stat().st_size))
        large.flush()
        status, output, errors = command.run(stub.port, "--json", PICTURE, PICTURE, large.name)
    stub.stop()
    check_failure(status, errors)
    printed = [json.loads(line)["status"] for line in output.splitlines()]
    assert printed == ["ok", "ok"], f"prints {printed} for two pictures, and one above the server's limit"


def with_comment(jpeg, size):
    """A JPEG with comments of some size in it."""
    segment = b"\xff\xfe\x80\x02" + bytes(1 << 15)
    return jpeg[:2] + segment * -(-size // (1 << 15)) + jpeg[2:]


CHECKS = {
    "options": (
        "the values of `--option` are JSON or strings, and win over what the program sets itself",
        check_options,
    ),
    "wrong-usage": ("wrong usage ends with 2", check_wrong_usage),
    "full-output": ("a full disk under the output ends with 1 and the reason", check_full_output),
    "reader-that-leaves": ("a reader that has seen enough ends the program at once, with 1", check_reader_that_leaves),
    "large-picture": ("a picture above the server's limit costs nothing but itself", check_large_picture),
}


def check(command, report):
    for name, (_, run) in CHECKS.items():
        if name == "full-output" and not os.path.exists("/dev/full"):
            report.skip(f"{command.name}: {name}", "there is no /dev/full")
            continue
        try:
            run(command)
            flaw = None
        except AssertionError as error:
            flaw = str(error)
        report(f"{command.name}: {name}", flaw)
