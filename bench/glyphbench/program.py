"""What the program `glyphwire` reads of picture files."""

import json
import subprocess


def read(program, *options, pictures):
    """The line of `PROGRAM read` for each picture, parsed; where there is not one for each, the reason ends this program."""
    command = [program, "read", "--format", "json", *options, *pictures]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True)
    except OSError as error:
        raise SystemExit(f"bench: cannot run {program} ({error.strerror}): run 'make build', or name another") from None
    try:
        lines = [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError:
        raise SystemExit(f"bench: {program} prints no lines of JSON: is it a `glyphwire`?") from None
    if len(lines) != len(pictures):
        raise SystemExit(f"bench: {program} ended with {done.returncode}, and read {len(lines)} of {len(pictures)} pictures")
    return lines
