"""Checks a client through its driver; README.md has the rules for drivers."""

import functools
import json
import operator
import re
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from . import side_by_side, wire
from .program import Program
from .scenarios import SCENARIOS
from .server_check import ServerProgram, program_path
from .stub import StubServer
from .wire import FRAME, configure, message

DEMO = Path(__file__).resolve().parents[3] / "demo" / "session.gws"

#: Seconds that a driver may take with the stub, not more than a client's usual patience; and with a real server.
STUB_LIMIT = 30
SERVER_LIMIT = 180

#: Frames lost with a connection that are not seen here where its sockets hold data back: one that was sent in part, and one
#: that waits behind it in the buffer of a runtime such as asyncio's, of which the client does not know whether anything was sent.
UNSEEN = 2


class Driver(Program):
    """What plays a session through a client."""

    prefix = "conformance-driver"

    def start(self, port, session, *arguments):
        command = [self.path, "127.0.0.1", str(port), session, *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, port, session, *arguments, limit, deaf_for=0):
        """Its lines, which nobody takes for some seconds, its exit status, and what it says on standard error."""
        with self.start(port, session, *arguments) as process:
            time.sleep(deaf_for)
            try:
                output, errors = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                process.kill()
                output, errors = process.communicate()
                said = f"{output.count(bytes([10]))} lines, and: {errors.decode(errors='replace')}"
                return output.split(b"\n")[:-1], None, f"was killed after {limit} s; until then {said}"
        return output.split(b"\n")[:-1], process.returncode, errors.decode(errors="replace")


def session_file(messages):
    file = tempfile.NamedTemporaryFile(suffix=".gws")
    for one in messages:
        file.write(one.bytes)
    file.flush()
    return file


# What a client sends


def same_options(sent, expected):
    """Whether a message has these options; on which of them the token is shown is for the server to say."""
    try:
        found, wanted = (json.loads(one.payload or b"{}") for one in (sent, expected))
    except ValueError:
        return False
    return all(isinstance(one, dict) for one in (found, wanted)) and without_token(found) == without_token(wanted)


def without_token(options):
    return {name: value for name, value in options.items() if name != "token"}


def options_in_force(session, place):
    """The last `configure` before the frame that has this place among those of a session; None where there is none."""
    options, frames = None, 0
    for one in session:
        if one.type == FRAME and frames == place:
            break
        frames += one.type == FRAME
        options = one if one.type == wire.CONFIGURE else options
    return options


def take_options(received):
    """Takes the message off that has a connection's first options, and one before it that has the token alone."""
    first = received.pop(0)
    is_alone = first.type == wire.CONFIGURE and same_options(first, configure())
    return received.pop(0) if is_alone and received and received[0].type == wire.CONFIGURE else first


def frames_sent(connections, scenario):
    """The place in the session of each frame that came in, and what each was answered with; raises AssertionError.

    Also the places of those whose answers a reset may have thrown away.
    """
    session = scenario.session
    frames = [one for one in session if one.type == FRAME]
    answers, may_be_lost, place, may_lack = {}, set(), -1, 0
    for connection in connections:
        received = list(connection.received)
        options = options_in_force(session, place + 1)
        if options and received:
            first = take_options(received)
            assert first.type == wire.CONFIGURE and same_options(first, options), (
                f"connection {connection.number} begins with {first.name} {first.payload[:80]!r}, not with the options"
            )
        taken = [one for one in received if one.type == FRAME]
        for number, one in enumerate([*taken, *filter(None, [connection.part])]):
            is_same = begins_with if one is connection.part else operator.eq
            found = next((i for i in range(place + 1, len(frames)) if is_same(frames[i], one)), None)
            assert found is not None, (
                f"connection {connection.number}: {describe(one)} is not what comes next in the session"
                + (f", which was followed by {describe(frames[place + 1])}" if place + 1 < len(frames) else "")
            )
            assert found - place - 1 <= may_lack, (
                f"connection {connection.number}: {describe(one)} came, and {found - place - 1} frames before it did not"
            )
            place, may_lack = found, 0
            answers[place] = connection.answers[number] if number < len(connection.answers) else None
            if connection.is_reset:
                may_be_lost.add(place)
        # What a reset of either side has thrown away is not seen here.
        is_reset = connection.is_reset or connection.was_reset_by_client
        may_lack = len(frames) if is_reset else may_lack + (UNSEEN if scenario.receive_buffer else 0)
    return answers, may_be_lost


