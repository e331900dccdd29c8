"""What a comparison found, as JSON, as Markdown tables, and as the predictions themselves."""

import datetime
import json
import os
import platform
import re
from pathlib import Path

from . import engines

COLUMNS = {
    "e2e_f": "words read",
    "bow_f": "bag of words",
    "det_f": "words found",
    "char_box_f": "character boxes",
    "cer": "CER",
    "ms": "ms",
    "cpu_ms": "ms busy",
    "first_cpu_ms": "ms busy at first",
    "peak_mb": "MB",
}
LESS_IS_BETTER = {"cer", "ms", "cpu_ms", "first_cpu_ms", "peak_mb"}


def machine():
    """The machine that the times belong to."""
    cpu, flags = platform.machine(), set()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name.strip() == "model name":
            cpu = value.strip()
        elif name.strip() in ("flags", "Features"):
            flags = set(value.split())
    useful = [
        name for name in ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_bf16", "asimd", "bf16") if name in flags
    ]
    return {"cpu": cpu, "instructions": useful, "cores": os.cpu_count(), "system": platform.platform(terse=True)}


def circumstances(others):
    """When and where a run was measured, and how busy the `others` kept the machine."""
    date = datetime.date.today().isoformat()
    return {"date": date, "machine": machine(), "others_busy": round(others.cores, 2), "condition": others.condition}


def source(results):
    """The circumstances of a run, for below a plot of it."""
    parts = [results["machine"]["cpu"].replace("(R)", ""), results["date"]]
    return ", ".join(parts + [f"not idle: {results['condition']}"] if results["condition"] else parts)


def reservation(results):
    """What is to be said of the times of a run on a machine that was not idle, as a paragraph; empty for others."""
    if not results["condition"]:
        return ""
    return f"The machine was not idle: {results['condition']}. All times are longer for it, by the clock most.\n"


def described(data, runs):
    """A set and what each engine did with it."""
    summaries = [run.summary(data.main_figure) for run in runs]
    count = {"pictures": len(data.truths), "words": data.word_count}
    return {"set": data.name, **count, "main_figure": data.main_figure, "engines": summaries}


def write(results, folder):
    """Writes results.json and results.md."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (folder / "results.md").write_text(markdown(results))


def write_predictions(data, runs, folder):
    """Writes what each engine told about each picture, as JSON Lines, for another scorer to check."""
    for run in runs:
        path = folder / "predictions" / data.name / f"{run.engine.name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            "".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in run.answers), encoding="utf-8"
        )


def markdown(results):
    """The tables of all sets."""
    machine = results["machine"]
    instructions = f" ({', '.join(machine['instructions'])})" if machine["instructions"] else ""
    parts = [
        "# Engines side by side\n",
        f"{results['date']}, one core of {machine['cpu']}{instructions}, {machine['system']}.\n"
        f"Every picture by each engine in turn, the quickest of {results['repeats']} readings, medians over the "
        "pictures; bench/README.md explains the columns.\n",
        versions(results["sets"]),
        reservation(results),
    ]
    if results.get("left_out"):
        parts.append(f"Left out, since they did not start: {listed(results['left_out'])}.\n")
    parts += [table(each) for each in results["sets"]]
    parts.append(ratios(results["sets"]))
    return "\n".join(part for part in parts if part)


def versions(sets):
    """The versions of the engines, as a paragraph; empty where no set was read."""
    rows = [row for each in sets for row in each["engines"]]
    # An engine with several models, or in several modes, has one version.
    found = {re.split("[ ,]", engines.title(row["engine"]))[0]: row["version"] for row in rows}
    return f"Versions: {', '.join(f'{name} {version}' for name, version in found.items())}.\n" if found else ""


def listed(names):
    """Engines by their titles, in a row."""
    return "; ".join(map(engines.title, names))


def table(described):
    """One set as a table, the best of each column in bold."""
    rows = described["engines"]
    columns = [name for name in COLUMNS if any(name in row for row in rows)]
    best = {
        name: (min if name in LESS_IS_BETTER else max)(row[name] for row in rows if name in row) for name in columns
    }
    main = described["main_figure"]
    if main in columns:
        columns.remove(main)
        columns.insert(0, main)

    def cell(row, name):
        if name not in row:
            return "–"
        text = number(name, row[name])
        if text == number(name, best[name]):
            text = f"**{text}**"
        if name == main and "interval" in row:
            low, high = row["interval"]
            text += f" ({low:.2f}–{high:.2f})"
        return text

    lines = [
        f"## {described['set']}: {described['pictures']} pictures, {described['words']} words\n",
        "| | " + " | ".join(COLUMNS[name] for name in columns) + " |",
        "|---|" + "---:|" * len(columns),
    ]
    for row in rows:
        lines.append(f"| {engines.title(row['engine'])} | " + " | ".join(cell(row, name) for name in columns) + " |")
    failed = [f"{engines.title(row['engine'])} {row['failed']}" for row in rows if "failed" in row]
    if failed:
        lines += ["", f"Pictures on which an engine failed, and counts as finding nothing: {'; '.join(failed)}."]
    return "\n".join(lines) + "\n"


def number(name, value):
    """A figure as it stands in a table."""
    if name.endswith("ms"):
        return f"{value:.0f}" if value >= 10 else f"{value:.1f}"
    return str(value) if name.endswith("mb") else f"{value:.3f}"


def ratios(sets):
    """Glyphwire's processor time as a share of each other engine's, set by set."""
    names = {row["engine"] for each in sets for row in each["engines"]}
    ours = [name for name in engines.ENGINES if name in names and name.startswith("glyphwire")]
    peers = [name for name in engines.ENGINES if name in names and not name.startswith("glyphwire")]
    if not ours or not peers:
        return ""
    lines = ["## Time for a frame, as a share of a peer's\n", "Of `ms busy`; below 1, Glyphwire is quicker.\n"]
    lines += ["| | | " + " | ".join(each["set"] for each in sets) + " |", "|---|---|" + "---:|" * len(sets)]
    for mine in ours:
        for peer in peers:
            cells = []
            for each in sets:
                times = {row["engine"]: row.get("cpu_ms") for row in each["engines"]}
                both = times.get(mine) and times.get(peer)
                cells.append(f"{times[mine] / times[peer]:.2f}" if both else "–")
            lines.append(f"| {engines.title(mine)} | {engines.title(peer)} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"
