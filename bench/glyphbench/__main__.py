"""The command line: `bench/run`, whose --help says what it does."""

import argparse
import os
from pathlib import Path

from . import arguments, engines, report, server
from .comparison import compare, started
from .others import OtherWork
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
    parser.add_argument("--pictures", type=arguments.count, metavar="COUNT", help="no more than so many of each set")
    parser.add_argument(
        "--repeats", type=arguments.count, default=2, metavar="COUNT", help="readings of a picture (default: 2)"
    )
    parser.add_argument(
        "--core", type=arguments.core, default=max(os.sched_getaffinity(0)), help="which all run on (default: the last)"
    )
    parser.add_argument("--output", type=Path, default=BENCH / "out", metavar="FOLDER", help="(default: bench/out)")
    parser.add_argument(
        "--scale",
        action="store_true",
        help="measure how Glyphwire's time grows with pixels and words, and how small letters may be",
    )
    parser.add_argument("--load", action="store_true", help="measure the server under 1 to 32 streams, and its wire path")
    parser.add_argument("--seconds", type=float, default=20, help="with --load: of each measurement (default: 20)")
    # What bench/run has to install, once the other options are known to be right.
    parser.add_argument("--requirements", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    chosen.engines = chosen.engines.split(",") if chosen.engines else list(engines.ENGINES)
    for name in chosen.engines:
        if name not in engines.ENGINES | engines.MORE:
            parser.error(f"no engine {name}: there are {names}")
    if not chosen.folders:
        chosen.folders = [Path(folder) for folder in os.environ.get(SETS, "").split(":") if folder]
    if chosen.scale or chosen.load or any(name.startswith("glyphwire") for name in chosen.engines):
        server.program()
    chosen.sets = [DataSet(folder, chosen.pictures) for folder in folders_in(chosen.folders)]
    return chosen


def requirements(chosen):
    """The files of what the chosen measurement needs."""
    is_alone = chosen.scale or chosen.load or all(name.startswith("glyphwire") for name in chosen.engines)
    return ["requirements.txt"] if is_alone else ["requirements.txt", "requirements-engines.txt"]


def main():
    chosen = options()
    if chosen.requirements:
        print("\n".join(requirements(chosen)))
        return
    if chosen.scale:
        from . import scale

        scale.measure(chosen.core, chosen.output)
        return
    if chosen.load:
        from . import load

        load.measure(chosen.output, chosen.seconds)
        return
    if not chosen.sets:
        from . import synthetic

        made = synthetic.make_all(chosen.output / "synthetic")
        chosen.sets = [DataSet(folder, chosen.pictures) for folder in folders_in([made])]
    results = compared(chosen.sets, chosen)
    from . import plot

    plot.speed_and_accuracy(results, chosen.output)
    print(f"written to {chosen.output}")


def compared(sets, chosen):
    """The results of data sets, written after each, so that a long run that is stopped leaves what it has."""
    others, described = OtherWork(), []
    for data in sets:
        with started(chosen.engines, chosen.core) as running:
            runs = compare(data, running, chosen.repeats, others)
        left_out = [name for name in chosen.engines if name not in {engine.name for engine in running}]
        described.append(report.described(data, runs))
        print(report.table(described[-1]), flush=True)
        report.write_predictions(data, runs, chosen.output)
        results = report.circumstances(others)
        results |= {"repeats": chosen.repeats, "left_out": left_out, "sets": described}
        report.write(results, chosen.output)
    return results


if __name__ == "__main__":
    main()