def begins_with(frame, part):
    """Whether a frame is the one that came in part."""
    return frame._replace(payload=frame.payload[: len(part.payload)]) == part


def describe(frame):
    head = ", ".join(f"{name} {value}" for name, value in zip(frame._fields[1:], frame[1:-1]) if value)
    return f"a frame with {head} and {len(frame.payload)} bytes"


def check_completeness(connections, answers, scenario):
    """That the session came to its end, and on one connection each of its messages in its place."""
    if scenario.connections == 1:
        check_sequence(connections, scenario)
    last = sum(one.type == FRAME for one in scenario.session) - 1
    assert last < 0 or last in answers, "the last frame did not come"
    assert [one.type for one in connections[-1].received[-1:]] == [wire.END], "the stream was not ended"


def check_sequence(connections, scenario):
    """That one connection brought the session's messages, each in its place."""
    # A client may ping of its own accord.
    pings_itself = all(one.type != wire.PING for one in scenario.session)

    def summary(messages):
        told = (one for one in messages if not (pings_itself and one.type == wire.PING))
        return [(one.type, None if one.type == FRAME else json.loads(one.payload or b"null")) for one in told]

    expected, found = summary(scenario.session), summary(connections[0].received)
    assert found == expected, (
        f"messages of the types {[t for t, _ in found]} instead of {[t for t, _ in expected]}, or other options"
    )


# What a client prints


def words(line):
    """What a driver prints for a line with --words."""
    fields = json.loads(line)
    texts = [word["text"] for one in fields.get("lines", []) for word in one["words"]]
    return "\t".join([str(fields["sequence"]), fields["status"], fields.get("code", ""), *texts]).encode()


def is_lost(line, frame, with_words):
    """Whether a line says that the answer to a frame was lost."""
    if with_words:
        return line == b"%d\terror\tconnection_lost" % frame.sequence
    try:
        fields = json.loads(line)
    except ValueError:
        return False
    told = {
        "type": "result",
        "sequence": frame.sequence,
        "captured_us": frame.captured_us,
        "status": "error",
        "code": "connection_lost",
    }
    return isinstance(fields, dict) and {name: fields.get(name) for name in told} == told


def sequence_of(line, with_words):
    """The frame that a driver's line is about; None if it does not say."""
    try:
        value = int(line.split(b"\t", 1)[0]) if with_words else json.loads(line)["sequence"]
    except (ValueError, TypeError, LookupError):
        return None
    return value if isinstance(value, int) else None


def check_lines(lines, answers, may_be_lost, scenario, with_words):
    frames = [one for one in scenario.session if one.type == FRAME]
    assert len(lines) <= len(frames), f"{len(lines)} lines for {len(frames)} frames"
    for place, (line, frame) in enumerate(zip(lines, frames)):
        answer = answers.get(place)
        other = sequence_of(line, with_words)
        assert other in (None, frame.sequence), (
            f"frame {frame.sequence} has no line: line {place + 1} is that of frame {other}"
        )
        if is_lost(line, frame, with_words):
            assert answer is None or place in may_be_lost, (
                f"frame {frame.sequence} is told as lost, but was answered"
            )
            continue
        assert answer is not None, f"frame {frame.sequence} has the line {line[:200]!r}, but no answer was sent"
        expected = words(answer) if with_words else answer
        assert line == expected, f"frame {frame.sequence}: {line[:300]!r} instead of {expected[:300]!r}"
    if scenario.ends:
        missing = [frames[place].sequence for place in answers if place >= len(lines)]
        assert not missing, f"frames {missing} were sent, and there is no line for them"
    else:
        assert len(lines) == len(frames), f"{len(lines)} lines for {len(frames)} frames"


