#!/usr/bin/env python3
"""Checks that the sources speak the field's language: no private word where a standard term exists.

    scripts/check-words.py [FOLDER...]

Prints each private word in Swift code and comments (Sources by default), with the term to use, and fails then.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TERMS = {
    r"told|tells?": "report, emit, show",
    r"doubt\w*": "reject, uncertain",
    r"shown out": "closed",
    r"strangers?": "foreign protocol, peer",
    r"overt(?:ook|aken)": "superseded",
    r"turnstile|turned away": "semaphore, refused",
    r"nearly read": "near miss",
    r"LineCore|WayUp|InkMap|InkBox|LetterCutter|GlyphWidth": "kernel, orientation, mask, bounding box, segmentation, advance",
    r"helpers?": "executor",
    r"lends?|lent": "pool",
}
pattern = re.compile("|".join(rf"(?P<t{i}>\b(?:{word})\b)" for i, word in enumerate(TERMS)), re.IGNORECASE)
terms = list(TERMS.values())
folders = [Path(name) for name in sys.argv[1:]] or [ROOT / "Sources"]
failed = False
for path in sorted(path for folder in folders for path in folder.rglob("*.swift")):
    for number, line in enumerate(path.read_text().split("\n"), 1):
        for match in pattern.finditer(line):
            print(f"{path.relative_to(ROOT)}:{number}: \"{match[0]}\": {terms[int(match.lastgroup[1:])]}")
            failed = True
sys.exit(failed)
