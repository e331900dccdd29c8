"""Checks a client's command line against the stub; README.md has the options that all of them share."""

import functools
import json
import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path

from . import side_by_side, wire
from .matching import mismatch
from .program import Program, Skipped
from .scenarios import PAUSE
from .stub import StubServer

PICTURE = Path(__file__).resolve().parents[3] / "demo" / "sign.jpg"

#: Seconds that a command may take, whatever becomes of its output; fewer than the stub waits for it.
LIMIT = 10

#: Held while a program starts: until it runs, it has copies of what is open here, such as the pipe of another check.
STARTING = threading.Lock()

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
OWN_OPTIONS = {"client": "my name", "level": "fast", "characters": True, "delivery": "live", "again": 2}

#: What the errors of command lines do not look like: the traces of programs that have crashed.
TRACE = re.compile(r"Traceback|panicked at|^\s+at |^goroutine ", re.MULTILINE)


class CommandLine(Program):
    """A client's command line."""

    prefix = "conformance-command"

    def start(self, port, *arguments, stdout, folder=None, **environment):
        command = [self.path, "--host", "127.0.0.1", "--port", str(port), "--no-wait", *arguments]
        with STARTING:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8",
                errors="replace", cwd=folder, env={**os.environ, **environment},
            )  # fmt: skip

    def run(self, port, *arguments, stdout=subprocess.PIPE, **surroundings):
        """Its exit status, and what it says on standard output and on standard error."""
        return ended(self.start(port, *arguments, stdout=stdout, **surroundings))


def ended(process):
    """How a process ends; raises AssertionError where it does not, and Skipped where it cannot do what is asked for."""
    with process:
        try:
            output, errors = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError(f"went on for {LIMIT} s") from None
    if process.returncode == 77:
        raise Skipped(output.strip())
    return process.returncode, output, errors


def check_failure(status, errors, expected=1):
    """That a command has failed as it should."""
    assert status == expected, f"ended with {status} instead of {expected}; it said {errors.strip()[-400:]!r}"
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


def sent_options(stub, **how):
    """What the last configure asked for."""
    *_, last = [one for one in stub.connections[-1].received if one.type == wire.CONFIGURE]
    return json.loads(last.payload, **how)


def check_options(command):
    values = {f"value{i}": value for i, (_, value) in enumerate(VALUES)}
    for pairs, expected in (
        ([f"value{i}={text}" for i, (text, _) in enumerate(VALUES)], values),
        (["client=my name", "level=fast", "characters=true", "delivery=live", "again=1", "again=2"], OWN_OPTIONS),
    ):
        stub = StubServer(serve)
        given = (part for pair in pairs for part in ("--option", pair))
        status, _, errors = command.run(stub.port, *given, "--level", "accurate", PICTURE)
        stub.stop()
        assert status == 0, f"ended with {status}: {errors.strip()[-400:]}"
        flaw = mismatch(expected, sent_options(stub, object_pairs_hook=without_repetition), "options")
        assert flaw is None, flaw


def check_spelling(command):
    """One dialect of arguments: their order, their forms, and what may stand in a value."""
    for arguments, find in (
        ([PICTURE, "--json", "--find", "-41", PICTURE], "-41"),
        (["--find=--json", PICTURE, "--json", PICTURE], "--json"),
        (["--json", "--find", "-a b", PICTURE, PICTURE], "-a b"),
        (["--json", "--find=a=b", "--orientation=6", PICTURE, PICTURE], "a=b"),
    ):
        stub = StubServer(serve)
        status, output, errors = command.run(1, f"--port={stub.port}", *arguments)
        stub.stop()
        check_failure(status, errors)  # nothing is found
        assert len(output.splitlines()) == 2, f"{arguments} print {output!r}; {errors.strip()[-400:]}"
        sought = sent_options(stub)["find"]
        assert sought == [find], f"{arguments} look for {sought}"


