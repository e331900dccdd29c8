#!/usr/bin/env python3
"""Makes page.png, a typeset page for the integration tests. Needs pillow and a TrueType font (fonts-dejavu-core)."""

import pathlib

from PIL import Image, ImageDraw, ImageFont

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
LINES = [
    (32, 20, 40, "Platform 4"),
    (36, 84, 28, "12:45"),
    (36, 132, 24, "Trains to Harbour Street"),
    (36, 180, 18, "Mind the step between train and door"),
    (36, 220, 22, "EXIT 17"),
    (36, 264, 16, "Tickets are checked on board"),
    (36, 300, 30, "No smoking"),
    (36, 354, 20, "Please keep left"),
]

page = Image.new("L", (448, 400), 232)
draw = ImageDraw.Draw(page)
for x, y, size, text in LINES:
    draw.text((x, y), text, fill=24, font=ImageFont.truetype(FONT, size))
page.save(pathlib.Path(__file__).with_name("page.png"), optimize=True)
