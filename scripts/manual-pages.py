#!/usr/bin/env python3
"""Write the manual pages of a program, from what its argument parser says of it.

    scripts/manual-pages.py PROGRAM FOLDER

One page for the program and one for each of its subcommands, such as glyphwire-serve.1, in mdoc.
"""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

#: A line of a discussion that names a section: words in capitals, and perhaps the rest of a sentence.
HEADING = re.compile(r"^([A-Z]{2,}(?: [A-Z]{2,})*)\b,? ?(.*)$")


def escaped(text):
    """The text without what mdoc would take for a request or an escape, a sentence a line."""
    text = re.sub(r"(?<=[\w)]\.) (?=[A-Z(])", "\n", text.replace("\\", "\\e").replace("-", "\\-"))
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def quoted(text):
    """The text as one argument of a macro."""
    return '"' + escaped(text).replace('"', '""') + '"'


def names(argument):
    """The names of an option or a flag, as they are typed."""
    prefixes = {"short": "-", "long": "--", "longWithSingleDash": "-"}
    return [prefixes[name["kind"]] + name["name"] for name in argument.get("names", [])]


def discussion(text):
    """The paragraphs of a discussion; indented lines keep their form, and lines in capitals begin sections."""
    lines = []
    for paragraph in re.split(r"\n{2,}", text) if text else []:
        rest = paragraph.split("\n")
        heading = HEADING.match(rest[0])
        if heading:
            lines.append(f".Sh {heading[1]}")
            rest[0] = heading[2][:1].upper() + heading[2][1:]
        else:
            lines.append(".Pp")
        prose = [line for line in rest if line and not line.startswith(" ")]
        literal = [line[2:] for line in rest if line.startswith(" ")]
        lines += [escaped(line) for line in prose]
        lines += [".Bd -literal", *(escaped(line) for line in literal), ".Ed"] if literal else []
    return lines


def form(argument):
    """The argument as it is typed, with its value."""
    value = f"<{argument['valueName']}>"
    if argument["kind"] == "positional":
        return value
    return ", ".join(names(argument)) + (f" {value}" if argument["kind"] == "option" else "")


def options(arguments):
    """The arguments, each with what it means, under the titles of their sections."""
    sections, inverted = {}, {name for argument in arguments for name in names(argument) if name.startswith("--no-")}
    for argument in arguments:
        title = argument.get("sectionTitle") or ("Arguments" if argument["kind"] == "positional" else "Options")
        sections.setdefault(title, []).append(argument)
    for title, members in sections.items():
        yield f".Sh {title.upper()}"
        yield ".Bl -tag -width Ds"
        for argument in members:
            yield f".It {quoted(form(argument))}"
            # The two names of an inverted flag, such as --recognize and --no-recognize, have one explanation.
            if argument["kind"] == "flag" and f"--no-{argument['valueName']}" in inverted:
                continue
            yield from (escaped(argument.get("abstract", "")), escaped(argument.get("discussion", "")))
            facts = [f"values: {', '.join(argument['allValues'])}"] if argument.get("allValues") else []
            if "defaultValue" in argument:
                facts.append(f"default: {argument['defaultValue']}")
            if facts:
                yield escaped(f"({'; '.join(facts)})")
        yield ".El"


def page(name, command, date):
    """The page of a command."""
    arguments = [argument for argument in command.get("arguments", []) if argument["shouldDisplay"]]
    subcommands = [sub for sub in command.get("subcommands", []) if sub["commandName"] != "help"]
    yield from (f".Dd {date}", f".Dt {name.upper()} 1", ".Os Glyphwire")
    yield from (".Sh NAME", f".Nm {name}", f".Nd {escaped(command['abstract'].rstrip('.'))}")
    yield ".Sh SYNOPSIS"
    yield f".Nm {quoted(' '.join([*command.get('superCommands', []), command['commandName']]))}"
    yield ".Ar subcommand" if subcommands else ".Op Ar options"
    for argument in arguments:
        if argument["kind"] == "positional":
            yield f".Ar {quoted(form(argument) + ' ...' * argument['isRepeating'])}"
    yield ".Sh DESCRIPTION"
    yield escaped(command["abstract"])
    details = discussion(command.get("discussion", ""))
    first = next((index for index, line in enumerate(details) if line.startswith(".Sh")), len(details))
    yield from details[:first]
    if subcommands:
        yield from (".Sh SUBCOMMANDS", ".Bl -tag -width Ds")
        for sub in subcommands:
            yield from (f".It Xr {name}-{sub['commandName']} 1", escaped(sub["abstract"]))
        yield ".El"
    yield from options(arguments)
    yield from details[first:]


def write(folder, name, command, date):
    """Writes the page of a command, and those of its subcommands."""
    (folder / f"{name}.1").write_text("\n".join(line for line in page(name, command, date) if line) + "\n")
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help":
            write(folder, f"{name}-{sub['commandName']}", sub, date)


def main():
    """Writes the pages of the program that the command line names."""
    program, folder = sys.argv[1:]
    dump = subprocess.run([program, "--experimental-dump-help"], stdout=subprocess.PIPE, check=True).stdout
    command = json.loads(dump)["command"]
    moment = time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())))
    date = time.strftime("%B ", moment) + f"{moment.tm_mday}, {moment.tm_year}"
    Path(folder).mkdir(parents=True, exist_ok=True)
    write(Path(folder), command["commandName"], command, date)


if __name__ == "__main__":
    main()
