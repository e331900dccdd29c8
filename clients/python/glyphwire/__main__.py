"""`python -m glyphwire`: streams a camera, a video or pictures to a Glyphwire server, and prints the words."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import re
import statistics
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import replace
from io import TextIOWrapper
from ssl import SSLContext, SSLError, create_default_context
from typing import Any

from . import Connection, Frame, GlyphwireError, ReconnectPolicy, Result, __version__, connect
from ._sources import UnusableSource, is_camera, is_live, pictures


#: Name of the installed command.
_NAME = "glyphwire-client"
_MAX_PORT = 65535

#: Errors after which a server may be there later.
_PASSING_CODES = {"cannot_connect", "timed_out", "connection_lost"}


class _OutputLost(Exception):
    """The output cannot be written; the message says why."""


def _show(*rows: str) -> None:
    """Prints rows, and whatever still waits to be printed; raises _OutputLost."""
    try:
        for row in rows:
            print(row)
        print(end="", flush=True)
    except OSError as error:
        raise _OutputLost(f"the output cannot be written: {error.strerror or error}") from None


def _forget_output() -> None:
    """Lets what could not be printed go, which Python would try again when it ends."""
    with contextlib.suppress(OSError), open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), sys.stdout.fileno())


def _port(text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text) or not 0 < int(text) <= _MAX_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to {_MAX_PORT}, not {text!r}")
    return int(text)


def _text(text: str) -> str:
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise argparse.ArgumentTypeError(f"{os.fsencode(text)!r} is no text in the encoding of this terminal")
    return text


def _host(text: str) -> str:
    """A name or an address; one of IPv6 may be in brackets."""
    return text[1:-1] if text.startswith("[") and text.endswith("]") else text


def _token(path: str) -> str:
    """The token in a file; of several, in JSON as a server takes them, the first."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read().strip()
        token = json.loads(text)["tokens"][0]["token"] if text.startswith("{") else text
    except OSError as error:
        raise argparse.ArgumentTypeError(f"the token file {path} cannot be read: {error.strerror}") from None
    except (ValueError, LookupError, TypeError):
        token = None
    if not isinstance(token, str) or not token:
        raise argparse.ArgumentTypeError(f"there is no token in {path}")
    return token


def _authorities(path: str) -> SSLContext:
    """Whom to trust: who is in a PEM file."""
    if not path:  # for which Python would trust the system's authorities
        raise argparse.ArgumentTypeError("it names no file")
    try:
        return create_default_context(cafile=path)
    except SSLError:
        raise argparse.ArgumentTypeError(f"there is no certificate in {path}") from None
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{path} cannot be read: {error.strerror}") from None


def _option(text: str) -> tuple[str, Any]:
    """What NAME=VALUE says; the value is JSON or else a string."""
    name, equals, value = _text(text).partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        parsed = json.loads(value)
        json.dumps(parsed, allow_nan=False, ensure_ascii=False).encode("utf-8")  # Python reads more than JSON has
        return name, parsed
    except ValueError:
        return name, value


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=_NAME,
        description="Streams a camera, a video or pictures to a Glyphwire server, and prints the words.",
        epilog="Cameras, videos and pictures other than JPEG need OpenCV (pip install opencv-python-headless).",
        allow_abbrev=False,
    )
    parser.add_argument(
        "source",
        nargs="*",
        help="picture files, a video file, a camera (0, or /dev/video0), or - for motion JPEG on standard input",
    )
    parser.add_argument("--host", type=_host, default="localhost", help="where the server is (default: localhost)")
    parser.add_argument("--port", type=_port, default=7411, help="its port (default: 7411)")
    parser.add_argument("--tls", action="store_true", help="speak TLS with the server")
    parser.add_argument(
        "--tls-ca", type=_authorities, metavar="FILE", help="speak TLS, and believe these authorities, in PEM"
    )
    parser.add_argument("--level", type=_text, help="fast or accurate (default: the server's)")
    parser.add_argument("--orientation", type=int, default=0, choices=range(9), metavar="1...8", help="as in EXIF")
    parser.add_argument(
        "--option",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any option of configure, such as languages='[\"en\"]' or minimumTextHeight=0.05",
    )
    parser.add_argument(
        "--find",
        type=_text,
        action="append",
        default=[],
        metavar="TEXT",
        help="print only matches of this text or /expression/; may be repeated",
    )
    parser.add_argument(
        "--token-file",
        dest="token",
        type=_token,
        metavar="FILE",
        default=os.environ.get("GLYPHWIRE_TOKEN_FILE") or None,
        help="a file with the token that the server requires (default: what GLYPHWIRE_TOKEN_FILE names)",
    )
    parser.add_argument("--no-wait", action="store_true", help="fail at once if no server answers, instead of waiting")
    parser.add_argument("--json", action="store_true", help="print the server's lines as they are")
    parser.add_argument("--version", action="version", version=f"glyphwire {__version__}")
    words, sources = _words(sys.argv[1:] if arguments is None else arguments, parser)
    parsed = parser.parse_intermixed_args(words)
    parsed.source += sources
    if not parsed.source:
        parser.error("no sources; name at least one picture, video or camera")
    if dict(parsed.option).get("recognize") is False and not parsed.json:
        parser.error("with recognize=false there are no words to print; add --json")
    return parsed


