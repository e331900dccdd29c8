#!/usr/bin/env python3
"""Draws scripts.png, a page of lines in several scripts: python3 make_scripts.py

Needs Pillow with Raqm, and Debian's fonts-dejavu-core and fonts-thai-tlwg-ttf. test_scripts.py lists the lines.
"""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONTS = Path("/usr/share/fonts/truetype")
LINES = [
    ("Platform 9", "dejavu/DejaVuSans.ttf", 40),
    ("Выход в город через подземный переход", "dejavu/DejaVuSans.ttf", 40),
    ("Київський вокзал і їдальня", "dejavu/DejaVuSans.ttf", 640),
    ("مدينة القاهرة الجديدة", "dejavu/DejaVuSans.ttf", 40),
    ("ประเทศไทย", "tlwg/Loma.ttf", 40),
]


def main():
    page = Image.new("L", (1280, 480), 245)
    for index, (text, face, left) in enumerate(LINES):
        font = ImageFont.truetype(FONTS / face, 34)
        ImageDraw.Draw(page).text((left, 30 + 85 * index), text, fill=30, font=font)
    page.save(Path(__file__).resolve().with_name("scripts.png"), optimize=True)


main()
