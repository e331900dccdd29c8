"""How Glyphwire's time grows with the pixels of a frame, and with the words on it."""

import json
import tempfile
from pathlib import Path

import numpy as np

from . import engines, plot, report
from .comparison import EngineProcess
from .lexicon import Writer
from .typeset import Sheet, face

ENGINES = ["glyphwire-boxes", "glyphwire-fast", "glyphwire-accurate"]
SIZES = [(160, 120), (320, 240), (640, 480), (1280, 720), (1920, 1080), (3840, 2160), (7680, 4320)]
WORDS_ON_A_FRAME = 12
WORD_COUNTS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 300]
FRAME, TYPE = (1280, 720), 17


def frame(path, size, words, height):
    """Writes a JPEG with so many words, set as a camera close to a page would see them: `height` is the type's, in
    pixels."""
    sheet = Sheet(*size, [238.0] * 3)
    writer = Writer(np.random.default_rng(1))
    type_face = face("grotesque", height)
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


def measure(core, output, readings=5):
    """Reads frames of all sizes and amounts of text; writes scale.json, scale.svg and scale.png."""
    readers = {name: EngineProcess(name, core) for name in ENGINES}
    results = {"machine": report.machine(), "pixels": [], "words": []}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frame.jpg"

        def read(kind, size, words, height):
            frame(path, size, words, height)
            for name, reader in readers.items():
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
    for reader in readers.values():
        reader.close()
    output.mkdir(parents=True, exist_ok=True)
    (output / "scale.json").write_text(json.dumps(results, indent=1) + "\n")
    plot.growth(results, output)
