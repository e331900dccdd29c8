"""How Glyphwire's time grows with the pixels of a frame and with the words on it, and how small letters may be."""

import json
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from . import engines, plot, report
from .comparison import started
from .lexicon import Writer
from .others import OtherWork
from .score import figures, tally
from .typeset import FINE, Sheet, face

ENGINES = ["glyphwire-boxes", "glyphwire-fast", "glyphwire-accurate"]
SIZES = [(160, 120), (320, 240), (640, 480), (1280, 720), (1920, 1080), (3840, 2160), (7680, 4320)]
WORDS_ON_A_FRAME = 12
WORD_COUNTS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 300]
FRAME, TYPE = (1280, 720), 17
TYPES = [7, 8, 9, 10, 11, 12, 14, 17, 24]
TYPE_FACES, WORDS_OF_A_TYPE = ["grotesque", "serif", "lato"], 80


def frame(path, size, words, height, name="grotesque"):
    """Writes a JPEG with so many words, set as a camera close to a page would see them, and returns what is in it:
    `height` is the type's, in pixels, `name` is its face."""
    sheet = Sheet(*size, [238.0] * 3)
    writer = Writer(np.random.default_rng(1))
    type_face = face(name, height)
    # Lines begin where the first would in a text of all widths, and are never longer than the frame.
    x, y = height, 2 * height
    for _ in range(words):
        word = writer.word()
        end = x + sheet.measure(word, type_face)
        if end > size[0] - height:
            x, y = height, y + 2 * height
            end = x + sheet.measure(word, type_face)
        sheet.line(x, y, word, type_face, (30.0, 30.0, 34.0))
        x = end + 0.35 * height
    assert y < size[1], f"{words} words do not fit on {size}"
    sheet.image().save(path, quality=90)
    boxes = [(word.text, *word.box) for word in sheet.words]
    return {"items": [{"text": text, "poly": [[a, b], [c, b], [c, d], [a, d]]} for text, a, b, c, d in boxes]}


def legibility(readers, path):
    """How much is read of types of all sizes; a row for each engine that reads and each size."""
    rows = []
    for height in TYPES:
        # The height of an x, which is what makes small letters legible, differs between faces of one size.
        heights = [face(name, height).getbbox("x", anchor="ls")[1] / -FINE for name in TYPE_FACES]
        counts = {name: Counter() for name in readers if name != "glyphwire-boxes"}
        for name in TYPE_FACES:
            truth = frame(path, FRAME, WORDS_OF_A_TYPE, height, name)
            for engine, count in counts.items():
                count += tally(truth, readers[engine].read(path)["words"], None)
        for engine, count in counts.items():
            row = {"engine": engine, "type_px": height, "x_px": round(sum(heights) / len(heights), 1)}
            rows.append(row | {"e2e_f": round(figures(count)["e2e_f"], 3)})
            print(f"{engines.title(engine):24} an x of {row['x_px']} pixels: words read {rows[-1]['e2e_f']}", flush=True)
    return rows


def measure(core, output, readings=5):
    """Reads frames of all sizes, amounts of text and sizes of type; writes scale.json, scale.svg and scale.png."""
    others, results = OtherWork(), {"pixels": [], "words": []}
    with tempfile.TemporaryDirectory() as folder, started(ENGINES, core) as running:
        readers, path = {reader.name: reader for reader in running}, Path(folder) / "frame.jpg"

        def read(kind, size, words, height):
            frame(path, size, words, height)
            for name, reader in readers.items():
                with others.during(reader.busy_seconds):
                    answer = reader.read(path, repeats=readings)
                times = {key: round(answer[key], 2) for key in ("ms", "cpu_ms", "peak_mb")}
                stages = {key: round(value, 2) for key, value in answer["stages_ms"].items()}
                row = {
                    "engine": name,
                    "width": size[0],
                    "height": size[1],
                    "words": words,
                    **times,
                    "stages_ms": stages,
                }
                row["words_found"] = len(answer["words"])
                results[kind].append(row)
                print(
                    f"{engines.title(name):24} {size[0]}x{size[1]}, {words} words: {row['cpu_ms']:.1f} ms", flush=True
                )

        for size in SIZES:
            for words in (0, WORDS_ON_A_FRAME):
                read("pixels", size, words, size[1] / 12)
        for words in WORD_COUNTS:
            read("words", FRAME, words, TYPE)
        results["types"] = legibility(readers, path)
    results |= report.circumstances(others)
    output.mkdir(parents=True, exist_ok=True)
    (output / "scale.json").write_text(json.dumps(results, indent=1) + "\n")
    plot.growth(results, output)