def check_dashes(command):
    """Behind `--`, whatever begins with a dash is a picture; behind an option it is its value."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "-dash.jpg"
        picture.write_bytes(PICTURE.read_bytes())
        stub = StubServer(serve)
        status, output, errors = command.run(stub.port, "--json", "--", picture.name, picture.name, folder=folder)
        stub.stop()
    assert (status, len(output.splitlines())) == (0, 2), f"ended with {status}: {errors.strip()[-400:]}"
    stub = StubServer(serve)
    _, output, errors = command.run(stub.port, "--find", "--", PICTURE, "--json")
    stub.stop()
    assert [line[:1] for line in output.splitlines()] == ["{"], f"prints {output!r} and says {errors.strip()[-400:]}"


def check_address(command):
    """An address of IPv6 may stand in brackets, as in a URL."""
    try:
        stub = StubServer(serve, host="::1")
    except OSError as error:
        raise Skipped(f"no IPv6: {error}") from None
    for host in ("::1", "[::1]"):
        status, output, errors = command.run(stub.port, "--host", host, PICTURE)
        assert status == 0, f"--host {host} ends with {status}: {errors.strip()[-400:]}"
        assert "PICTURE" in output, f"--host {host} prints {output!r}"
    stub.stop()


def check_wrong_usage(command):
    with tempfile.TemporaryDirectory() as folder:
        empty, odd = Path(folder) / "empty", Path(folder) / "odd"
        empty.touch()
        odd.write_text('{"tokens":[]}')
        for *wrong, reason in (
            ["--option", "nonsense", PICTURE, "nonsense"],
            ["--option", "=1", PICTURE, "=1"],
            ["--turbo", PICTURE, "turbo"],
            ["--turbo=1", PICTURE, "turbo"],
            [PICTURE, "--find", "find"],
            ["--json=yes", PICTURE, "json"],
            *(["--port", port, PICTURE, "port"] for port in ("0", "70000", "-1", "", "http")),
            ["--orientation", "9", PICTURE, "orientation"],
            ["--token-file", "", PICTURE, "token-file|file|directory"],
            ["--tls-ca", "", PICTURE, "tls-ca|file|directory"],
            *(["--token-file", path, PICTURE, str(path)] for path in (empty, odd, folder, f"{folder}/absent")),
            *(["--tls-ca", path, PICTURE, f"{path}|--tls-ca"] for path in (empty, odd, folder, f"{folder}/absent")),
            ["--option", "recognize=false", PICTURE, "recognize"],
            ["--find", b"\xe9", PICTURE, ""],
        ):
            status, _, errors = command.run(1, *wrong)
            check_failure(status, errors, expected=2)
            assert re.search(reason, errors), f"{wrong} ends with {errors.strip()[-400:]!r}, and no word on {reason}"


def check_token(command):
    """The option wins over the variable, of which an empty one is none; of a server's file the first token is sent."""
    with tempfile.TemporaryDirectory() as folder:
        plain, several = Path(folder) / "plain", Path(folder) / "several"
        plain.write_text(" open sesame\n")
        several.write_text('\n {"tokens": [{"name": "tokens", "x": [{}], "token": "\\u00e9\\"1"}, {"token": "2"}]}\n')
        for variable, option, token in (
            ("", None, None),
            (plain, None, "open sesame"),
            ("/absent", plain, "open sesame"),
            (plain, several, 'é"1'),
        ):
            stub = StubServer(serve)
            given = [] if option is None else ["--token-file", option]
            status, _, errors = command.run(stub.port, *given, PICTURE, GLYPHWIRE_TOKEN_FILE=str(variable))
            stub.stop()
            assert status == 0, f"ended with {status}: {errors.strip()[-400:]}"
            sent = sent_options(stub).get("token")
            assert sent == token, f"sends {sent!r} instead of {token!r}"
        status, _, errors = command.run(1, "--help", GLYPHWIRE_TOKEN_FILE="/absent")
        assert status == 0, f"--help ends with {status}: {errors.strip()[-400:]}"


def printed_frames(output):
    """What `--json` has printed of each frame."""
    lines = map(json.loads, output.splitlines())
    return [(line["sequence"], line.get("code", line["status"])) for line in lines]


def check_absent_picture(command):
    """A picture that cannot be opened costs only itself, and keeps its number."""
    with tempfile.TemporaryDirectory(suffix=".jpg") as folder:
        absent = f"{folder}/absent.jpg"
        stub = StubServer(serve)
        status, output, errors = command.run(stub.port, "--json", PICTURE, absent, folder, PICTURE)
        stub.stop()
    check_failure(status, errors)
    assert absent in errors and errors.count(folder) > 1, f"does not name what is missing: {errors.strip()[-400:]!r}"
    printed = printed_frames(output)
    assert printed == [(0, "ok"), (3, "ok")], f"prints {printed}"


