"""The command line: `bench/run`, whose --help says what it does."""

import argparse
import datetime
import os
from pathlib import Path

from . import engines, report
from .comparison import compare
from .sets import DataSet, folders_in

BENCH = Path(__file__).resolve().parents[1]
SETS = "GLYPHWIRE_BENCH_SETS"


def options():
    parser = argparse.ArgumentParser(
        prog="bench/run",
        description="Runs OCR engines side by side on the same pictures, on one thread of one core, and writes "
        "results.md, results.json, speed-accuracy.svg and .png, and what each engine told.",
        epilog=f"Without a FOLDER it takes those that {SETS} names, separated by colons, and without that it typesets "
        "sets of its own. The server measured is GLYPHWIRE_BENCH_PROGRAM, or .build/release/glyphwire.",
    )
    names = ", ".join(engines.ENGINES | engines.MORE)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="a data set, or a folder of data sets")
    parser.add_argument("--engines", metavar="NAMES", help=f"with commas between them, of: {names}")
    parser.add_argument("--pictures", type=int, metavar="COUNT", help="no more than so many of each set")
    parser.add_argument("--repeats", type=int, default=2, metavar="COUNT", help="readings of a picture (default: 2)")
    parser.add_argument(
        "--core", type=int, default=max(os.sched_getaffinity(0)), help="which all run on (default: the last)"
    )
    parser.add_argument("--output", type=Path, default=BENCH / "out", metavar="FOLDER", help="(default: bench/out)")
    parser.add_argument(
        "--scale",
        action="store_true",
        help="measure how Glyphwire's time grows with pixels and words, and how small letters may be",
    )
    parser.add_argument("--load", action="store_true", help="measure the server under 1 to 32 streams, and its wire path")
    parser.add_argument("--seconds", type=float, default=20, help="with --load: of each measurement (default: 20)")
    chosen = parser.parse_args()
    chosen.engines = chosen.engines.split(",") if chosen.engines else list(engines.ENGINES)
    for name in chosen.engines:
        if name not in engines.ENGINES | engines.MORE:
            parser.error(f"no engine {name}: there are {names}")
    if not chosen.folders:
        chosen.folders = [Path(folder) for folder in os.environ.get(SETS, "").split(":") if folder]
    return chosen


def main():
    chosen = options()
    if chosen.scale:
        from . import scale

        scale.measure(chosen.core, chosen.output)
        return
    if chosen.load:
        from . import load

        load.measure(chosen.output, chosen.seconds)
        return
    if not chosen.folders:
        from . import synthetic

        chosen.folders = [synthetic.make_all(chosen.output / "synthetic")]
    results = {
        "date": datetime.date.today().isoformat(),
        "machine": report.machine(),
        "load": os.getloadavg()[0],
        "repeats": chosen.repeats,
        "sets": [],
    }
    for folder in folders_in(chosen.folders):
        data = DataSet(folder, chosen.pictures)
        runs = compare(data, chosen.engines, chosen.core, chosen.repeats)
        results["sets"].append(report.described(data, runs))
        print(report.table(results["sets"][-1]), flush=True)
        report.write_predictions(data, runs, chosen.output)
        # After each set, so that a long run that is stopped leaves what it has.
        report.write(results, chosen.output)
    from . import plot

    plot.speed_and_accuracy(results, chosen.output)
    print(f"written to {chosen.output}: results.md, results.json, speed-accuracy.svg and .png, predictions")


if __name__ == "__main__":
    main()
