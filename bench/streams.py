#!/usr/bin/env python3
"""Measures what `temporal` saves on live streams, and that it costs no words.

    bench/streams.py [--only handheld,counter] [--plot streams.svg]      streams that are drawn here
    bench/streams.py FOLDER...                                           recordings

Drawing them takes `pip install numpy pillow` and Debian's fonts-dejavu-core; for recordings Python alone is needed. A folder has the frames of a stream as
JPEGs, and a gt.jsonl with a line for each in their order, as README.md beside this says. Each stream is sent to one server,
with `temporal` and without, in turns, a frame at a time. Processor time is the server's own, so that other work on the
machine counts little; read it as a ratio. The server is GLYPHWIRE_BENCH_PROGRAM, or .build/release/glyphwire.
"""

import argparse
import json
import sys
from pathlib import Path

from glyphbench import arguments
from glyphbench.live import judge, play
from glyphbench.recordings import Stream, recorded
from glyphbench.server import Server
from glyphbench.sets import DataSet, folders_in

COLUMNS = (
    f"{'stream':15}{'CPU ratio':>10}{'ms/frame':>10}{'words':>8}{'each':>8}{'of each':>9}{'ids':>6}{'late':>6}{'reused':>11}"
)


def drawn(names, count, rate):
    """The streams that are drawn."""
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
        times = [index / rate for index in range(count)]
        yield Stream(name, [frame for frame, _ in pairs], [{"items": items} for _, items in pairs], times)


class Comparison:
    """A stream that was read with `temporal`, and each frame for itself, `turns` times in turns."""

    def __init__(self, server, stream, options):
        level = options.level
        # A server compiles its networks once for all streams; that is no cost of this one.
        few = stream.part(range(0, len(stream.frames), max(1, len(stream.frames) // 20)))
        play(server, few, level, True)
        each, kept = [], []
        for _ in range(options.turns):
            each.append(play(server, stream, level, False))
            kept.append(play(server, stream, level, True, options.live))
        self.count, self.name = len(stream.frames), stream.name
        self.each, self.judged = (
            judge(stream.truths * options.turns, [result for results, _ in runs for result in results])
            for runs in (each, kept)
        )
        self.each_times, self.times = (
            [sum(times) / len(times) for times in zip(*(times for _, times in runs))] for runs in (each, kept)
        )
        self.reused = sum(result.get("reused", False) for result in kept[-1][0])

    @property
    def ratio(self):
        """Processor time with `temporal`, as a share of that without."""
        return sum(self.times) / sum(self.each_times)

    @property
    def figures(self):
        """What is measured, by name: times in milliseconds of processor time for a frame."""
        words, each = self.judged["words"], self.each["words"]
        return {
            "stream": self.name,
            "frames": self.count,
            "ratio": round(self.ratio, 4),
            "ms": round(1000 * sum(self.times) / self.count, 2),
            "words": round(words, 4),
            "words_each": round(each, 4),
            "words_of_each": round(words / each, 4) if each else None,
            "ids": round(self.judged["ids"], 3),
            "late": self.judged["late"],
            "reused": self.reused,
        }

    def row(self):
        figures = self.figures
        late, of_each = ("-" if figures[name] is None else figures[name] for name in ("late", "words_of_each"))
        return (
            f"{self.name:15}{figures['ratio']:10.3f}{figures['ms']:10.1f}{figures['words']:8.3f}{figures['words_each']:8.3f}"
            f"{of_each:>9.3}{figures['ids']:6.2f}{late:>6}{self.reused:6}/{self.count}"
        )


def mean(comparisons):
    """The row below several streams: means, and what is read of all against what is read of each frame for itself."""
    count, all = len(comparisons), [comparison.figures for comparison in comparisons]
    total = {name: sum(figures[name] for figures in all) for name in ("ratio", "ms", "words", "words_each", "ids")}
    return (
        f"{f'mean of {count}':15}{total['ratio'] / count:10.3f}{total['ms'] / count:10.1f}{total['words'] / count:8.3f}"
        f"{total['words_each'] / count:8.3f}{total['words'] / max(total['words_each'], 1e-9):9.3f}{total['ids'] / count:6.2f}"
    )


def plot(comparisons, path):
    """Draws the processor time that a frame took, stream below stream."""
    rows = []
    for number, comparison in enumerate(comparisons):
        top = 30 + 120 * number
        limit = max(comparison.each_times + comparison.times)
        rows.append(
            f'<text x="10" y="{top - 8}" font-size="13">{comparison.name}: processor time a frame, each for itself and '
            f"temporal; {1000 * limit:.0f} ms at the top</text>"
        )
        for times, colour in ((comparison.each_times, "#999999"), (comparison.times, "#0060c0")):
            points = " ".join(
                f"{10 + 780 * i / len(times):.1f},{top + 85 - 80 * t / limit:.1f}" for i, t in enumerate(times)
            )
            rows.append(f'<polyline fill="none" stroke="{colour}" points="{points}"/>')
    body = "\n".join(rows)
    with open(path, "w") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="{30 + 120 * len(comparisons)}" '
            f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="recordings, or folders of recordings")
    parser.add_argument("--only", metavar="NAMES", help="of the drawn streams or the recordings those named, with commas")
    parser.add_argument("--seconds", type=float, help="of each stream (default: 6 of those drawn, all of recordings)")
    count, core = arguments.count, arguments.core
    parser.add_argument("--rate", type=count, help="frames a second (default: 30 of those drawn, all of recordings)")
    parser.add_argument("--recorded-rate", type=count, default=30, metavar="RATE", help="of recordings without times")
    parser.add_argument("--level", choices=("fast", "accurate"), default="fast")
    parser.add_argument("--turns", type=count, default=1, metavar="N", help="send each stream so often (default: 1)")
    parser.add_argument("--live", action="store_true", help="send each frame at its time, so that refresh_ms counts")
    parser.add_argument("--core", type=core, help="run the server on this core")
    parser.add_argument("--plot", metavar="FILE", help="an SVG of the time of each frame")
    parser.add_argument("--json", metavar="FILE", help="the figures of each stream, and the time of each frame")
    options = parser.parse_args()
    names = options.only and options.only.split(",")
    if options.folders:
        streams = (
            recorded(data, options.recorded_rate)
            for data in map(DataSet, folders_in(options.folders))
            if not names or data.name in names
        )
        if options.rate:
            streams = (stream.at_rate(options.rate) for stream in streams)
        if options.seconds:
            streams = (stream.first(options.seconds) for stream in streams)
    else:
        rate = options.rate or 30
        streams = drawn(names, round((options.seconds or 6) * rate), rate)
    cores = {options.core} if options.core is not None else None
    server, compared = Server("--workers", "1", "--levels", options.level, cores=cores), []
    print(COLUMNS)
    try:
        for stream in streams:
            compared.append(Comparison(server, stream, options))
            print(compared[-1].row(), flush=True)
    finally:
        server.close()
    if len(compared) > 1:
        print(mean(compared))
    if options.plot:
        plot(compared, options.plot)
    if options.json:
        rows = [each.figures | {"each_times": each.each_times, "times": each.times} for each in compared]
        Path(options.json).write_text(json.dumps(rows))


if __name__ == "__main__":
    main()
