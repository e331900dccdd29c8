"""Plots, as SVG and PNG: how well against how fast, and how the time grows."""

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from .report import source

INK, SOFT, GRID = "#1c2024", "#687078", "#e6e8ea"
TITLES = {
    "e2e_f": "words read, F-measure",
    "bow_f": "bag of words, F-measure",
    "char_box_f": "character boxes, F-measure",
}
# Engines of a family share a colour and are joined by a line: its name, its colour, its engines and their short names.
FAMILIES = [
    ("Tesseract", "#8a8f94", {"tesseract": "page", "tesseract-sparse": "sparse"}),
    ("faster-paddle", "#3f8f5f", {"faster-paddle-tiny": "tiny", "faster-paddle-small": "small"}),
    ("RapidOCR ONNX", "#d9a15b", {"rapidocr-onnx-tiny": "tiny", "rapidocr-onnx-small": "small"}),
    ("RapidOCR OpenVINO", "#c2571a", {"rapidocr-openvino-tiny": "tiny", "rapidocr-openvino-small": "small"}),
    ("Glyphwire", "#1a56db", {"glyphwire-fast": "fast", "glyphwire-accurate": "accurate"}),
]

plt.rcParams |= {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "axes.edgecolor": "#b4b9be",
    "axes.labelcolor": SOFT,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.hashsalt": "glyphwire",
}


def save(figure, folder, name):
    """Writes a figure as SVG and PNG."""
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=160, metadata={"Software": None})
    plt.close(figure)


def name_source(figure, results, said=""):
    """Writes below a figure what is `said` of it, and the run that it shows."""
    figure.supxlabel(f"{said}\n{source(results)}".strip(), x=0.01, ha="left", fontsize=8.5, color=SOFT)


def logarithmic(axis, low, high):
    """Gives an axis of milliseconds ticks at 1, 2 and 5 times the powers of ten, in plain numbers."""
    ticks = [base * 10**power for power in range(-2, 6) for base in (1, 2, 5)]
    axis.set_ticks([tick for tick in ticks if low <= tick <= high])
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}" if value < 10000 else f"{value / 1000:g}k"))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def speed_and_accuracy(results, folder):
    """A panel for each set and, where a set knows its characters, one for them: accuracy over milliseconds a frame.

    Sets without a figure, such as one of which everything is to be ignored, have none; without any there is no plot.
    """
    panels = [(each, each["main_figure"]) for each in results["sets"]]
    panels += [(each, "char_box_f") for each in results["sets"]]
    panels = [(each, name) for each, name in panels if points(each, name)]
    if not panels:
        return
    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(4.3 * columns, 3.7 * rows + 0.5), squeeze=False, layout="constrained"
    )
    for axis in axes.flat[len(panels) :]:
        axis.set_visible(False)
    figure.draw_without_rendering()
    for axis, (each, name) in zip(axes.flat, panels):
        panel(axis, each, name)
    figure.suptitle(
        "Accuracy against time, one core: higher and further left is better",
        x=0.01,
        ha="left",
        fontsize=12.5,
        fontweight="bold",
    )
    name_source(
        figure, results, "milliseconds for a frame, processor time, median, logarithmic; bars: 95 % of resampled sets"
    )
    figure.draw_without_rendering()
    for axis in axes.flat[: len(panels)]:
        place_labels(axis)
    figure.set_layout_engine("none")
    save(figure, folder, "speed-accuracy")


def points(described, name):
    """The rows of a set that have a figure and a time, by engine."""
    return {row["engine"]: row for row in described["engines"] if name in row and "cpu_ms" in row}