def _words(arguments: list[str], parser: argparse.ArgumentParser) -> tuple[list[str], list[str]]:
    """Options, each in one word with its value, so that this may begin with a dash; and what stands behind ``--``."""
    taking = {name for action in parser._actions if action.nargs is None for name in action.option_strings}
    rest = iter(arguments)
    words: list[str] = []
    for word in rest:
        if word == "--":
            return words, list(rest)
        value = next(rest, None) if word in taking else None
        words.append(word if value is None else f"{word}={value}")
    return words, []


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    options = dict(arguments.option)
    own = {"level": arguments.level, "find": arguments.find or None, "token": arguments.token}
    for name, value in own.items():
        if value is not None:
            options.setdefault(name, value)
    return options


def _line(result: Result) -> str:
    """The line of a result; that of a lost frame, which no server has sent, is made here."""
    if result.line:
        return result.line.decode("utf-8")
    return json.dumps(dict(result.fields), ensure_ascii=False, separators=(",", ":"))


class _Printer:
    """Prints what a frame says, unless the frame before it said the same."""

    def __init__(self, as_json: bool, finds: bool) -> None:
        self.statuses: Counter[str] = Counter()
        self.round_trips: list[float] = []
        self.found = 0
        self.has_unusable = False
        self._as_json = as_json
        self._finds = finds
        self._last: list[str] | None = None

    def show(self, name: str, result: Result, always: bool) -> None:
        self.statuses[result.code or result.status] += 1
        if result.is_ok:
            self.round_trips.append(result.round_trip)
            self.found += len(result.matches) + sum(change.pattern is not None for change in result.changes)
        if self._as_json:
            _show(_line(result))
        elif result.status == "error":
            print(f"{name}: {result.message} ({result.code})", file=sys.stderr)
        elif result.is_ok:
            rows = self._rows(result)
            if always or rows != self._last:
                self._last = rows
                _show(*(f"{name}\t{row}" for row in rows))

    def skip(self, reason: UnusableSource) -> None:
        """Says why a source was passed over."""
        self.has_unusable = True
        print(f"{_NAME}: {reason}", file=sys.stderr)

    def _rows(self, result: Result) -> list[str]:
        come = [change.text for change in result.changes if change.type != "lost"]
        if self._finds:
            rows = [match.text for match in result.matches] + come
        else:
            rows = ["\t".join(word.text for word in line.words) for line in result.lines]
            rows += [text.replace(" ", "\t") for text in come]
        # A server may send halves of surrogate pairs, which no encoding has.
        return [row.encode("utf-8", "replace").decode("utf-8") for row in rows]

    def summary(self) -> str:
        counts = ", ".join(f"{count} {status}" for status, count in self.statuses.most_common())
        if not self.round_trips:
            return f"frames: {counts}"
        return f"frames: {counts}; {statistics.median(self.round_trips) * 1000:.0f} ms from sending to result (median)"


def _connected(arguments: argparse.Namespace) -> Connection:
    """Waits for the server, unless that is not wanted."""
    tls = arguments.tls_ca or arguments.tls
    policy = ReconnectPolicy()
    for attempt in itertools.count(1):
        try:
            return connect(arguments.host, arguments.port, reconnect=policy, tls=tls)
        except GlyphwireError as error:
            if arguments.no_wait or error.is_permanent or error.code not in _PASSING_CODES:
                raise
            if attempt == 1:
                print(f"{_NAME}: waiting for the server: {error}", file=sys.stderr, flush=True)
        time.sleep(policy.delay(attempt))
    raise AssertionError("attempts do not end")


def _stream(arguments: argparse.Namespace, printer: _Printer) -> None:
    live = all(map(is_live, arguments.source))
    names: deque[tuple[int, str]] = deque()
    numbers = itertools.count()

    def frames() -> Iterator[Frame]:
        for source in arguments.source:
            try:
                for picture in pictures(source, arguments.orientation):
                    number = next(numbers)
                    names.append((number, picture.name))
                    yield replace(picture.frame, sequence=number)
            except UnusableSource as reason:
                next(numbers)  # so that those behind it keep theirs
                printer.skip(reason)

    def name(result: Result) -> str:
        while True:
            number, name = names.popleft()
            if number == result.sequence:  # those before it were left out
                return name

    options = _options(arguments)
    with _connected(arguments) as connection:
        if not live and "delivery" in connection.hello.features:
            options.setdefault("delivery", "every")  # files wait until they are read
        connection.configure(options)
        for result in connection.read(frames(), latest=all(map(is_camera, arguments.source))):
            printer.show(name(result), result, always=not live)


def _run(arguments: list[str] | None) -> int:
    try:
        parsed = _arguments(arguments)
    finally:
        _show()  # the help that was asked for
    printer = _Printer(parsed.json, bool(parsed.find))
    try:
        _stream(parsed, printer)
    except KeyboardInterrupt:
        pass
    except (GlyphwireError, OSError) as error:
        print(f"{_NAME}: {error}", file=sys.stderr)
        return 1
    finally:
        if printer.statuses:
            print(printer.summary(), file=sys.stderr)
    if all(map(is_live, parsed.source)):
        return int(printer.has_unusable)
    has_failed = printer.has_unusable or any(status != "ok" for status in printer.statuses)
    return 1 if has_failed or (parsed.find and not printer.found) else 0


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit status."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Texts are in any script, whatever the locale; names of files are the bytes that they are.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    try:
        return _run(arguments)
    except _OutputLost as error:
        print(f"{_NAME}: {error}", file=sys.stderr)
        _forget_output()
        return 1


if __name__ == "__main__":
    sys.exit(main())
