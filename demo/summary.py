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
from glyphbench.geometry import Box, pairs  # noqa: E402
from glyphbench.score import figures, tally, without  # noqa: E402


def confidence(result):
    """How much was read with certainty: each word counts as much as the engine trusts it."""
    return sum(word["confidence"] for line in result["lines"] for word in line["words"])


def score(truth, result):
    """Counts which words of a frame are right."""
    return tally(truth, told.words(result["lines"]), None)


def unread(truth, result):
    """Counts what became of the words of a frame in a script without a reader: those `withheld`, which are reported without text,
    of `words`, and the texts that are `made_up` instead."""
    care = [Box(item["poly"]) for item in truth["items"] if not item["ignore"]]
    ignored = [Box(item["poly"]) for item in truth["items"] if item["ignore"]]
    withheld = told.words(line for line in result["lines"] if line.get("reason") == "script_unavailable")
    texts, _ = without(ignored, told.words(line for line in result["lines"] if "reason" not in line))
    found = pairs([Box(word["quad"]) for word in withheld], care)
    return Counter(withheld=len(found), words=len(care), made_up=len(texts))


def text_of(line):
    """The text of a line, or why it has none."""
    return line["text"] or f"[{line['script']}: {line['reason']}]"


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
    cameras = int(cores / each / rate)
    print(f"\n{len(read)} of {len(truths)} frames were read", end="")
    print(f"; {skipped} were superseded by newer ones while this machine was busy." if skipped else ", none was superseded.")
    print(f"A frame is read in {reading:.0f} ms (median), with {1000 * each:.0f} ms of processor time on average.")
    print(
        f"The {cores} cores here could read {cores / each:.0f} such frames a second: {cameras} "
        f"{'camera' if cameras == 1 else 'cameras'} like this one, at {rate:.1f} a second."
        if cameras >= 1
        else f"The {cores} cores here are too few for a camera like this one, which sends {rate:.1f} frames a second."
    )
    print("To measure it: .build/release/glyphwire-replay run demo/session.gws --delivery live --find-limit p99=500ms")


class Scene:
    """A scene of the session, and what was read of it."""

    def __init__(self, name, frames, results, languages):
        self.name, self.frames = name, frames
        self.read = [(frame, results[frame["sequence"]]) for frame in frames if frame["sequence"] in results]
        language = frames[0].get("language")
        #: The language that the server has no reader for; None for a scene that can be read.
        self.unread = None if language in languages else language

    @property
    def score(self):
        """Which words are right; nothing where they cannot be read."""
        return Counter() if self.unread else sum((score(frame, result) for frame, result in self.read), Counter())

    @property
    def heading(self):
        """The line above its text."""
        first = self.frames[0]
        words = f"words {figures(self.score).get('e2e_f', 0):.3f}" if not self.unread else "words not counted"
        return (
            f"{self.name}: {len(self.read)} of {len(self.frames)} frames read, {first['width']}x{first['height']}, "
            f"orientation {first['orientation']}, {words}"
        )

    @property
    def note(self):
        """Why its words are not counted, and what became of them; None for a scene that can be read."""
        if not self.unread:
            return None
        count = sum((unread(frame, result) for frame, result in self.read), Counter())
        return (
            f"The reader of its language ({self.unread}) is not installed: docs/languages.md. Reported as unreadable: "
            f"{count['withheld']} of {count['words']} words; made up: {count['made_up']}."
        )


def scenes_of(truths, lines):
    """The scenes of a session in their order."""
    results = {line["sequence"]: line for line in lines if line["type"] == "result" and line["status"] == "ok"}
    languages = {None, *next((line.get("languages", []) for line in lines if line["type"] == "hello"), [])}
    named = {}
    for truth in truths:
        named.setdefault(truth["scene"], []).append(truth)
    return [Scene(name, frames, results, languages) for name, frames in named.items()]


def total(scenes):
    """The line about the words of all scenes."""
    apart = [scene.name for scene in scenes if scene.unread]
    words = figures(sum((scene.score for scene in scenes), Counter())).get("e2e_f", 0)
    return (
        f"Words read, in all{' but ' + ', '.join(apart) if apart else ''}: {words:.3f} "
        "(F-measure: box and text are right; 1 is best)"
    )


def show(text):
    """Prints a paragraph below the heading of a scene."""
    print(textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="    "))


def main():
    """Goes through the scenes in their order."""
    out = Path(sys.argv[1])
    truths = [json.loads(line) for line in Path(__file__).with_name("session.jsonl").read_text().splitlines()]
    lines = [json.loads(line) for line in (out / "results.ndjson").read_text().splitlines()]
    scenes, pictures = scenes_of(truths, lines), []
    for number, scene in enumerate(scenes, 1):
        print(f"\n{scene.heading}")
        if not scene.read:
            continue
        best = max((result for _, result in scene.read), key=confidence)
        show(" / ".join(map(text_of, best["lines"])))
        if scene.note:
            show(scene.note)
        picture = out / "frames" / f"frame-{best['sequence']:06d}.jpg"
        if picture.exists():
            pictures.append(out / f"{number}-{scene.name.replace(' ', '-')}.jpg")
            keep(picture, pictures[-1], best["orientation"])
    print(f"\n{total(scenes)}")
    print("Words are marked in red and characters in blue, on the best frame of each scene:")
    for picture in pictures:
        print(f"    {picture}")
    camera(truths, lines, float(sys.argv[2]))


if __name__ == "__main__":
    main()
