"""`python -m glyphwire`: streams a camera, a video or pictures to a Glyphwire server, and prints the words."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import json
import os
import statistics
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from io import TextIOWrapper
from ssl import create_default_context
from typing import Any

from . import Connection, Frame, GlyphwireError, ReconnectPolicy, Result, __version__, connect
from ._sources import UnusableSource, is_live, pictures


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


def _option(text: str) -> tuple[str, Any]:
    """What NAME=VALUE says; the value is JSON or else a string."""
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        parsed = json.loads(value)
        json.dumps(parsed, allow_nan=False)  # Python reads more numbers than JSON has
        return name, parsed
    except ValueError:
        return name, value


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m glyphwire",
        description="Streams a camera, a video or pictures to a Glyphwire server, and prints the words.",
        epilog="Cameras, videos and pictures other than JPEG need OpenCV (pip install opencv-python-headless).",
    )
    parser.add_argument(
        "source",
        nargs="+",
        help="picture files, a video file, a camera (0, or /dev/video0), or - for motion JPEG on standard input",
    )
    parser.add_argument("--host", default="localhost", help="where the server is (default: localhost)")
    parser.add_argument("--port", type=int, default=7411, help="its port (default: 7411)")
    parser.add_argument("--tls", action="store_true", help="speak TLS with the server")
    parser.add_argument("--tls-ca", metavar="FILE", help="speak TLS, and believe these authorities, in PEM")
    parser.add_argument("--level", help="fast or accurate (default: the server's)")
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
        action="append",
        default=[],
        metavar="TEXT",
        help="print only matches of this text or /expression/; may be repeated",
    )
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        default=os.environ.get("GLYPHWIRE_TOKEN_FILE"),
        help="a file with the token that the server requires (default: what GLYPHWIRE_TOKEN_FILE names)",
    )
    parser.add_argument("--no-wait", action="store_true", help="fail at once if no server answers, instead of waiting")
    parser.add_argument("--json", action="store_true", help="print the server's lines as they are")
    parser.add_argument("--version", action="version", version=f"glyphwire {__version__}")
    return parser.parse_args(arguments)


def _options(arguments: argparse.Namespace) -> dict[str, Any]:
    options = dict(arguments.option)
    if arguments.level is not None:
        options["level"] = arguments.level
    if arguments.find:
        options["find"] = arguments.find
    if arguments.token_file is not None:
        with open(arguments.token_file, encoding="utf-8") as file:
            options["token"] = file.read().strip()
    return options


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
            self.found += len(result.matches)
        if self._as_json:
            _show(result.line.decode("utf-8") or json.dumps(dict(result.fields), ensure_ascii=False))
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
        print(f"glyphwire: {reason}", file=sys.stderr)

    def _rows(self, result: Result) -> list[str]:
        if self._finds:
            return [match.text for match in result.matches]
        return ["\t".join(word.text for word in line.words) for line in result.lines]

    def summary(self) -> str:
        counts = ", ".join(f"{count} {status}" for status, count in self.statuses.most_common())
        if not self.round_trips:
            return f"frames: {counts}"
        return f"frames: {counts}; {statistics.median(self.round_trips) * 1000:.0f} ms from sending to result (median)"


def _connected(arguments: argparse.Namespace) -> Connection:
    """Waits for the server, unless that is not wanted."""
    tls = create_default_context(cafile=arguments.tls_ca) if arguments.tls or arguments.tls_ca else False
    policy = ReconnectPolicy()
    for attempt in itertools.count(1):
        try:
            return connect(arguments.host, arguments.port, reconnect=policy, tls=tls)
        except GlyphwireError as error:
            if arguments.no_wait or error.is_permanent or error.code not in _PASSING_CODES:
                raise
            if attempt == 1:
                print(f"glyphwire: waiting for the server: {error}", file=sys.stderr, flush=True)
        time.sleep(policy.delay(attempt))
    raise AssertionError("attempts do not end")


def _stream(arguments: argparse.Namespace, printer: _Printer) -> None:
    live = all(map(is_live, arguments.source))
    names: deque[str] = deque()

    def frames() -> Iterator[Frame]:
        for source in arguments.source:
            try:
                for picture in pictures(source, arguments.orientation):
                    names.append(picture.name)
                    yield picture.frame
            except UnusableSource as reason:
                printer.skip(reason)

    options = _options(arguments)
    with _connected(arguments) as connection:
        if not live and "delivery" in connection.hello.features:
            options.setdefault("delivery", "every")  # files wait until they are read
        connection.configure(options)
        for result in connection.read(frames()):
            printer.show(names.popleft(), result, always=not live)


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
        print(f"glyphwire: {error}", file=sys.stderr)
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
        print(f"glyphwire: {error}", file=sys.stderr)
        _forget_output()
        return 1


if __name__ == "__main__":
    sys.exit(main())
