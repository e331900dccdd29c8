#!/usr/bin/env python3
"""Makes the pictures of moving text for MovingTextTests: white ink on black, which the tests lay on their frames.

Needs pillow and TrueType fonts (fonts-dejavu-core, fonts-liberation). A subtitle's picture has its letters above, and below
them the same letters with their outline.
"""

import pathlib

from PIL import Image, ImageDraw, ImageFont

HERE = pathlib.Path(__file__).parent
FONTS = pathlib.Path("/usr/share/fonts/truetype")
SANS = FONTS / "dejavu/DejaVuSans.ttf"
BOLD = FONTS / "dejavu/DejaVuSans-Bold.ttf"
SERIF = FONTS / "liberation/LiberationSerif-Bold.ttf"


def picture(width, height):
    """A black picture, and what draws on it."""
    image = Image.new("L", (width, height), 0)
    return image, ImageDraw.Draw(image)


def save(image, name):
    image.save(HERE / f"{name}.png", optimize=True)


def subtitle(name, text):
    """One line in the middle of 640 pixels."""
    font = ImageFont.truetype(SANS, 30)
    image, draw = picture(640, 100)
    x = (640 - draw.textlength(text, font)) // 2
    draw.text((x, 6), text, 255, font)
    draw.text((x, 56), text, 255, font, stroke_width=2)
    save(image, name)


def ticker(name, font, words, gap):
    """A strip of words one behind the other."""
    _, draw = picture(1, 1)
    widths = [round(draw.textlength(word, font)) for word in words]
    image, draw = picture(sum(widths) + gap * (len(words) + 1), 40)
    x = gap
    for word, width in zip(words, widths):
        draw.text((x, 4), word, 255, font)
        x += width + gap
    save(image, name)


def credits(name, lines):
    """Lines below each other in the middle of 400 pixels."""
    font = ImageFont.truetype(SERIF, 24)
    image, draw = picture(400, 44 * len(lines))
    for row, text in enumerate(lines):
        draw.text(((400 - draw.textlength(text, font)) // 2, 44 * row + 8), text, 255, font)
    save(image, name)


subtitle("subtitle_first", "I hope it was not in vain")
subtitle("subtitle_second", "We found our old map here")
ticker(
    "ticker",
    ImageFont.truetype(SERIF, 28),
    "Ferry 2 for Lakeside is late by 5 min, will not stop at Old Mill".split(),
    12,
)
ticker("ticker_short", ImageFont.truetype(BOLD, 26), "up 3 if 7 as 2 in 9 of 5 by 6".split(), 22)
credits(
    "credits",
    [
        "Written by",
        "Ada Brook",
        "Music from",
        "Ira Lund",
        "Sound",
        "Tom Reed",
        "Lights",
        "Eva Stone",
        "Editor",
        "Max Field",
    ],
)
