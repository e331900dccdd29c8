#!/usr/bin/env python3
"""Draws scripts.png, a page of lines in several scripts, and diacritics.png, one in Latin script: python3 make_scripts.py

Needs Pillow with Raqm, and Debian's fonts-dejavu-core and fonts-thai-tlwg-ttf. test_scripts.py lists the lines.
"""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

FONTS = Path("/usr/share/fonts/truetype")
SCRIPTS = [
    ("Platform 9", "dejavu/DejaVuSans.ttf", 40),
    ("Выход в город через подземный переход", "dejavu/DejaVuSans.ttf", 40),
    ("Київський вокзал і їдальня", "dejavu/DejaVuSans.ttf", 640),
    ("مدينة القاهرة الجديدة", "dejavu/DejaVuSans.ttf", 40),
    ("ประเทศไทย", "tlwg/Loma.ttf", 40),
]
DIACRITICS = [
    ("Vjezd zakázán, loď teď připluje", "dejavu/DejaVuSans.ttf", 40),
    ("Đường phố Hà Nội", "dejavu/DejaVuSans.ttf", 40),
]


def draw(lines, name):
    page = Image.new("L", (1280, 55 + 85 * len(lines)), 245)
    for index, (text, face, left) in enumerate(lines):
        font = ImageFont.truetype(FONTS / face, 34)
        ImageDraw.Draw(page).text((left, 30 + 85 * index), text, fill=30, font=font)
    page.save(Path(__file__).resolve().with_name(name), optimize=True)


draw(SCRIPTS, "scripts.png")
draw(DIACRITICS, "diacritics.png")
