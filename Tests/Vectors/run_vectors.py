#!/usr/bin/env python3
"""Runs the test vectors beside this file against a server; README.md has the rules. Python 3, nothing else."""
import argparse
import json
import socket
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
ABSENT = object()


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def mismatch(expected, found, where="line"):
    """What is wrong with `found`, in words; None if nothing is."""
    if isinstance(expected, dict) and any(name.startswith("$") for name in expected):
        return None if follows(expected, found, where) else f"{where}: {show(found)} does not match {show(expected)}"
    if isinstance(expected, dict) and isinstance(found, dict):
        flaws = (mismatch(value, found.get(name, ABSENT), f"{where}.{name}") for name, value in expected.items())
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        flaws = (mismatch(e, f, f"{where}[{i}]") for i, (e, f) in enumerate(zip(expected, found)))
    elif is_number(expected) and is_number(found):
        flaws = [] if expected == found else [f"{where}: {found} instead of {expected}"]
    else:
        same = type(expected) is type(found) and expected == found
        flaws = [] if same else [f"{where}: {show(found)} instead of {show(expected)}"]
    return next((flaw for flaw in flaws if flaw), None)


def follows(rule, found, where):
    if "$absent" in rule:
        return found is ABSENT
    if "$contains" in rule:
        return isinstance(found, str) and rule["$contains"] in found
    if "$near" in rule:
        wanted = rule["$near"]
        return (isinstance(found, list) and len(found) == len(wanted) and all(map(is_number, found))
                and all(abs(f - w) <= rule["within"] for f, w in zip(found, wanted)))
    if "$prefix" in rule:
        wanted = rule["$prefix"]
        return isinstance(found, list) and mismatch(wanted, found[: len(wanted)], where) is None
    if "$type" in rule:
        return {"integer": isinstance(found, int) and not isinstance(found, bool) and found >= 0,
                "number": is_number(found), "string": isinstance(found, str)}[rule["$type"]]
    raise ValueError(f"no such rule: {rule}")


def show(value):
    return "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False)


def answers(host, port, data, piece):
    """The lines that a server answers these bytes with, sent `piece` at a time."""
    with socket.create_connection((host, port), timeout=10) as connection:
        def send():
            try:
                for start in range(0, len(data), piece):
                    connection.sendall(data[start:start + piece])
            except OSError:
                pass  # the server has said its last word already

        lines = connection.makefile("rb")
        hello = json.loads(lines.readline())
        assert hello["type"] == "hello" and hello["protocol"] == 1, f"no hello of version 1: {hello}"
        sender = threading.Thread(target=send)
        sender.start()
        found = []
        try:
            for line in lines:
                found.append(json.loads(line))
        except ConnectionResetError:
            pass
        sender.join()
        return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("--only", action="append", default=[], metavar="NNN", help="run the vectors that begin so")
    parser.add_argument("--piece", type=int, default=1 << 20, metavar="BYTES", help="send so many bytes at a time")
    options = parser.parse_args()
    failures = 0
    for path in sorted(HERE.glob("[0-9]*.bin")):
        expected = [json.loads(line) for line in path.with_suffix(".jsonl").read_text("utf-8").splitlines()]
        special = "server" in expected[0]
        if options.only and not path.name.startswith(tuple(options.only)) or special and not options.only:
            continue
        try:
            found = answers(options.host, options.port, path.read_bytes(), options.piece)
            flaw = mismatch(expected[special:], found, "lines")
            if flaw and len(found) != len(expected) - special:
                flaw = f"{len(found)} lines instead of {len(expected) - special}, the last: {show(found[-1:])}"
        except (OSError, ValueError, AssertionError) as error:
            flaw = f"{type(error).__name__}: {error}"
        failures += flaw is not None
        print(f"{'FAILED' if flaw else 'ok    '} {path.stem}{': ' + flaw if flaw else ''}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
