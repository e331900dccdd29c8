#!/usr/bin/env python3
"""Makes the pictures of this folder: python3 make-fixtures.py

Needs Pillow and the fonts of Debian's fonts-dejavu-core and fonts-liberation. Beside `signs.png`, `signs.json` tells what
it says and where the ink of each character is: left, top, right, bottom, in pixels. `names.png` has words one by one that
are easily mistaken for others, set small. `scripts.png` has lines in several scripts, which Signs.swift lists.
"""

import json
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
FONTS = Path("/usr/share/fonts/truetype")
SIDE = 640
PAPER, INK = 225, 35
# Text, font, size, left, top.
LINES = [
    ("EXIT 42", "dejavu/DejaVuSans-Bold.ttf", 18, 60, 40),
    ("EXIT 42", "liberation/LiberationSerif-Regular.ttf", 40, 300, 130),
    ("EXIT 42", "dejavu/DejaVuSans.ttf", 72, 70, 260),
    ("Mind the gap, please", "liberation/LiberationSans-Regular.ttf", 32, 110, 480),
]

NAMES = "Iltis Zürich Łódź Ølsen Málaga Nîmes G6C0 Ümraniye".split()


# In the order of `Scripts.lines` in Signs.swift.
SCRIPTS = ["Exit to the city", "Выход в город", "10:45 - 3/2", "יציאה לעיר", "გასასვლელი ქალაქში", "Ելք դեպի քաղաք", "Platform 9"]


def ink(text: str, font: ImageFont.FreeTypeFont, place: tuple[float, float]) -> Image.Image:
    layer = Image.new("L", (SIDE, SIDE), 0)
    ImageDraw.Draw(layer).text(place, text, fill=255, font=font)
    return layer


def main() -> None:
    picture = Image.new("L", (SIDE, SIDE), PAPER)
    lines = []
    for text, name, size, left, top in LINES:
        font = ImageFont.truetype(FONTS / name, size)
        characters = []
        for index, character in enumerate(text):
            if character == " ":
                continue
            layer = ink(character, font, (left + font.getlength(text[:index]), top))
            picture.paste(INK, mask=layer)
            # What is at least half ink.
            characters.append(layer.point(lambda value: 255 if value > 127 else 0).getbbox())
        lines.append({"text": text, "characters": characters})
    names = Image.new("L", (SIDE, 320), PAPER)
    for index, name in enumerate(NAMES):
        place = (60 + index % 2 * 300, 40 + index // 2 * 70)
        font = ImageFont.truetype(FONTS / "liberation/LiberationSerif-Regular.ttf", 11)
        ImageDraw.Draw(names).text(place, name, fill=INK, font=font)
    scripts = Image.new("L", (SIDE, 480), PAPER)
    for index, text in enumerate(SCRIPTS):
        # Hebrew from its right end to its left, as it is drawn without a layout engine.
        text = text[::-1] if "\u0590" <= text[0] <= "\u05ff" else text
        font = ImageFont.truetype(FONTS / "dejavu/DejaVuSans.ttf", 30, layout_engine=ImageFont.Layout.BASIC)
        ImageDraw.Draw(scripts).text((60, 30 + 60 * index), text, fill=INK, font=font)
    scripts.save(HERE / "scripts.png", optimize=True)
    names.save(HERE / "names.png", optimize=True)
    picture.save(HERE / "signs.png", optimize=True)
    (HERE / "signs.json").write_text(json.dumps(lines) + "\n")


if __name__ == "__main__":
    main()
