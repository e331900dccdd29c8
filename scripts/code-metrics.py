#!/usr/bin/env python3
"""Measure the sources: file lengths, long functions, unlabelled parameters, documentation, the words of the front page.

    scripts/code-metrics.py [--check] [FOLDER...]

Prints a table of each folder (Sources by default), or with --check only what passes a limit, and fails then.
"""

import argparse
import re
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_FUNCTION_LINES = 60
MAX_UNLABELLED = 2
MAX_HANDLER_PROPERTIES = 12
MAX_README_WORDS = 900
HANDLER = "ConnectionHandler"

DECLARATION = re.compile(r"\b(func\s+[^\s(<]+|init[?!]?|subscript)\s*(?:<[^>]*>)?\s*\(")
PUBLIC = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*public\s+(?!import|extension)")


def code_of(text):
    """The text with comments and the contents of strings blanked, line by line."""
    text = re.sub(r'"""(.*?)"""', lambda m: '"""' + "\n" * m[0].count("\n") + '"""', text, flags=re.S)
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    return re.sub(r'"(?:\\.|[^"\\\n])*"|//[^\n]*', lambda m: '""' if m[0][0] == '"' else "", text)


def closing(text, start, opening="(", ending=")"):
    """Where what opens at `start` closes."""
    depth = 0
    for index in range(start, len(text)):
        depth += (text[index] == opening) - (text[index] == ending)
        if depth == 0:
            return index
    return len(text)


def parameters(text):
    """The parameters of a declaration, split at the commas of the outermost level."""
    depth, part, parts = 0, "", []
    for character in text:
        depth += (character in "([{<") - (character in ")]}") - (character == ">" and not part.endswith("-"))
        if character == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += character
    return [part for part in [*parts, part] if part.strip()]


def functions(path, text):
    """Each function: its place, its lines from the signature to the last brace, its unlabelled parameters."""
    code = code_of(text)
    for match in DECLARATION.finditer(code):
        begin = match.end() - 1
        end = closing(code, begin)
        unlabelled = sum(p.strip().startswith("_ ") for p in parameters(code[begin + 1 : end]))
        body = re.compile(r"[^{}\n]*(?:\n[^{}\n]*)*?\{").match(code, end + 1)
        following = code[end + 1 : body.end() if body else end + 1]
        if body is None or re.search(r"\n\s*(?:func|init|var|let|case|static|subscript)\b", following):
            last = end
        else:
            last = closing(code, body.end() - 1, "{", "}")
        line = code.count("\n", 0, match.start()) + 1
        yield f"{path}:{line}", match[1], code.count("\n", match.start(), last) + 1, unlabelled


def stored_properties(folder, name):
    """The stored properties of a type, in its main declaration."""
    for path in sorted(folder.rglob("*.swift")):
        code = code_of(path.read_text())
        match = re.search(rf"\b(?:class|struct|actor) {name}\b[^{{]*\{{", code)
        if not match:
            continue
        body = code[match.end() : closing(code, match.end() - 1, "{", "}")]
        depth, count = 0, 0
        for line in body.split("\n"):
            if depth == 0 and re.match(r"\s*(?:@\w+\s+)?(?:\w+(?:\(set\))?\s+)*(?:let|var)\s", line) and "static" not in line:
                count += not re.search(r"\{\s*(?:$|[^}]*\}$)", line) or "didSet" in line or "=" in line.split("{")[0]
            depth += line.count("{") - line.count("}")
        return count
    return 0


def documented(text):
    """How many public declarations there are, and how many of them have a doc comment."""
    lines = text.split("\n")
    count = have = 0
    for index, line in enumerate(lines):
        if PUBLIC.match(line):
            count += 1
            above = index - 1
            while above >= 0 and lines[above].strip().startswith("@"):
                above -= 1
            have += lines[above].strip().startswith("///")
    return count, have


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="print what passes a limit, and fail then")
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT / "Sources"])
    arguments = parser.parse_args()
    files = {path: path.read_text() for folder in arguments.folders for path in sorted(folder.rglob("*.swift"))}
    found = [f for path, text in files.items() for f in functions(path.relative_to(ROOT), text)]
    long = [f"{place}: {name} has {lines} lines" for place, name, lines, _ in found if lines > MAX_FUNCTION_LINES]
    bare = [f"{place}: {name} has {count} unlabelled parameters" for place, name, _, count in found if count > MAX_UNLABELLED]
    handler = sum(stored_properties(folder, HANDLER) for folder in arguments.folders)
    words = len((ROOT / "README.md").read_text().split())
    if arguments.check:
        flaws = long + bare
        if handler > MAX_HANDLER_PROPERTIES:
            flaws.append(f"{HANDLER} has {handler} stored properties, at most {MAX_HANDLER_PROPERTIES}")
        if words > MAX_README_WORDS:
            flaws.append(f"README.md has {words} words, at most {MAX_README_WORDS}")
        print("\n".join(flaws), end="\n" if flaws else "")
        sys.exit(bool(flaws))
    sizes = sorted(text.count("\n") for text in files.values())
    counts = [documented(text) for text in files.values()]
    public, have = sum(c for c, _ in counts), sum(h for _, h in counts)
    inside = sum(len(re.findall(r"^ {8,}//[^/]", text, flags=re.M)) for text in files.values())
    rows = [
        ("files", len(files)),
        ("lines of a file: median / 95th percentile / most", f"{statistics.median(sizes):.0f} / {sizes[int(len(sizes) * 0.95)]} / {sizes[-1]}"),
        (f"functions over {MAX_FUNCTION_LINES} lines", len(long)),
        (f"functions with more than {MAX_UNLABELLED} unlabelled parameters", len(bare)),
        ("public symbols with a doc comment", f"{100 * have / max(public, 1):.0f} % of {public}"),
        (f"stored properties of {HANDLER}", handler),
        ("comments inside functions, share of lines", f"{100 * inside / sum(sizes):.1f} %"),
        ("words of README.md", words),
    ]
    for name, value in rows:
        print(f"{name:55} {value}")


if __name__ == "__main__":
    main()
