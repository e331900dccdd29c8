#!/usr/bin/env python3
"""Checks that the Swift code in the documents of TextRecognition is that of Examples/ReadPicture, which the build compiles."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "Examples/ReadPicture/main.swift"
DOCUMENTS = [ROOT / "README.md", ROOT / "Sources/TextRecognition/Documentation.docc/TextRecognition.md"]

program = EXAMPLE.read_text()
failed = False
for document in DOCUMENTS:
    blocks = [b for b in re.findall(r"```swift\n(.*?)```", document.read_text(), re.S) if "OpenVINOTextEngine(" in b]
    for block in blocks:
        if block not in program:
            print(f"{document.relative_to(ROOT)}: its example is not in {EXAMPLE.relative_to(ROOT)}")
            failed = True
    if not blocks:
        print(f"{document.relative_to(ROOT)}: has no example")
        failed = True
sys.exit(failed)
