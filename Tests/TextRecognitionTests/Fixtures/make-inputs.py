#!/usr/bin/env python3
"""Makes the pictures of `inputs`, each of a kind that people have: python3 make-inputs.py

Needs Pillow and the fonts of Debian's fonts-dejavu-core and fonts-liberation. `inputs.json` has the words of each picture, and
the levels that read all of them and nothing else.
"""

import json
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent / "inputs"
FONTS = Path("/usr/share/fonts/truetype")
SANS, MONO = "dejavu/DejaVuSans.ttf", "dejavu/DejaVuSansMono.ttf"
ARIAL, COURIER = "liberation/LiberationSans-Regular.ttf", "liberation/LiberationMono-Regular.ttf"
BOTH, FAST, ACCURATE = ["fast", "accurate"], ["fast"], ["accurate"]


def font(name, size):
    return ImageFont.truetype(str(FONTS / name), size)


def page(size, lines, paper=255, ink=0):
    """Lines of text, font, size, left and top."""
    picture = Image.new("L", size, paper)
    draw = ImageDraw.Draw(picture)
    for text, name, points, left, top in lines:
        draw.text((left, top), text, fill=ink, font=font(name, points))
    return picture


def rows(size, texts, name, points, step, **colours):
    return page(size, [(text, name, points, 16, 12 + index * step) for index, text in enumerate(texts)], **colours)


def cells():
    """Numbers two pixels beside the rules of a table."""
    picture = Image.new("L", (360, 110), 255)
    draw = ImageDraw.Draw(picture)
    left = 20
    for text in ["42", "9", "310", "57", "6", "85"]:
        width = draw.textlength(text, font=font(ARIAL, 19))
        draw.text((left + 3, 42), text, fill=0, font=font(ARIAL, 19))
        draw.rectangle((left, 20, left + width + 6, 86), outline=0, width=2)
        left += int(width) + 6
    return picture


def two_ways():
    """Two lines, one of them on its head."""
    upper = page((340, 80), [("KEEP IT COOL", "liberation/LiberationSans-Bold.ttf", 30, 12, 14)])
    lower = page((340, 80), [("THIS WAY OUT", "liberation/LiberationSans-Bold.ttf", 30, 12, 30)]).rotate(180)
    picture = Image.new("L", (340, 170), 255)
    picture.paste(upper, (0, 0))
    picture.paste(lower, (0, 90))
    return picture


LOG = ["2027-01-14 09:05:31.006 [INFO] boot", "2027-01-14 09:05:32.400 [ERROR] code=17", "ROOT LOGIN ON TTY0"]
SUMS = ["14,205", "3,118", "120,004", "77,310", "9,450", "1,002", "64,881"]
CODE = ["main()", "sort_by_key(user_id)", "a[i] = b[(k + 1) % n];"]

PICTURES = {
    "strip-wide": (page((3200, 64), [("Doors open on the left", SANS, 18, 24, 20)]), "Doors open on the left", BOTH),
    "strip-tall": (page((320, 8000), [("Next stop Elm Park", SANS, 16, 30, 5200)]), "Next stop Elm Park", BOTH),
    "log": (rows((460, 100), LOG, MONO, 13, 26), " ".join(LOG), ACCURATE),
    "sums": (rows((140, 250), SUMS, SANS, 15, 32), " ".join(SUMS), BOTH),
    "code": (rows((320, 110), CODE, COURIER, 16, 30), " ".join(CODE), BOTH),
    "cells": (cells(), "42 9 310 57 6 85", BOTH),
    "two-ways": (two_ways(), "KEEP IT COOL THIS WAY OUT", BOTH),
    "quotes": (rows((420, 110), ["‘Once more,’ she said", "“Now or never!”"], SANS, 22, 44, paper=40, ink=215),
               "'Once more,' she said \"Now or never!\"", ACCURATE),
    "identifiers": (rows((260, 110), ["__main__", "_hidden_name", "max_rows = 3"], COURIER, 15, 32),
                    "__main__ _hidden_name max_rows = 3", ACCURATE),
    "degrees": (rows((220, 70), ["21 °C to 25 °C"], ARIAL, 16, 30), "21 °C to 25 °C", ACCURATE),
}


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for name, (picture, _, _) in PICTURES.items():
        picture.save(HERE / f"{name}.png", optimize=True)
    told = {name: {"words": words.split(), "levels": levels} for name, (_, words, levels) in PICTURES.items()}
    (HERE / "inputs.json").write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n")


if __name__ == "__main__":
    main()
