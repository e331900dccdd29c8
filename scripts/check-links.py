#!/usr/bin/env python3
"""Checks that every relative link in a Markdown file leads to a file of the repository, and every anchor to a heading.

Without arguments it checks as well that each section of a log which a comment in Sources cites is there, as in "(accuracy log,
*Near-miss characters*)". Of a title the beginning is enough where only one has it.

    scripts/check-links.py [FILE.md...]                 without arguments, all Markdown files
    scripts/check-links.py [--remove] --folder FOLDER   all of a folder, which has some files of the repository

Prints each broken link and exits with 1 if there is one. --remove leaves the text of such a link, and says nothing.
Python 3.9, standard library only.
"""

import argparse
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
#: What stands before the place where LINK begins: the text of the link, or of the picture, with brackets in pairs.
TEXT = re.compile(r"!?\[((?:[^\[\]]|\[[^\[\]]*\])*)$")
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
#: A citation of a log in a comment. "ibid." is none: what stands before it changes.
CITATION = re.compile(r"(?:(\w+)\s+)?\blog,\s+\*([^*]+)\*|\bibid\.")
COMMENT_MARK = re.compile(r"^\s*///?", re.MULTILINE)


def files_in(folder):
    """All files of a folder that are in no hidden folder."""
    names = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {folder / name for name in names if not any(part.startswith(".") for part in name.parts[:-1])}


def project_files():
    """The files that git tracks or would add; without a repository, all of this folder."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        names = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        return files_in(ROOT)
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


def blank(match):
    """Blanks of the same length and lines."""
    return re.sub(r"[^\n]", " ", match[0])


def without_code(path):
    """The text of a file, with blanks in place of all code."""
    return CODE.sub(blank, FENCE.sub(blank, path.read_text("utf-8")))


def broken_links(path, targets):
    """Yields the match and the reason for each broken link of a file, of which `without_code` is the text."""
    for match in LINK.finditer(without_code(path)):
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
            yield match, reason


@lru_cache(maxsize=None)
def titles(log):
    """The titles of a log's sections, without emphasis; none if there is no such log."""
    path = ROOT / f"docs/log/{log}.md"
    return [title.replace("*", "") for title in HEADING.findall(path.read_text("utf-8"))] if path.is_file() else []


def broken_citations(path):
    """Yields the match and the reason for each broken citation in the comments of a Swift file."""
    for match in CITATION.finditer(COMMENT_MARK.sub(blank, path.read_text("utf-8"))):
        title = " ".join((match[2] or "").split())
        if sum(known.startswith(title) for known in titles(match[1])) != 1:
            yield match, "not the title of one section of a log"


def told(page, root, match, what, reason):
    """A broken link or citation, with its place, in a line."""
    line = page.read_text("utf-8").count("\n", 0, match.start()) + 1
    return f"{page.relative_to(root)}:{line}: {what}: {reason}"


def remove(page, links):
    """Leaves of some links of a file their text."""
    text, blanked = page.read_text("utf-8"), without_code(page)
    for match in reversed(links):
        opening = TEXT.search(blanked, 0, match.start())
        if opening is None:
            sys.exit(f"{page}: the text of the link to {match[1] or match[2]} cannot be told; write it without brackets")
        text = text[: opening.start()] + text[opening.start(1) : opening.end(1)] + text[match.end() :]
    page.write_text(text, "utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--remove", action="store_true")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE.md")
    options = parser.parse_args()
    if options.remove and not options.folder:
        parser.error("--remove takes --folder: the repository keeps its links")
    root = (options.folder or ROOT).resolve()
    files = files_in(root) if options.folder else project_files()
    targets = files | {folder for file in files for folder in file.parents if root in (folder, *folder.parents)}
    pages = [path.resolve() for path in options.files] or sorted(file for file in files if file.suffix == ".md")
    broken = {page: list(broken_links(page, targets)) for page in pages}
    if options.remove:
        for page, links in broken.items():
            remove(page, [match for match, _ in links])
        return
    lines = [
        told(page, root, match, match[1] or match[2], reason) for page, links in broken.items() for match, reason in links
    ]
    if not (options.files or options.folder):
        sources = sorted(file for file in files if file.suffix == ".swift" and ROOT / "Sources" in file.parents)
        lines += [
            told(file, root, match, " ".join(match[0].split()), reason)
            for file in sources
            for match, reason in broken_citations(file)
        ]
    print("".join(f"{line}\n" for line in lines), end="", file=sys.stderr)
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    main()