def check_end(status, errors, scenario):
    last = errors.strip().rpartition("\n")[2]
    if scenario.ends:
        wanted = f"client-error: {scenario.ends}"
        assert status == 1 and (last == wanted or last.startswith(f"{wanted}:")), (
            f"ended with {status} and {last!r} instead of 1 and {wanted!r}"
        )
    else:
        assert status == 0, f"ended with {status}: {errors.strip()[-400:]}"


def play(driver, scenario, with_words):
    """Plays a scenario to a client; raises AssertionError with what is wrong."""
    stub = StubServer(scenario.script, receive_buffer=scenario.receive_buffer)
    if not scenario.is_reachable:
        stub.stop_listening()
    arguments = [*scenario.arguments, *(["--words"] if with_words else [])]
    with session_file(scenario.session) as session:
        lines, status, errors = driver.run(
            stub.port, session.name, *arguments, limit=STUB_LIMIT, deaf_for=scenario.deaf_for
        )
    stub.stop()
    check_end(status, errors, scenario)
    answers, may_be_lost = frames_sent(stub.connections, scenario)
    check_lines(lines, answers, may_be_lost, scenario, with_words)
    assert len(stub.connections) == scenario.connections, (
        f"{len(stub.connections)} connections instead of {scenario.connections}"
    )
    if not scenario.ends:
        check_completeness(stub.connections, answers, scenario)
    is_served = all(answers.get(place) for place in range(len(lines)))
    if not scenario.ends and not is_served:
        for connection in (stub.connections[0], stub.connections[-1]):
            assert connection.answers, f"connection {connection.number} brought no frame"
    for number, failure in stub.failures:
        # A client that has seen enough leaves, and one that stays till the stub's patience ends has not.
        has_left = isinstance(failure, OSError) and not isinstance(failure, socket.timeout)
        assert scenario.ends and has_left, f"connection {number}: {type(failure).__name__}: {failure}"


def play_twice(driver, scenario):
    """Plays a scenario once for the lines, and once for what the client understood."""
    play(driver, scenario, with_words=False)
    try:
        play(driver, scenario, with_words=True)
    except AssertionError as error:
        raise AssertionError(f"--words: {error}") from None


def check_with_stub(drivers, only, jobs, report):
    """Plays every scenario to every client, or those of some names."""
    played = [
        (f"{driver.name}: {scenario.name}", functools.partial(play_twice, driver, scenario))
        for driver in drivers
        for scenario in SCENARIOS
        if not only or scenario.name in only
    ]
    side_by_side.run(played, jobs, report)


# With a real server

TIMES = re.compile(rb',"timings_us":\{[^}]*\}|,"age_ms":-?[0-9.]+')


def without_times(lines):
    return [TIMES.sub(b"", line) for line in lines]


