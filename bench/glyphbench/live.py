"""Plays live streams to a server, and tells how well they were read.

In the truths of a stream, the lines of its gt.jsonl, items have a `track`, the same for a word while it stays in view. A
track that begins with `now/` is of a text that changes; what stands behind that is the text.
"""

import json
import socket
import time
from collections import Counter

from .engines.told import piece
from .geometry import Box, pairs
from .process import processor_seconds
from .score import composed, figures, tally, without
from .server import CONFIGURE, FRAME, JPEG, message

CHANGES = "now/"


def play(server, stream, level, temporal, in_time=False):
    """Sends the frames of a stream one by one, each at its time if `in_time`; the result lines, and the processor time of
    each in seconds."""
    with socket.create_connection((server.host, server.port)) as connection:
        lines = connection.makefile("rb")
        options = {"level": level, "delivery": "every", "temporal": temporal, "characters": False}
        lines.readline()
        connection.sendall(message(CONFIGURE, json.dumps(options).encode()))
        answer = json.loads(lines.readline())
        if answer.get("type") != "configured":
            raise SystemExit(f"bench: the server refused: {answer}")
        results, busy, began = [], [processor_seconds(server.pid)], time.monotonic()
        for index, (frame, due) in enumerate(zip(stream.frames, stream.times)):
            if in_time:
                time.sleep(max(0, began + due - time.monotonic()))
            # From one second on, since 0 is an unknown time.
            captured = round((due + 1) * 1_000_000)
            connection.sendall(message(FRAME, frame, JPEG, sequence=index, captured=captured))
            results.append(json.loads(lines.readline()))
            busy.append(processor_seconds(server.pid))
        return results, [after - before for before, after in zip(busy, busy[1:])]


def judge(truths, results):
    """What is right: `words` (e2e_f, or bow_f where the truth knows lines only: see score.py), `ids` told for each true word
    while it has one text, and `late`, the most frames in a row for which a text that had changed was not told yet; None if
    none changes."""
    count, ids, late = Counter(), {}, Lateness()
    for truth, result in zip(truths, results, strict=True):
        told = [piece(word) | {"id": word.get("id")} for line in result["lines"] for word in line["words"]]
        count += tally(truth, told, None)
        care = [item for item in truth["items"] if not item.get("ignore")]
        told, boxes = without([Box(item["poly"]) for item in truth["items"] if item.get("ignore")], told)
        for i, j in pairs(boxes, [Box(item["poly"]) for item in care]):
            ids.setdefault((care[j]["track"], care[j]["text"]), set()).add(told[i]["id"])
        late.look([str(item["track"]) for item in care], {composed(word.get("text", "")) for word in told})
    right = figures(count)
    words = right.get("e2e_f", right.get("bow_f", 0.0))
    return {"words": words, "ids": sum(map(len, ids.values())) / max(len(ids), 1), "late": late.longest}


class Lateness:
    """For how long texts that have come up are not told."""

    def __init__(self):
        self.longest = None
        #: For each text the frames for which it has been missing, or None once it was told.
        self._missing = {}

    def look(self, tracks, told):
        """Takes in the tracks of the words of the next frame, and the texts that were told of it."""
        for track in {track for track in tracks if track.startswith(CHANGES)}:
            missing = self._missing.get(track, 0)
            if missing is None:
                continue
            is_told = composed(track.removeprefix(CHANGES)) in told
            self._missing[track] = None if is_told else missing + 1
            self.longest = max(self.longest or 0, missing if is_told else missing + 1)
