#!/usr/bin/env python3
"""Measures what `temporal` saves on live streams, and that it costs no words.

    bench/streams.py [--only handheld,counter] [--plot streams.svg]      streams that are drawn here
    bench/streams.py FOLDER...                                           streams of your own

Drawing them takes `pip install numpy pillow`; for one's own Python alone is needed. A folder has the frames of a stream as
JPEGs, and a gt.jsonl with a line for each in their order, as README.md beside this says; its items have a `track`, which a
word keeps while it stays in view. Each stream is sent twice to one server, with `temporal` and without, a frame at a time.
Processor time is the server's own, so that other work on the machine counts little; read it as a ratio. The server is
GLYPHWIRE_BENCH_PROGRAM, or .build/release/glyphwire.
"""

import argparse
import sys
from pathlib import Path

from glyphbench.live import judge, play
from glyphbench.server import Server
from glyphbench.sets import DataSet, folders_in

COLUMNS = (
    f"{'stream':15}{'CPU ratio':>10}{'ms/frame':>10}{'words':>8}{'each':>8}{'of each':>9}{'ids':>6}{'late':>6}{'reused':>11}"
)


def drawn(names, count, rate):
    """The streams that are drawn: the name of each, its frames and what is in them."""
    try:
        import numpy as np
        from glyphbench import cameras
    except ImportError as error:
        sys.exit(f"streams: {error}: pip install numpy pillow, with which streams are drawn")
    cameras.RATE = rate
    for name in names or cameras.STREAMS:
        if name not in cameras.STREAMS:
            sys.exit(f"streams: no stream {name}: there are {', '.join(cameras.STREAMS)}")
        pairs = list(cameras.STREAMS[name](np.random.default_rng(7), count))
        yield name, [frame for frame, _ in pairs], [{"items": items} for _, items in pairs]


def recorded(folders, count):
    """The streams of folders: the name of each, its frames and what is in them."""
    for data in map(DataSet, folders_in(folders)):
        truths = data.truths[:count]
        if any("track" not in item for truth in truths for item in truth["items"]):
            sys.exit(f"streams: {data.folder}/gt.jsonl: an item has no track; README.md beside this says what it is")
        yield data.name, [data.path(truth).read_bytes() for truth in truths], truths


class Comparison:
    """A stream that was read with `temporal`, and each frame for itself."""

    def __init__(self, server, frames, truths, rate, in_time):
        # A server compiles its networks once for all streams; that is no cost of this one.
        play(server, frames[:: max(1, len(frames) // 20)], rate, True)
        each, self.each_seconds = play(server, frames, rate, False)
        kept, self.seconds = play(server, frames, rate, True, in_time)
        self.each, self.judged = judge(truths, each), judge(truths, kept)
        self.frame_times = {"each": [milliseconds(result) for result in each]}
        self.frame_times["temporal"] = [milliseconds(result) for result in kept]
        self.reused, self.frames = sum(result.get("reused", False) for result in kept), len(frames)

    @property
    def ratio(self):
        """Processor time with `temporal`, as a share of that without."""
        return self.seconds / self.each_seconds

    def row(self, name):
        words, each = self.judged["words"], self.each["words"]
        late = "-" if self.judged["late"] is None else self.judged["late"]
        return (
            f"{name:15}{self.ratio:10.3f}{1000 * self.seconds / self.frames:10.1f}{words:8.3f}{each:8.3f}"
            f"{words / max(each, 1e-9):9.3f}{self.judged['ids']:6.2f}{late:>6}{self.reused:6}/{self.frames}"
        )


def milliseconds(result):
    """How long a frame was worked on."""
    return sum(result["timings_us"][stage] for stage in ("decode", "detect", "recognize")) / 1000


def mean(comparisons):
    """The row below several streams: means, and what is read of all against what is read of each frame for itself."""
    count = len(comparisons)
    words, each = (sum(judged["words"] for judged in all) for all in zip(*((c.judged, c.each) for c in comparisons)))
    time = sum(1000 * c.seconds / c.frames for c in comparisons) / count
    return (
        f"{f'mean of {count}':15}{sum(c.ratio for c in comparisons) / count:10.3f}{time:10.1f}{words / count:8.3f}"
        f"{each / count:8.3f}{words / max(each, 1e-9):9.3f}{sum(c.judged['ids'] for c in comparisons) / count:6.2f}"
    )


def plot(series, path):
    """Draws the time that a frame took, stream below stream."""
    rows = []
    for number, (name, pair) in enumerate(series.items()):
        top = 30 + 120 * number
        rows.append(f'<text x="10" y="{top - 8}" font-size="13">{name}: ms a frame, each for itself and temporal</text>')
        limit = max(max(values) for values in pair.values())
        for kind, colour in (("each", "#999999"), ("temporal", "#0060c0")):
            values = pair[kind]
            points = " ".join(
                f"{10 + 780 * i / len(values):.1f},{top + 85 - 80 * v / limit:.1f}" for i, v in enumerate(values)
            )
            rows.append(f'<polyline fill="none" stroke="{colour}" points="{points}"/>')
    body = "\n".join(rows)
    with open(path, "w") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="{30 + 120 * len(series)}" '
            f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="streams, or folders of streams")
    parser.add_argument("--only", metavar="NAMES", help="of the drawn streams those named, with commas between them")
    parser.add_argument("--seconds", type=float, default=6, help="of each stream (default: 6)")
    parser.add_argument("--rate", type=int, default=30, help="frames a second (default: 30)")
    parser.add_argument("--live", action="store_true", help="send each frame at its time, so that refresh_ms counts")
    parser.add_argument("--core", type=int, help="run the server on this core")
    parser.add_argument("--plot", metavar="FILE", help="an SVG of the time of each frame")
    options = parser.parse_args()
    if options.folders and options.only:
        parser.error("--only chooses among the drawn streams; name those folders that are to be measured")
    count = round(options.seconds * options.rate)
    if options.folders:
        streams = recorded(options.folders, count)
    else:
        streams = drawn(options.only and options.only.split(","), count, options.rate)
    cores = {options.core} if options.core is not None else None
    server, compared = Server("--workers", "1", "--levels", "fast", cores=cores), {}
    print(COLUMNS)
    try:
        for name, frames, truths in streams:
            compared[name] = Comparison(server, frames, truths, options.rate, options.live)
            print(compared[name].row(name), flush=True)
    finally:
        server.close()
    if options.folders and len(compared) > 1:
        print(mean(list(compared.values())))
    if options.plot:
        plot({name: each.frame_times for name, each in compared.items()}, options.plot)


if __name__ == "__main__":
    main()
