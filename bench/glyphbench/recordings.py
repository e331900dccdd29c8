"""Streams to send: those that are drawn here, and recordings, folders of frames with a gt.jsonl."""

import math
from dataclasses import dataclass

from .geometry import Box, pairs

#: Overlap of the boxes of a word in two frames in a row.
SAME_PLACE = 0.2
#: How far a word moves from one frame to the next at most, in heights of its box.
FARTHEST = 8


@dataclass
class Stream:
    """A stream: the bytes of each frame, what is in it (a line of gt.jsonl), and its time in seconds from the first."""

    name: str
    frames: list
    truths: list
    times: list

    def part(self, indices):
        """The stream of some of its frames."""
        return Stream(self.name, *([values[k] for k in indices] for values in (self.frames, self.truths, self.times)))

    def first(self, seconds):
        """Its first seconds."""
        return self.part([index for index, time in enumerate(self.times) if time < seconds])

    def at_rate(self, rate):
        """What a camera of `rate` frames a second would have sent of it; all of it where it has fewer."""
        kept, due = [], 0
        for index, time in enumerate(self.times):
            # A tenth of the time between frames is rounding.
            if time >= due - 0.1 / rate:
                kept.append(index)
                due = max(due, time - 0.1 / rate) + 1 / rate
        return self.part(kept)


def recorded(data, rate):
    """The stream of a data set; frames without a time `t` are a `rate`th of a second apart."""
    truths = data.truths
    start = truths[0].get("t", 0)
    times = [truth["t"] - start if "t" in truth else index / rate for index, truth in enumerate(truths)]
    frames = [data.path(truth).read_bytes() for truth in truths]
    return Stream(data.name, frames, tracked(truths), times)


def tracked(truths):
    """The truths with a `track` in each item; where one lacks it, that of the word of the same text that lies in its place
    in the frame before, or else nearest to it."""
    known, count, numbered = [], 0, []
    for truth in truths:
        items = [dict(item) for item in truth["items"]]
        due = [item for item in items if "track" not in item and not item.get("ignore")]
        for item, track in zip(due, continued(due, known)):
            count += track is None
            item["track"] = f"{count}/{item['text']}" if track is None else track
        known = [item for item in items if not item.get("ignore")]
        numbered.append(truth | {"items": items})
    return numbered


def continued(items, known):
    """For each item the track of the known one that it continues, or None."""
    tracks = [None] * len(items)
    old, new = ([Box(item["poly"]) for item in each] for each in (known, items))
    in_place = [(i, j) for i, j in pairs(new, old, SAME_PLACE) if items[i]["text"] == known[j]["text"]]
    taken = {j for _, j in in_place}
    moved = []
    for i in set(range(len(items))) - {i for i, _ in in_place}:
        reach = FARTHEST * (new[i].bottom - new[i].top)
        for j in set(range(len(known))) - taken:
            if items[i]["text"] == known[j]["text"]:
                distance = math.hypot(new[i].left - old[j].left, new[i].top - old[j].top)
                moved += [(distance, i, j)] if distance <= reach else []
    for i, j in in_place + [(i, j) for _, i, j in sorted(moved)]:
        if tracks[i] is None and known[j]["track"] not in tracks:
            tracks[i] = known[j]["track"]
    return tracks