def check_lost_frames(command):
    """A frame without an answer has a line as well; the numbers are those of the pictures, from 0."""
    def lose(connection):
        greet(connection)
        if connection.number > 1:
            return connection.serve(answer=lambda received: answer(connection, received))
        connection.serve(frames=1, answer=lambda received: answer(connection, received))
        while not connection.frames[1:]:
            if not connection.receive():
                return
        connection.reset()

    stub = StubServer(lose)
    status, output, errors = command.run(stub.port, "--json", PICTURE, PICTURE, PICTURE, PICTURE, PICTURE, PICTURE)
    stub.stop()
    check_failure(status, errors)
    printed = printed_frames(output)
    assert [number for number, _ in printed] == list(range(6)), f"prints {printed} for six pictures"
    assert (1, "connection_lost") in printed, f"does not print what was lost: {printed}"


def check_changes(command):
    """Where only changes are reported, what has come is printed, and counts as found."""
    box = {"box": [0, 0, 1, 0, 1, 1, 0, 1]}
    changes = [
        {"type": "appeared", "id": 1, "text": "PIER", **box, "confidence": 1},
        {"type": "changed", "id": 2, "text": "FERRY", "previous": "BERRY", **box, "confidence": 1},
        {"type": "lost", "id": 3, "text": "GATE", **box, "confidence": 1},
    ]

    def tell(connection, of_matches):
        def reply(received):
            if received.type != wire.FRAME:
                return connection.answer(received)
            told = [{**one, **({"pattern": 0} if of_matches else {})} for one in changes]
            connection.answer_frame({**wire.result(received, []), "changes": told})

        greet(connection)
        connection.serve(answer=reply)

    for find in ([], ["--find", "pier"]):
        stub = StubServer(lambda connection: tell(connection, bool(find)))
        status, output, errors = command.run(stub.port, "--option", "report=changes", *find, PICTURE)
        stub.stop()
        assert status == 0, f"ended with {status}: {errors.strip()[-400:]}"
        assert "PIER" in output and "FERRY" in output and "GATE" not in output, f"prints {output!r} of changes"


def check_names(command):
    """The names of files are bytes. Some languages open them in a locale of UTF-8 only; what they cannot open is told."""
    in_utf8 = "été 日本.jpg".encode()
    for name in (in_utf8, b"latin-\xe9.jpg"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(os.fsencode(folder), name)
            Path(os.fsdecode(path)).write_bytes(PICTURE.read_bytes())
            for locale in ("C", "C.UTF-8"):
                stub = StubServer(serve)
                status, output, errors = command.run(stub.port, path, LC_ALL=locale)
                stub.stop()
                where = f"the picture {name!r} in the locale {locale}"
                assert not TRACE.search(errors), f"{where} crashes: {errors.strip()[-400:]}"
                if status and not (name == in_utf8 and locale == "C.UTF-8"):
                    assert status in (1, 2), f"{where} ends with {status}: {errors.strip()[-400:]}"
                    assert folder in errors, f"ended with {status}, and does not name the picture: {errors.strip()[-400:]!r}"
                    continue
                assert status == 0, f"{where} ends with {status}: {errors.strip()[-400:]}"
                assert "PICTURE" in output, f"{where} prints {output!r}"
                # A film has no names to print.
                printed = output.encode(errors="replace")
                assert name != in_utf8 or locale == "C" or folder not in output or name in printed, f"{where} prints {output!r}"


def check_full_output(command):
    if not os.path.exists("/dev/full"):
        raise Skipped("there is no /dev/full")
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
        reader = open(reading, "rb")
        line = reader.readline()
        with STARTING:
            reader.close()
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
    "spelling": ("options and pictures in any order, `--name=value`, and values that begin with a dash", check_spelling),
    "dashes": ("behind `--` names of pictures may begin with a dash", check_dashes),
    "address": ("an IPv6 address is taken with brackets and without", check_address),
    "wrong-usage": ("wrong usage ends with 2 and the reason", check_wrong_usage),
    "token": ("the option wins over the variable, and of several tokens the first is sent", check_token),
    "absent-picture": ("a picture that cannot be opened costs nothing but itself", check_absent_picture),
    "lost-frames": ("`--json` has a line for a frame without an answer, too", check_lost_frames),
    "changes": ("`report=changes` prints what has come, and it counts as found", check_changes),
    "names": ("names beyond ASCII are read in a UTF-8 locale; what cannot be read elsewhere is told", check_names),
    "full-output": ("a full disk under the output ends with 1 and the reason", check_full_output),
    "reader-that-leaves": ("a reader that has seen enough ends the program at once, with 1", check_reader_that_leaves),
    "large-picture": ("a picture above the server's limit costs nothing but itself", check_large_picture),
}


def check(commands, jobs, report):
    checks = [
        (f"{command.name}: {name}", functools.partial(run, command))
        for command in commands
        for name, (_, run) in CHECKS.items()
    ]
    side_by_side.run(checks, jobs, report)
