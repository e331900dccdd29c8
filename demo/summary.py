#!/usr/bin/env python3
"""Prints what was read in each scene of the demo session, and keeps the picture of the frame that was read best.

Run by demo/run with the folder of its results; needs nothing but Python's own library.
"""

import json
import struct
import sys
import textwrap
from pathlib import Path


def confidence(result):
    """How much was read with certainty: each word counts as much as the engine trusts it."""
    return sum(word["confidence"] for line in result["lines"] for word in line["words"])


def keep(picture, place, orientation):
    """Copies a JPEG whose pixels are as they were sent, with the EXIF tag that has viewers show it upright."""
    jpeg = picture.read_bytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    place.write_bytes(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:])


def main():
    """Goes through the scenes in their order."""
    out = Path(sys.argv[1])
    truths = [json.loads(line) for line in Path(__file__).with_name("session.jsonl").read_text().splitlines()]
    lines = [json.loads(line) for line in (out / "results.ndjson").read_text().splitlines()]
    results = {line["sequence"]: line for line in lines if line["type"] == "result"}
    scenes = {}
    for truth in truths:
        scenes.setdefault(truth["scene"], []).append(truth)
    pictures = []
    for number, (scene, frames) in enumerate(scenes.items(), 1):
        answered = [results[frame["sequence"]] for frame in frames if frame["sequence"] in results]
        read = [result for result in answered if result["status"] == "ok"]
        first = frames[0]
        print(
            f"\n{scene}: {len(read)} of {len(frames)} frames read, "
            f"{first['width']}x{first['height']}, orientation {first['orientation']}"
        )
        if not read:
            continue
        best = max(read, key=confidence)
        text = " / ".join(line["text"] for line in best["lines"])
        print(textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="    "))
        picture = out / "frames" / f"frame-{best['sequence']:06d}.jpg"
        if picture.exists():
            pictures.append(out / f"{number}-{scene.replace(' ', '-')}.jpg")
            keep(picture, pictures[-1], best["orientation"])
    print("\nWords are marked in red and characters in blue, on the best frame of each scene:")
    for picture in pictures:
        print(f"    {picture}")


if __name__ == "__main__":
    main()