def first_difference(found, expected):
    if found == expected:
        return None
    place = next((i for i, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
    show = [lines[place][:200] if place < len(lines) else b"nothing" for lines in (found, expected)]
    return f"{len(found)} lines of {len(expected)}; line {place + 1} is {show[0]!r} instead of {show[1]!r}"


def play_raw(port, data):
    """The result lines that a session is answered with when its bytes are sent as they are."""
    with socket.create_connection(("127.0.0.1", port), timeout=SERVER_LIMIT) as connection:
        sender = threading.Thread(target=connection.sendall, args=(data,), daemon=True)
        sender.start()
        lines = connection.makefile("rb").read().split(b"\n")[:-1]
        sender.join()
    return [line for line in lines if json.loads(line)["type"] == "result"]


def every_frame(port):
    """The option that keeps the server from leaving out frames, where it has one."""
    with socket.create_connection(("127.0.0.1", port), timeout=SERVER_LIMIT) as connection:
        hello = json.loads(connection.makefile("rb").readline())
    return {"delivery": "every"} if "delivery" in hello["features"] else {}


def demo_session(port):
    """The messages of the demo session, of which every frame is to be read."""
    first, *others = wire.messages(DEMO.read_bytes())
    return [configure(**{**json.loads(first.payload), **every_frame(port)}), *others]


def check_demo(drivers, program, report):
    """Plays the demo session through every client, and through none."""
    with ServerProgram(program) as server:
        messages = demo_session(server.port)
        expected = without_times(play_raw(server.port, b"".join(one.bytes for one in messages)))
        frames = sum(one.type == FRAME for one in messages)
        report(
            f"demo session: {frames} frames sent as they are",
            None if len(expected) == frames else f"{len(expected)} results",
        )
        with session_file(messages) as session:
            for driver in drivers:
                lines, status, errors = driver.run(server.port, session.name, limit=SERVER_LIMIT)
                flaw = (
                    first_difference(without_times(lines), expected)
                    if status == 0
                    else f"ended with {status}: {errors}"
                )
                report(f"{driver.name}: demo session, the same bytes", flaw)
            replay = Path(program_path(program)).with_name("glyphwire-replay")
            if replay.exists():
                flaw = first_difference(without_times(replayed(replay, server.port, session.name)), expected)
                report("swift: demo session, the same bytes", flaw)
            else:
                report.skip("swift", f"there is no {replay}")


def replayed(program, port, session):
    """The result lines that the Swift client receives."""
    with tempfile.NamedTemporaryFile() as results:
        command = [program, "run", session, "--port", str(port), "--speed", "1000", "--results", results.name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SERVER_LIMIT)
        lines = Path(results.name).read_bytes().split(b"\n")[:-1]
    return [line for line in lines if json.loads(line)["type"] == "result"]


def restart_session(port):
    """Frames of which sockets hold only a few, each with text on it."""
    (sign,) = (one for one in wire.vector("113-bgra") if one.type == FRAME)
    side = sign.width * 4
    rows = [sign.payload[i * side : (i + 1) * side].ljust(1280 * 4, b"\xff") for i in range(sign.height)]
    payload = b"".join(rows) + b"\xff" * (1280 * 4 * (720 - sign.height))
    frames = [sign._replace(sequence=i, width=1280, height=720, payload=payload) for i in range(1, 41)]
    return [configure(client="restart", **every_frame(port)), *frames, message(wire.END)]


def check_restart(driver, program, report):
    """Stops the server in mid-stream and starts it again on the same port."""
    server = ServerProgram(program)
    messages = restart_session(server.port)
    frames = [one.sequence for one in messages if one.type == FRAME]
    with session_file(messages) as session:
        process = driver.start(server.port, session.name, "--reconnect")
        timer = threading.Timer(SERVER_LIMIT, process.kill)
        timer.start()
        lines = [process.stdout.readline() for _ in range(5)]
        server.stop()
        with ServerProgram(program, port=server.port):
            lines += process.stdout.readlines()
            errors = process.stderr.read().decode(errors="replace")
            status = process.wait()
        timer.cancel()
        process.stdout.close()
        process.stderr.close()
    report(f"{driver.name}: a server restart in mid-stream", restart_flaw(lines, frames, status, errors))


def restart_flaw(lines, frames, status, errors):
    if status != 0:
        return f"ended with {status}: {errors}"
    try:
        results = [json.loads(line) for line in lines]
        found = [one["sequence"] for one in results]
    except (ValueError, TypeError, LookupError) as error:
        return f"prints what is no result: {type(error).__name__}: {error}"
    if found != frames:
        place = next((i for i, (a, b) in enumerate(zip(found, frames)) if a != b), min(len(found), len(frames)))
        if place == len(frames):
            return f"{len(found)} results for {len(frames)} frames"
        instead = f"that of frame {found[place]} stands in its place" if place < len(found) else "there are no more"
        return f"frame {frames[place]} has no result: {instead}"
    codes = [one.get("code", one["status"]) for one in results]
    if codes[:5] != ["ok"] * 5 or codes[-5:] != ["ok"] * 5 or not set(codes) <= {"ok", "connection_lost"}:
        return f"the frames became {codes}"
    return None
