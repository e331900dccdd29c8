#!/usr/bin/env python3
"""Checks that every relative link in a Markdown file leads to a file of the repository, and every anchor to a heading.

    scripts/check-links.py [FILE.md...]      without arguments, all Markdown files

Prints each broken link and exits with 1 if there is one. Python 3.9, standard library only.
"""

import re
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1[^\n]*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)", re.DOTALL)
LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)|^ {0,3}\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)


def project_files():
    """The files that git tracks or would add; without a repository, all that are in no hidden folder."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        names = [path for path in paths if not any(part.startswith(".") for part in path.parts[:-1])]
    return {ROOT / name for name in names if name and (ROOT / name).is_file()}


@lru_cache(maxsize=None)
def anchors(path):
    """The anchors of a file: those that GitHub derives from headings, and explicit HTML ones."""
    text = FENCE.sub("", path.read_text("utf-8"))
    found = set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", text))
    for heading in HEADING.findall(text):
        heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (anchor := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(anchor)
    return found


def broken_links(path, targets):
    """Yields the line, the link and the reason for each broken link of a file."""

    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    text = CODE.sub(blank, FENCE.sub(blank, path.read_text("utf-8")))
    for match in LINK.finditer(text):
        link = match[1] or match[2]
        if re.match(r"[a-z][a-z0-9+.-]*:", link, re.IGNORECASE):
            continue
        name, _, anchor = unquote(link).partition("#")
        target = (path.parent / name).resolve() if name else path
        reason = None
        if target not in targets:
            reason = "no such file"
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            reason = "no such heading"
        if reason:
            yield text.count("\n", 0, match.start()) + 1, link, reason


def main():
    files = project_files()
    targets = files | {folder for file in files for folder in file.parents}
    pages = [Path(name).resolve() for name in sys.argv[1:]] or sorted(file for file in files if file.suffix == ".md")
    broken = [(page, *link) for page in pages for link in broken_links(page, targets)]
    for page, line, link, reason in broken:
        print(f"{page.relative_to(ROOT)}:{line}: {link}: {reason}", file=sys.stderr)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
