"""What the stub does to a client, and what the client should make of it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Callable

from . import wire
from .stub import StubConnection
from .wire import CONFIGURE, END, FRAME, PING, STATS, Message, configure, message


@dataclass
class Scenario:
    name: str
    #: What it shows, in a sentence.
    about: str
    session: list[Message]
    #: What is done with each connection.
    script: Callable
    #: How the driver must end: "" for the end of the stream, else what follows `client-error:`.
    ends: str = ""
    #: More arguments for the driver.
    arguments: tuple = ()
    #: How many connections the client must make.
    connections: int = 1
    receive_buffer: int | None = None
    #: Seconds in which nobody takes what the driver prints.
    deaf_for: float = 0
    #: Whether anybody listens at all.
    is_reachable: bool = True


SCENARIOS = []


def scenario(name, about, session, **more):
    def add(script):
        SCENARIOS.append(Scenario(name, about, session, script, **more))
        return script

    return add


# Sessions

GRAY = dict(format=5, width=8, height=4)


def frame(sequence, payload=bytes(32), **fields):
    return message(FRAME, payload, sequence=sequence, **{**GRAY, **fields})


def small(count=6, **options):
    """Options, a few small frames, and the end."""
    frames = [frame(i, captured_us=1763704800000000 + 33333 * i) for i in range(1, count + 1)]
    return [configure(**(options or {"client": "conformance"})), *frames, message(END)]


def large(count, size=1 << 18):
    """More bytes than sockets hold: what of it is under way is a small part."""
    frames = [frame(i, bytes([i % 251]) * size, width=512, height=512) for i in range(1, count + 1)]
    return [configure(client="conformance"), *frames, message(END)]


def from_vectors():
    """A frame of each format and orientation, as the test vectors send them."""
    names = [
        "101-jpeg-420",
        "108-jpeg-with-its-size",
        "111-bgra-lz4-block",
        "112-bgra-lz4-block-padded",
        "113-bgra",
        "114-bgra-padded",
        "115-bgra-lz4-frame",
        "121-gray",
        "122-gray-padded",
        "123-gray-lz4-block",
        *(f"20{i}-orientation-{i}" for i in range(1, 9)),
    ]
    frames = [one for name in names for one in wire.vector(name) if one.type == FRAME]
    return [one._replace(sequence=i, captured_us=1000 * i) for i, one in enumerate(frames, 1)]


def everything():
    frames = from_vectors()
    return [
        configure(client="conformance", level="accurate", regionOfInterest=[0, 0.5, 1, 0.5], languages=["en", "de"]),
        *frames[:5],
        message(PING, captured_us=7),
        *frames[5:12],
        message(STATS),
        *frames[12:18],
        configure(1, characters=False),
        *frames[18:],
        message(END),
    ]


# A session that goes well


def serve(connection):
    connection.greet()
    connection.serve()


def greet_within(connection, limit):
    """Greets as a server that takes messages of so many bytes."""
    connection.greet(limits={**wire.HELLO["limits"], "max_message_bytes": limit})


def check_limit(connection, limit):
    for one in connection.received:
        if len(one.bytes) - 4 > limit:
            connection.complain(f"{one.name} was sent, though it is above max_message_bytes (rule M6)")


def serve_within(connection, limit):
    """Serves a client that has larger frames, until it ends the stream."""
    greet_within(connection, limit)
    if not connection.serve():
        connection.complain("the stream was not ended: a frame above the limit leaves the connection open (rule M6)")
    check_limit(connection, limit)


scenario("session", "every format, every orientation and every message, and texts from many scripts", everything())(
    serve
)
scenario("no-frames", "a stream that ends at once", [message(END)])(serve)
scenario("no-options", "a stream without configure sends none", [frame(1), frame(2), message(END)])(serve)
scenario(
    "large-numbers",
    "sequences of 64 bits, that repeat and go down",
    [
        frame(sequence, captured_us=captured)
        for sequence, captured in [(2**64 - 1, 2**64 - 1), (0, 0), (2**53 + 1, 2**63 + 1), (5, 1), (5, 2), (3, 3)]
    ]
    + [message(END)],
)(serve)


@scenario(
    "every-member",
    "results with every member that there may be, the last first",
    small(4, candidates=2, temporal=True, find=["exit", "/\\d+/"]),
)
def every_member(connection):
    connection.greet()

    def answer(received):
        if received.type == FRAME:
            connection.answer_frame(wire.full_result(received))
        else:
            connection.answer(received)

    connection.serve(answer=answer)


FRAME_CODES = [
    "unsupported_flag",
    "unknown_format",
    "bad_orientation",
    "empty_payload",
    "bad_dimensions",
    "too_many_pixels",
    "size_mismatch",
    "jpeg_corrupt",
    "jpeg_unsupported",
    "lz4_corrupt",
    "internal_error",
    "code_of_tomorrow",
]


@scenario("frame-errors", "a frame that could not be read costs nothing but itself", small(2 * len(FRAME_CODES)))
def frame_errors(connection):
    connection.greet()

    def answer(received):
        if received.type == FRAME and received.sequence % 2:
            connection.answer_frame(wire.failed(received, FRAME_CODES[received.sequence // 2]))
        else:
            connection.answer(received)

    connection.serve(answer=answer)


@scenario("unknown", "lines, statuses, members and features of a later version are passed over", small(8))
def unknown(connection):
    connection.greet(features=["stats", "telepathy"], motd={"nested": [1, 2.5, None, True, {"type": "result"}]})

    def answer(received):
        connection.send_line({"type": "weather", "sequence": received.sequence, "status": "ok"})
        if received.type != FRAME:
            return connection.answer(received)
        line = wire.result(received, ["one two", "three"])
        said = {name: line[name] for name in ("type", "sequence", "captured_us")}
        line = {
            1: {
                **said,
                "status": "dropped",
                "reason": "superseded",
                "by": 3,
                "age_ms": 12.5,
                "timings_us": wire.TIMINGS,
            },
            2: {**said, "status": "expired", "age_ms": 2000, "timings_us": wire.TIMINGS},
            3: {**said, "status": "postponed", "until": {"moon": "full"}},
            4: {
                **line,
                "language": "en",
                "page": [{"lines": []}],
                "lines": [
                    {"style": None, **text, "words": [{"id": 7, **word} for word in text["words"]]}
                    for text in line["lines"]
                ],
            },
            5: dict(reversed(list(line.items()))),
            6: {**line, "candidates": "what?", "age_ms": 3},
            7: {**line, "warnings": [{"code": "of_tomorrow", "row": -1, "scale": "x"}, {"code": "other", "row": None}]},
        }.get(received.sequence, line)
        connection.answer_frame(line)
        connection.send_line({"type": "hint"})

    connection.serve(answer=answer)


@scenario("escapes", "JSON in any spelling: escapes, surrogate pairs, spaces, numbers with exponents", small(5))
def escapes(connection):
    connection.send_line(json.dumps(wire.HELLO, indent=None, separators=(" , ", " : ")).encode())
    texts = [
        "EXIT 42",
        "\u2028line\u2029 \u007f\u0001 tab-free",
        'Übergang "quoted" back\\slash',
        "梧桐里街 𝔄🚉",
        "slash/es \b\f",
    ]

    def answer(received):
        if received.type != FRAME:
            return connection.answer(received)
        fields = wire.result(received, [texts[received.sequence - 1]])
        line = json.dumps(fields, ensure_ascii=True, separators=(" ,\t", " :\r ")).encode()
        line = line.replace(b"slash/es", b"slash\\/es").replace(b"0.981", b"9.81e-1").replace(b": 42,", b": 42 ,")
        connection.answer_frame(line)

    connection.serve(answer=answer)


@scenario("byte-by-byte", "lines that come in single bytes", small(4))
def byte_by_byte(connection):
    def send(data):
        for byte in data:
            connection.send(bytes([byte]))

    send(wire.dump(wire.HELLO) + b"\n")
    connection.serve(answer=lambda received: connection.answer(received, send=send))


@scenario("all-at-once", "all lines in one piece, behind the last message", small(40))
def all_at_once(connection):
    connection.greet()
    connection.answer(connection.receive())
    waiting = bytearray()
    connection.serve(answer=lambda received: connection.answer(received, send=waiting.extend))
    connection.send(bytes(waiting))


@scenario("long-lines", "lines of some megabytes", small(3))
def long_lines(connection):
    connection.greet()

    def answer(received):
        if received.type != FRAME:
            return connection.answer(received)
        connection.answer_frame(
            wire.result(received, [f"line {i} of a long page" for i in range(900 * received.sequence)])
        )

    connection.serve(answer=answer)


@scenario(
    "slow-reader", "a server that is behind holds the client back, and loses nothing", large(64), receive_buffer=1 << 14
)
def slow_reader(connection):
    connection.greet()
    connection.serve(frames=2)
    time.sleep(0.3)  # long enough for a client to fill everything it has
    connection.serve()


@scenario("both-ways", "a server that reads no further until its answer is read", large(48), receive_buffer=1 << 14)
def both_ways(connection):
    connection.greet()
    texts = ["a page of many words"] * 200

    def answer(received):
        if received.type == FRAME:
            connection.answer_frame(wire.result(received, texts))
        else:
            connection.answer(received)

    connection.serve(answer=answer)


#: Seconds after which a client that has not gone on sending waits for answers.
PAUSE = 0.5
#: More than may be under way at once.
FILES = 3 * wire.WINDOW


def answer_what_comes(connection, least):
    """Answers the messages that a client sends before it waits for answers, at least so many; returns them."""
    waiting = [connection.receive() for _ in range(least)]
    assert None not in waiting, "the client has left"
    waiting += iter(lambda: connection.receive_within(PAUSE), None)
    for one in waiting:
        connection.answer(one)
    return waiting


@scenario(
    "window",
    "of files, more are under way than the server works on, at most twice as many, and the end follows the last answer",
    small(FILES, delivery="every"),
)
def window(connection):
    connection.greet()
    connection.answer(connection.receive())
    left = FILES
    while left > 0:
        came = answer_what_comes(connection, min(left, wire.WINDOW + 1))
        types = [one.type for one in came]
        if set(types) != {FRAME} or len(types) > 2 * wire.WINDOW:
            connection.complain(
                f"messages of the types {types} without waiting for an answer, not at most {2 * wire.WINDOW} frames"
            )
        left -= len(came)
    connection.serve()


# A connection that is lost, and a client that does not reconnect


@scenario("lost", "frames without an answer are reported, and the stream has failed", small(12), ends="connection_lost")
def lost(connection):
    connection.greet()
    connection.serve(frames=4)
    connection.finish()


@scenario("lost-in-mid-line", "half a line is no line", small(12), ends="connection_lost")
def lost_in_mid_line(connection):
    connection.greet()
    connection.serve(frames=4)
    connection.send(wire.dump(wire.result(connection.receive()))[:-1])
    connection.finish()


@scenario(
    "lost-by-reset",
    "a connection that is reset",
    large(64),
    ends="connection_lost",
    receive_buffer=1 << 14,
)
def lost_by_reset(connection):
    connection.greet()
    connection.serve(frames=4)
    connection.reset()


@scenario("no-end-line", "a server that closes without an end line has not finished", small(), ends="connection_lost")
def no_end_line(connection):
    connection.greet()
    connection.serve(frames=6)
    connection.finish()


@scenario("fatal-error", "a fatal error ends the stream, and says why", small(12), ends="refused code_of_tomorrow")
def fatal_error(connection):
    connection.greet()
    connection.serve(frames=4)
    connection.send_line(wire.error(5, "code_of_tomorrow", True))
    connection.finish()


@scenario(
    "lost-before-the-greeting",
    "a first connection is not tried again",
    small(),
    ends="connection_lost",
    arguments=("--reconnect",),
)
def lost_before_the_greeting(connection):
    connection.finish()


# A connection that is lost, and a client that reconnects


def restart(name, about):
    return scenario(name, about, large(96), arguments=("--reconnect",), connections=3, receive_buffer=1 << 14)


@restart("restart", "a server that stops in mid-stream, twice, and is back at once")
def stop_twice(connection):
    connection.greet()
    if connection.number < 3:
        connection.serve(frames=3)
        connection.finish()
    else:
        connection.serve()


@restart(
    "restart-in-mid-line", "half a line before the restart is no answer, and does not reach into the next connection"
)
def stop_in_mid_line(connection):
    connection.greet()
    if connection.number < 3:
        connection.serve(frames=3)
        connection.send(wire.dump(wire.result(connection.receive()))[:-20])
        connection.finish()
    else:
        connection.serve()


@restart("restart-in-mid-frame", "a frame of which half was taken is not sent again")
def stop_in_mid_frame(connection):
    connection.greet()
    if connection.number < 3:
        connection.serve(frames=3)
        connection.receive_part(1 << 17)
        connection.reset()
    else:
        connection.serve()


#: Seconds that a server is away: longer than a client needs to see that, and to try a few times.
AWAY = 0.5


@restart("restart-after-a-while", "a server that is away for a while, and refuses who tries")
def stop_for_a_while(connection):
    if connection.number < 3:
        connection.greet()
        connection.serve(frames=3)
        connection.server.stop_listening()
        connection.say_no_more()
        time.sleep(AWAY)
        connection.server.listen()
        connection.take_the_rest()
    else:
        connection.greet()
        connection.serve()


@restart("restart-by-fatal-error", "an error that another connection may not meet")
def stop_by_fatal_error(connection):
    connection.greet()
    if connection.number < 3:
        connection.serve(frames=3)
        connection.send_line(wire.error(None, "code_of_tomorrow", True))
        connection.finish()
    else:
        connection.serve()


#: Seconds in which a client that sends behind a goaway would have done so.
GOODBYE = 0.5


@restart("goaway", "a server that says that it stops, answers what it took, and is back")
def go_away(connection):
    connection.greet()
    if connection.number < 3:
        connection.serve(frames=2)
        connection.send_line({"type": "goaway", "grace_ms": 10000})
        # Sockets are full meanwhile: who sends on behind it is not done before the client could read it.
        time.sleep(GOODBYE)
        for received in iter(lambda: connection.receive_within(GOODBYE), None):
            connection.answer(received)
        connection.finish()
    else:
        connection.serve()


def say_goodbye(connection, frames=1):
    """Answers frames and stats, with a goaway between the answers: whoever waits for stats has seen it."""
    connection.serve(frames)
    stats = connection.receive()
    connection.send_line({"type": "goaway", "grace_ms": 10000})
    connection.answer(stats)


def go_away_unanswered(connection, frames=1):
    """Says goodbye, and closes when the client has sent nothing more."""
    say_goodbye(connection, frames)
    behind = connection.receive_within(GOODBYE)
    if behind:
        connection.complain(f"{behind.name} was sent behind a goaway (rule G4)")
    connection.finish()


def goodbye(name, about, session, greet=StubConnection.greet, frames=1):
    @scenario(name, about, session, arguments=("--reconnect",), connections=2)
    def go_away_once(connection):
        greet(connection)
        if connection.number == 1:
            go_away_unanswered(connection, frames)
        else:
            connection.serve()


goodbye(
    "goaway-before-a-frame",
    "a frame that is sent after a goaway waits for the next connection",
    [configure(client="conformance"), frame(1), message(STATS), *map(frame, range(2, 6)), message(END)],
)
goodbye(
    "goaway-before-the-end",
    "so does the end of the stream, which a server that stops does not answer",
    [configure(client="conformance"), frame(1), message(STATS), message(END)],
)


@scenario(
    "goaway-crosses-the-end",
    "an end that crosses a goaway has no answer, and the stream is complete since every frame has its result",
    small(),
)
def cross_the_end(connection):
    connection.greet()
    received = connection.receive()
    while received is not None and received.type != END:
        if received.type != FRAME:
            connection.answer(received)
        received = connection.receive()
    connection.send_line({"type": "goaway", "grace_ms": 10000})
    for one in connection.frames:
        connection.answer(one)
    connection.finish()


TOKEN = "open barley"
#: The longest message that the stub takes before the token, and options that are longer.
UNAUTHENTICATED_BYTES = 1000
MANY_WORDS = [f"product {i}" for i in range(200)]


def ask_for_token(connection):
    limits = {**wire.HELLO["limits"], "max_unauthenticated_bytes": UNAUTHENTICATED_BYTES}
    connection.greet(auth="token", limits=limits)


def admit(connection):
    """Greets as a server that asks for a token, and answers the message that shows it; raises AssertionError without."""
    ask_for_token(connection)
    first = connection.receive()
    is_short = len(first.bytes) - 4 <= UNAUTHENTICATED_BYTES
    if first.type == CONFIGURE and is_short and json.loads(first.payload or b"{}").get("token") == TOKEN:
        return connection.answer(first)
    connection.send_line(wire.error(first.sequence, "auth_required", True))
    connection.finish()
    length = len(first.bytes) - 4
    raise AssertionError(f"{first.name} of {length} bytes came first, not a short configure with the token (rules A1, N1)")


goodbye(
    "restart-with-a-token",
    "the token is shown on each connection, also where a later configure has left it out",
    [
        configure(token=TOKEN, client="conformance"),
        frame(1),
        configure(1, level="accurate"),
        frame(2),
        message(STATS),
        *map(frame, range(3, 6)),
        message(END),
    ],
    greet=admit,
    frames=2,
)

#: A session whose options are longer than a message before the token may be.
LONG_OPTIONS = [
    configure(token=TOKEN, customWords=MANY_WORDS),
    frame(1),
    message(STATS),
    *map(frame, range(2, 5)),
    message(END),
]

goodbye(
    "long-options-with-a-token",
    "options that are longer than a message before the token may be follow it, on each connection",
    LONG_OPTIONS,
    greet=admit,
)


@scenario(
    "goaway-behind-the-token",
    "options that wait for the answer to the token are not sent behind a goaway",
    # A client that does not wait for the answer to its token waits for these stats, and makes its third connection behind them.
    [*LONG_OPTIONS[:3], frame(2), message(STATS), *map(frame, range(3, 5)), message(END)],
    arguments=("--reconnect",),
    connections=3,
)
def go_away_behind_the_token(connection):
    if connection.number == 2:
        return go_away_before_the_options(connection)
    admit(connection)
    if connection.number == 1:
        go_away_unanswered(connection)
    else:
        connection.serve()


def go_away_before_the_options(connection):
    ask_for_token(connection)
    token = connection.receive()
    options = connection.receive_within(GOODBYE)
    if options:  # it waits for no answer, as it may (rule X3), and has sent nothing behind a goaway
        connection.answer(token)
        connection.answer(options)
        return go_away_unanswered(connection)
    connection.send_line({"type": "goaway", "grace_ms": 10000})
    connection.answer(token)
    behind = connection.receive_within(GOODBYE)
    if behind:
        connection.complain(f"{behind.name} was sent behind a goaway (rule G4)")
    else:
        connection.received.clear()  # a token alone is no beginning of a stream, which has its options


@restart("restart-before-the-greeting", "a server that is gone again before it greets")
def stop_before_the_greeting(connection):
    if connection.number == 2:
        return connection.finish()
    connection.greet()
    if connection.number == 1:
        connection.serve(frames=3)
        connection.finish()
    else:
        connection.serve()


#: Seconds that a greeting may take, and seconds in which nobody takes what the driver prints.
GREETING_LIMIT = 2
DEAF_FOR = 2 * GREETING_LIMIT
#: Frames that a server answers before it is lost with as many more: their lines fill a pipe, and what a client keeps.
ANSWERED = 50


@scenario(
    "restart-behind-a-slow-reader",
    "results that nobody has read yet do not keep a client from connecting again",
    large(240, 1 << 16),
    arguments=("--reconnect", "--connect-timeout", str(GREETING_LIMIT)),
    connections=2,
    receive_buffer=1 << 14,
    deaf_for=DEAF_FOR,
)
def stop_behind_a_slow_reader(connection):
    connection.greet()
    if connection.number > 1:
        return connection.serve()

    def answer(received):
        if received.type == FRAME:
            connection.answer_frame(wire.result(received, ["a page of words that fills a pipe"] * 8))
        else:
            connection.answer(received)

    connection.serve(frames=ANSWERED, answer=answer)
    for _ in range(ANSWERED):
        connection.receive()
    connection.finish()


@scenario(
    "restart-with-a-smaller-limit",
    "a frame above the limit of the server that is there now is not sent, whatever the one before took",
    large(96),
    ends="message_too_large",
    arguments=("--reconnect",),
    connections=2,
    receive_buffer=1 << 14,
)
def restart_with_a_smaller_limit(connection):
    if connection.number == 1:
        connection.greet()
        connection.serve(frames=3)
        connection.finish()
    else:
        serve_within(connection, 1000)


#: More than a socket holds of what the stub does not read.
HELD_BACK = 16 << 20


@scenario(
    "restart-with-a-larger-limit",
    "a frame that only the server that is there now takes is sent",
    [
        configure(client="conformance"),
        frame(1),
        frame(2, bytes(HELD_BACK), width=4096, height=4096),
        frame(3, bytes(HELD_BACK + 4096), width=4096, height=4097),
        message(END),
    ],
    arguments=("--reconnect",),
    connections=2,
    receive_buffer=1 << 14,
)
def restart_with_a_larger_limit(connection):
    if connection.number == 1:
        greet_within(connection, HELD_BACK + 1000)
        connection.serve(frames=1)
        connection.receive_part(1 << 17)
        connection.reset()
    else:
        connection.greet()
        connection.serve()


#: How often a server without room refuses, and the shortest pause before the attempt after that: 0.1 s doubled for each.
REFUSALS = 3
MIN_PAUSE = 0.1 * 2**REFUSALS * 0.8


def refuse_for_a_while(connection):
    connection.greet()
    if connection.number == 1:
        connection.serve(frames=3)
        connection.finish()
    elif connection.number < 2 + REFUSALS:
        connection.refused_at = time.monotonic()
        connection.send_line(wire.error(None, "too_many_connections", True))
        connection.finish()
    else:
        # A client that has not waited for the refusal has not paused at all.
        refused_at = getattr(connection.server.connections[-2], "refused_at", connection.accepted_at)
        pause = connection.accepted_at - refused_at
        if pause < MIN_PAUSE:
            connection.complain(
                f"only {pause:.2f} s after refusal {REFUSALS} in a row, not at least {MIN_PAUSE:.2f} s (rule X2): "
                "a greeting does not start the pauses over, an answer does"
            )
        connection.serve()


def without_room(name, about, session):
    scenario(
        name,
        about,
        session,
        arguments=("--reconnect",),
        connections=2 + REFUSALS,
        receive_buffer=1 << 14,
    )(refuse_for_a_while)


without_room("too-many-connections", "pauses grow though a server without room greets each time", large(96))
without_room("too-many-connections-without-options", "the same for a client that sends no options", large(96)[1:])


# A server that is silent

#: Seconds in which a server may send nothing while messages are unanswered, for a scenario that is to be short.
PATIENCE_FLAGS = ("--answer-timeout", "2")


@scenario(
    "falls-silent",
    "a server that takes messages and sends nothing more counts as dead",
    small(),
    ends="connection_lost",
    arguments=PATIENCE_FLAGS,
)
def fall_silent(connection):
    connection.greet()
    connection.serve(frames=3)
    connection.drain()


@scenario(
    "falls-silent-in-mid-line",
    "so does one that stops within a line; another connection is made",
    large(96),
    arguments=("--reconnect", *PATIENCE_FLAGS),
    connections=2,
    receive_buffer=1 << 14,
)
def fall_silent_in_mid_line(connection):
    connection.greet()
    if connection.number == 1:
        connection.serve(frames=3)
        connection.send(wire.dump(wire.result(connection.receive()))[:-20])
        connection.ignore()
    else:
        connection.serve()


@scenario(
    "falls-silent-behind-a-goaway",
    "and one that says that it stops, answers everything, and does not close",
    [configure(client="conformance"), frame(1), message(STATS), *map(frame, range(2, 6)), message(END)],
    arguments=("--reconnect", *PATIENCE_FLAGS),
    connections=2,
)
def fall_silent_behind_a_goaway(connection):
    connection.greet()
    if connection.number == 1:
        say_goodbye(connection)
        connection.ignore()
    else:
        connection.serve()


@scenario("slow-answers", "a server that is slow, but not silent for too long", small(), arguments=PATIENCE_FLAGS)
def slow_answers(connection):
    connection.greet()

    def answer(received):
        # Together longer than the patience, each shorter: every line starts it over.
        time.sleep(0.4)
        connection.answer(received)

    connection.serve(answer=answer)


#: Bytes that a slow network brings at once, and in a second.
SLOW_PIECE, SLOW_RATE = 1 << 16, 3 << 20
#: More than sockets hold by so much that it takes longer than the patience.
LONG_UPLOAD = 24 << 20


@scenario(
    "slow-upload",
    "a frame that takes long to arrive is not a server that is silent",
    [
        configure(client="conformance"),
        frame(1, bytes(LONG_UPLOAD), width=4096, height=LONG_UPLOAD // 4096),
        frame(2),
        message(END),
    ],
    # What sockets hold in the end comes in a quarter of it, which leaves a busy machine time for the answer.
    arguments=("--answer-timeout", "6"),
    receive_buffer=SLOW_PIECE,
)
def slow_upload(connection):
    connection.slow_down(SLOW_PIECE, SLOW_RATE)
    connection.greet()
    connection.serve()


# A client that has nothing to send

#: Seconds after the greeting in which the first message is due: less than the five that servers wait (rule A9).
FIRST_MESSAGE = 4


#: Seconds without another message, and between the pings in them.
IDLE, PING_INTERVAL = 3, 0.5


@scenario(
    "idle",
    "a client that has nothing to send pings every few minutes, here twice a second",
    small(),
    arguments=("--pause", str(IDLE), "--ping-interval", str(PING_INTERVAL)),
)
def idle(connection):
    since = time.monotonic()
    connection.greet()
    connection.serve(frames=1)
    idle_for = time.monotonic() - since
    pings = sum(one.type == PING for one in connection.received)
    # Under load pings come late, never early.
    if not 2 <= pings <= idle_for / PING_INTERVAL:
        connection.complain(f"{pings} pings in {idle_for:.1f} s, not one every {PING_INTERVAL} s (rule A10)")
    connection.serve()


@scenario(
    "idle-from-the-start",
    "a client without options that has nothing to send pings before the server's patience ends",
    [frame(1), frame(2), message(END)],
    arguments=("--pause", str(FIRST_MESSAGE + 0.5)),
)
def idle_from_the_start(connection):
    connection.greet()
    first = connection.receive_within(FIRST_MESSAGE)
    if first is None:
        return connection.complain(f"no message within {FIRST_MESSAGE} s of the greeting (rule A9)")
    connection.answer(first)
    connection.serve()


# A client that is read late

#: More lines than a client keeps for those who have not asked for them yet: 64 in the clients here.
MANY = 100

scenario(
    "finish-first",
    "a program may finish first and read the results then, however many they are",
    small(MANY),
    arguments=("--finish-first",),
)(serve)
scenario(
    "answers-that-nobody-reads",
    "answers that their callers have do not fill what a client keeps",
    [configure(client="conformance"), *(message(kind) for _ in range(MANY) for kind in (PING, STATS)), message(END)],
    arguments=("--finish-first",),
)(serve)


# What is final, whatever the client's patience


def final(name, about, ends, session=None, **more):
    return scenario(name, about, session or small(token=TOKEN), ends=ends, arguments=("--reconnect",), **more)


@final("auth-failed", "a wrong token stays wrong", "refused auth_failed")
def auth_failed(connection):
    connection.greet(auth="token")
    connection.send_line(wire.error(connection.receive().sequence, "auth_failed", True))
    connection.finish()


@final("options-refused", "options that the server cannot honour are refused", "refused bad_option")
def options_refused(connection):
    connection.greet()
    connection.send_line(wire.error(connection.receive().sequence, "bad_option", False))
    connection.drain()


@final("no-room", "a server whose first line is a fatal error", "refused code_of_tomorrow")
def no_room(connection):
    connection.send_line(wire.error(None, "code_of_tomorrow", True))
    connection.finish()


@scenario(
    "wrong-protocol",
    "a server that has been started again with TLS",
    large(96),
    ends="refused wrong_protocol",
    arguments=("--reconnect",),
    connections=2,
    receive_buffer=1 << 14,
)
def wrong_protocol(connection):
    if connection.number == 1:
        connection.greet()
        connection.serve(frames=3)
    else:
        connection.send_line(wire.error(None, "wrong_protocol", True))
    connection.finish()


@final("not-glyphwire", "another kind of server", "not_glyphwire")
def not_glyphwire(connection):
    connection.send(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
    connection.finish()


@final("protocol-2", "a server of another protocol", "unsupported_protocol")
def protocol_2(connection):
    connection.greet(protocol=2)
    connection.drain()


@final("no-json", "a line that is no JSON", "bad_line")
def no_json(connection):
    connection.greet()
    connection.serve(frames=2)
    connection.send_line(b"Segmentation fault")
    connection.drain()


@final("out-of-order", "a result for a frame that is not next", "bad_line")
def out_of_order(connection):
    connection.greet()
    connection.serve(frames=2)
    connection.receive()
    connection.send_line(wire.result(connection.receive()))
    connection.drain()


@final("endless-line", "a line without end", "line_too_long")
def endless_line(connection):
    connection.greet()
    connection.serve(frames=2)
    try:
        for _ in range(64):
            connection.send(b" " * (1 << 20))
    except OSError:
        return  # the client has had enough
    raise AssertionError("the client took a line of 64 MiB")


@final(
    "message-too-large",
    "a frame above the server's limit is not sent",
    "message_too_large",
    session=[configure(client="conformance"), frame(1), frame(2, bytes(2000), width=200, height=10), message(END)],
)
def message_too_large(connection):
    serve_within(connection, 1000)
    if len(connection.answers) != 1:
        connection.complain(f"{len(connection.answers)} frames came, not the one that is within the limit")


@final("options-too-large", "options above the server's limit are not sent", "message_too_large")
def options_too_large(connection):
    greet_within(connection, 40)
    connection.drain()
    check_limit(connection, 40)


#: Seconds that a client is given to wait for a greeting, in which a runtime starts on a busy machine, too.
GREETING_WAIT = 2
#: Seconds after which such a client has left, and one that waits for the usual ten has not.
UNGREETED = 5


@scenario(
    "silent",
    "a server that does not greet",
    small(),
    ends="timed_out",
    arguments=("--connect-timeout", str(GREETING_WAIT)),
)
def silent(connection):
    connection.drain()
    waited = time.monotonic() - connection.accepted_at
    if waited > UNGREETED:
        connection.complain(f"the client waited {waited:.1f} s for a greeting, and was given {GREETING_WAIT} s")


scenario("nobody", "no server at all", small(), ends="cannot_connect", connections=0, is_reachable=False)(serve)