def panel(axis, described, name):
    """One set: a line for each family from its quicker to its slower engine."""
    rows = points(described, name)
    axis.set_title(f"{described['set'].replace('_', ' ')}\n", pad=2)
    axis.text(
        0,
        1.025,
        f"{TITLES[name]}, {described['pictures']} pictures",
        transform=axis.transAxes,
        color=SOFT,
        fontsize=8.5,
    )
    axis.grid(color=GRID, linewidth=0.8)
    axis.set_axisbelow(True)
    axis.set_xscale("log")
    axis.labels = []
    for family, colour, members in FAMILIES:
        found = [(rows[member], short) for member, short in members.items() if member in rows]
        if not found:
            continue
        ours = family == "Glyphwire"
        xs, ys = [row["cpu_ms"] for row, _ in found], [row[name] for row, _ in found]
        axis.plot(
            xs, ys, color=colour, linewidth=2 if ours else 1.2, alpha=1 if ours else 0.75, zorder=4 if ours else 2
        )
        for (row, short), x, y in zip(found, xs, ys):
            if name == described["main_figure"] and "interval" in row:
                axis.plot(
                    [x, x],
                    row["interval"],
                    color=colour,
                    linewidth=5 if ours else 3.5,
                    alpha=0.16,
                    solid_capstyle="butt",
                )
            axis.plot(
                x, y, "o", color=colour, markersize=8 if ours else 5.5, markeredgecolor="white", zorder=5 if ours else 3
            )
            # The family's name stands at its last point; colour and line lead there.
            is_named = ours or row is found[-1][0]
            axis.labels.append((x, y, f"{family} {short}" if is_named else short, colour, ours))
    times, values = [row["cpu_ms"] for row in rows.values()], [row[name] for row in rows.values()]
    axis.set_xlim(min(times) / 1.9, max(times) * 2.3)
    room = 0.16 * (max(values) - min(values) or 0.1)
    axis.set_ylim(max(0, min(values) - room), min(1.005, max(values) + room))
    logarithmic(axis.xaxis, *axis.get_xlim())


def place_labels(axis):
    """Writes each point's name beside it, where it covers no other name, point or line, as far as that can be had."""
    renderer = axis.figure.canvas.get_renderer()
    frame = axis.get_window_extent(renderer)
    points = [axis.transData.transform((x, y)) for x, y, *_ in axis.labels]
    lines = [axis.transData.transform(line.get_xydata()) for line in axis.lines if len(line.get_xydata()) > 1]
    along = [a + (b - a) * k / 24 for a, b in lines for k in range(25)]
    taken = []
    sides = [(9, 0, "left", "center"), (-9, 0, "right", "center"), (0, 9, "center", "bottom"), (0, -9, "center", "top")]
    sides += [(x, y, "left" if x > 0 else "right", "bottom" if y > 0 else "top") for x in (7, -7) for y in (6, -6)]
    sides += [(0, y, "center", "bottom" if y > 0 else "top") for y in (20, -20, 31, -31)]
    sides += [(x, y, "left" if x > 0 else "right", "center") for x in (12, -12) for y in (14, -14, 24, -24)]
    for index, (x, y, text, colour, ours) in sorted(enumerate(axis.labels), key=lambda each: not each[1][4]):
        label = axis.annotate(
            text,
            (x, y),
            xytext=(0, 0),
            textcoords="offset points",
            color=colour,
            fontsize=9 if ours else 7.8,
            fontweight="bold" if ours else "normal",
            zorder=6,
        )

        def cost(side):
            put(label, side)
            box = label.get_window_extent(renderer).expanded(1.04, 1.1)
            over = sum(box.overlaps(other) for other in taken)
            hidden = sum(box.contains(*point) for k, point in enumerate(points) if k != index)
            crossed = sum(box.contains(*point) for point in along)
            outside = box.x0 < frame.x0 or box.x1 > frame.x1 or box.y0 < frame.y0 or box.y1 > frame.y1
            return 10 * over + 4 * hidden + 0.3 * crossed + 12 * outside + 0.25 * sides.index(side)

        put(label, min(sides, key=cost))
        taken.append(label.get_window_extent(renderer).expanded(1.04, 1.1))


def put(label, side):
    x, y, across, up = side
    label.set_position((x, y))
    label.set_horizontalalignment(across)
    label.set_verticalalignment(up)


# What is written beside each engine's lines, and in which colour.
GROWING = {
    "glyphwire-boxes": ("boxes alone", "#3f8f5f"),
    "glyphwire-fast": ("fast", "#1a56db"),
    "glyphwire-accurate": ("accurate", "#7c3aed"),
}


