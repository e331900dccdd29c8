#!/usr/bin/env python3
"""Prints what was read in each scene of the demo session, how much of it is right, how long a frame took and how many such
cameras this machine takes, and keeps the picture of the frame that was read best.

Run by demo/run with the folder of its results and the processor time that the server used for them, in seconds; needs nothing
but Python's own library.
"""

import json
import os
import statistics
import struct
import sys
import textwrap
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))
from glyphbench.engines import told  # noqa: E402
from glyphbench.score import figures, tally  # noqa: E402


def confidence(result):
    """How much was read with certainty: each word counts as much as the engine trusts it."""
    return sum(word["confidence"] for line in result["lines"] for word in line["words"])


def score(truth, result):
    """Counts which words of a frame are right."""
    return tally(truth, told.words(result["lines"]), None)


def keep(picture, place, orientation):
    """Copies a JPEG whose pixels are as they were sent, with the EXIF tag that has viewers show it upright."""
    jpeg = picture.read_bytes()
    exif = b"Exif\0\0MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    place.write_bytes(jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:])


def camera(truths, lines, busy_seconds):
    """What the run says of cameras like this one: how long its frames took, and how many of them the machine takes."""
    read = [line for line in lines if line["type"] == "result" and line["status"] == "ok"]
    skipped = len(truths) - len(read)
    reading = statistics.median(line["timings_us"]["total"] - line["timings_us"]["queue"] for line in read) / 1000
    cores, each = len(os.sched_getaffinity(0)), busy_seconds / len(read)
    captured = [line["captured_us"] for line in lines if line["type"] == "result"]
    rate = len(captured) / ((max(captured) - min(captured)) / 1e6)
    cameras = cores / each / rate
    print(f"\n{len(read)} of {len(truths)} frames were read", end="")
    print(f"; {skipped} were superseded by newer ones while this machine was busy." if skipped else ", none was superseded.")
    print(f"A frame is read in {reading:.0f} ms (median), with {1000 * each:.0f} ms of processor time on average.")
    print(
        f"The {cores} cores here could read {cores / each:.0f} such frames a second: {cameras:.0f} cameras like this one, which sends "
        f"{rate:.1f} a second."
        if cameras >= 1
        else f"The {cores} cores here are too few for a camera like this one, which sends {rate:.1f} frames a second."
    )
    print("To measure it: .build/release/glyphwire-replay run demo/session.gws --delivery live --find-limit p99=500ms")


def main():
    """Goes through the scenes in their order."""
    out = Path(sys.argv[1])
    truths = [json.loads(line) for line in Path(__file__).with_name("session.jsonl").read_text().splitlines()]
    lines = [json.loads(line) for line in (out / "results.ndjson").read_text().splitlines()]
    results = {line["sequence"]: line for line in lines if line["type"] == "result" and line["status"] == "ok"}
    scenes = {}
    for truth in truths:
        scenes.setdefault(truth["scene"], []).append(truth)
    pictures, total = [], Counter()
    for number, (scene, frames) in enumerate(scenes.items(), 1):
        read = [(frame, results[frame["sequence"]]) for frame in frames if frame["sequence"] in results]
        count = sum((score(frame, result) for frame, result in read), Counter())
        total += count
        first = frames[0]
        print(
            f"\n{scene}: {len(read)} of {len(frames)} frames read, {first['width']}x{first['height']}, "
            f"orientation {first['orientation']}, words {figures(count).get('e2e_f', 0):.3f}"
        )
        if not read:
            continue
        best = max((result for _, result in read), key=confidence)
        text = " / ".join(line["text"] for line in best["lines"])
        print(textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="    "))
        picture = out / "frames" / f"frame-{best['sequence']:06d}.jpg"
        if picture.exists():
            pictures.append(out / f"{number}-{scene.replace(' ', '-')}.jpg")
            keep(picture, pictures[-1], best["orientation"])
    print(f"\nWords read, in all: {figures(total).get('e2e_f', 0):.3f} (F-measure: box and text are right; 1 is best)")
    print("Words are marked in red and characters in blue, on the best frame of each scene:")
    for picture in pictures:
        print(f"    {picture}")
    camera(truths, lines, float(sys.argv[2]))


if __name__ == "__main__":
    main()