def growth(results, folder):
    """Two panels: time over the pixels of a frame, with text and without, and time over the words on one."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    pixels, words = results["pixels"], results["words"]
    most = max(row["words"] for row in pixels)
    for axis in (left, right):
        axis.grid(color=GRID, linewidth=0.8)
        axis.set_axisbelow(True)
    ends = {left: [], right: []}
    for name, (short, colour) in GROWING.items():
        for amount, style in ((most, "-"), (0, ":")):
            rows = [row for row in pixels if row["engine"] == name and row["words"] == amount]
            xs, ys = [row["width"] * row["height"] / 1e6 for row in rows], [row["cpu_ms"] for row in rows]
            left.plot(xs, ys, style, color=colour, linewidth=2, marker="o", markersize=4.5, markeredgecolor="white")
            if amount:
                ends[left].append((xs[-1], ys[-1], short, colour))
        rows = [row for row in words if row["engine"] == name]
        xs, ys = [row["words"] for row in rows], [row["cpu_ms"] for row in rows]
        right.plot(xs, ys, color=colour, linewidth=2, marker="o", markersize=4.5, markeredgecolor="white")
        ends[right].append((xs[-1], ys[-1], short, colour))
    sizes = {(row["width"], row["height"]) for row in pixels}
    left.set_xscale("log")
    left.set_yscale("log")
    left.set_xticks([width * height / 1e6 for width, height in sizes])
    left.set_xticklabels([f"{width}\n×{height}" for width, height in sizes], fontsize=7.6)
    left.xaxis.set_minor_locator(NullLocator())
    left.set_xlim(0.014, 110)
    logarithmic(left.yaxis, *left.get_ylim())
    left.set_title(f"Time over pixels: {most} words, as large as the frame allows\n", pad=2)
    right.set_title(f"Time over words: {words[0]['width']}×{words[0]['height']}\n", pad=2)
    right.set_xlim(-8, max(row["words"] for row in words) * 1.22)
    right.set_ylim(0)
    right.set_xlabel("words on the frame")
    for axis, remark in ((left, "logarithmic; dotted: no text"), (right, "linear")):
        head = f"milliseconds for a frame, processor time, {remark}"
        axis.text(0, 1.02, head, transform=axis.transAxes, color=SOFT, fontsize=8.5)
    name_source(figure, results)
    figure.draw_without_rendering()
    for axis, names in ends.items():
        name_ends(axis, names)
    save(figure, folder, "scale")


def name_ends(axis, ends, gap=13):
    """Writes what each line is at its end, the names at least `gap` pixels apart."""
    above = None
    for x, y, text, colour in sorted(ends, key=lambda end: -end[1]):
        across, up = axis.transData.transform((x, y))
        at = up if above is None else min(up, above - gap)
        above = at
        place = axis.transData.inverted().transform((across + 10, at))
        axis.text(*place, text, va="center", color=colour, fontsize=9, fontweight="bold")


def load(results, folder):
    """Four panels over the number of streams: frames a second and drops, latency, processor time by stage, memory."""
    figure, axes = plt.subplots(1, 4, figsize=(15, 4.2), layout="constrained")
    live, every = results["live"], results["every"]
    for axis in axes:
        axis.grid(color=GRID, linewidth=0.8)
        axis.set_axisbelow(True)
        axis.set_xscale("log", base=2)
        axis.set_xticks([row["streams"] for row in live])
        axis.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axis.set_xlabel("streams")
    rates, times, stages, memory = axes

    def line(axis, rows, value, label, colour, style="-"):
        xs = [row["streams"] for row in rows]
        axis.plot(xs, [value(row) for row in rows], style, color=colour, marker="o", markersize=4.5, label=label)

    seconds = results["seconds"]
    line(rates, live, lambda row: row["offered"] / seconds, "offered", SOFT, ":")
    line(rates, live, lambda row: row["fps"], "read", "#1a56db")
    line(rates, live, lambda row: row["dropped"] / seconds, "dropped", "#c2571a")
    line(rates, every, lambda row: row["fps"], "read, every frame asked for", "#3f8f5f")
    rates.set_title("Frames a second\n", pad=2)
    line(times, live, lambda row: row["p50_ms"], "p50", "#1a56db")
    line(times, live, lambda row: row["p99_ms"], "p99", "#7c3aed")
    line(times, live, lambda row: row["queue_ms"], "waited for a worker, at most", SOFT, ":")
    times.set_title("Milliseconds from due to read, live\n", pad=2)
    xs = [row["streams"] for row in live]
    parts = {name: [row["stages_ms"][name] for row in live] for name in live[0]["stages_ms"]}
    stages.stackplot(xs, parts.values(), labels=parts, colors=["#8a8f94", "#3f8f5f", "#1a56db"], alpha=0.75)
    line(stages, live, lambda row: row["busy_ms_a_frame"], "processor, all in all", INK)
    stages.set_title("Milliseconds of work a frame, live\n", pad=2)
    line(memory, live, lambda row: row["memory_mb"], "live", "#1a56db")
    line(memory, every, lambda row: row["memory_mb"], "every frame", "#3f8f5f")
    memory.set_title("Memory of the server, MB\n", pad=2)
    for axis in axes:
        # Room for the legend.
        axis.set_ylim(0, 1.35 * axis.get_ylim()[1])
        axis.legend(frameon=False, fontsize=8)
    name_source(figure, results)
    save(figure, folder, "load")
