"""Typesetting with the ink of every character known to a quarter of a pixel."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONTS = "/usr/share/fonts/truetype"
# Of the packages fonts-dejavu-core, fonts-liberation and fonts-lato.
FACES = {
    "sans": "dejavu/DejaVuSans.ttf",
    "sans-bold": "dejavu/DejaVuSans-Bold.ttf",
    "serif": "liberation/LiberationSerif-Regular.ttf",
    "serif-bold": "liberation/LiberationSerif-Bold.ttf",
    "serif-italic": "liberation/LiberationSerif-Italic.ttf",
    "grotesque": "liberation/LiberationSans-Regular.ttf",
    "grotesque-bold": "liberation/LiberationSans-Bold.ttf",
    "mono": "liberation/LiberationMono-Regular.ttf",
    "lato": "lato/Lato-Regular.ttf",
    "lato-black": "lato/Lato-Black.ttf",
}
# Type is set this many times as large as it comes out.
FINE = 4
# How dark, of 255, a fine pixel is that counts as ink.
INK = 96


def face(name, size):
    """A typeface, its size in pixels of the finished picture."""
    return ImageFont.truetype(f"{FONTS}/{FACES[name]}", round(size * FINE))


class Character:
    """A character and the box of its ink: left, top, right, bottom."""

    def __init__(self, text, box):
        self.text, self.box = text, box


class Word:
    """Characters that stand together."""

    def __init__(self, characters):
        self.characters = characters
        self.text = "".join(each.text for each in characters)
        boxes = np.array([each.box for each in characters])
        self.box = [*boxes[:, :2].min(0), *boxes[:, 2:].max(0)]


class Sheet:
    """A sheet that type is set on: how much ink is on each pixel, by colour, and the words."""

    def __init__(self, width, height, paper):
        self.width, self.height = width, height
        self.pixels = np.empty((height, width, 3), np.float32)
        self.pixels[:] = paper
        self.words = []

    def measure(self, text, type_face):
        """How wide a text comes out."""
        return type_face.getlength(text) / FINE

    def line(self, x, y, text, type_face, colour):
        """Sets a line that begins at `x`, its baseline at `y`; returns where it ends."""
        ascent, descent = type_face.getmetrics()
        top = int(y - ascent / FINE) - 2
        bottom = min(int(y + descent / FINE) + 3, self.height)
        left = max(int(x) - 4, 0)
        right = min(int(x + self.measure(text, type_face)) + 8, self.width)
        strip = Image.new("L", ((right - left) * FINE, (bottom - top) * FINE))
        start = round((x - left) * FINE)
        base = round((y - top) * FINE)
        characters = []
        for index, letter in enumerate(text):
            # Up to and with the letter, less the letter: kerning is in it.
            at = start + round(type_face.getlength(text[: index + 1]) - type_face.getlength(letter))
            if letter == " ":
                self._end(characters)
                characters = []
            else:
                characters.append(Character(letter, self._stamp(strip, at, base, letter, type_face, left, top)))
        self._end(characters)
        cut = max(-top, 0)
        fine = np.asarray(strip, np.float32)[cut * FINE :]
        ink = fine.reshape(bottom - top - cut, FINE, right - left, FINE).mean((1, 3))[..., None] / 255
        rows, columns = slice(top + cut, bottom), slice(left, right)
        self.pixels[rows, columns] += (np.array(colour, np.float32) - self.pixels[rows, columns]) * ink
        return x + self.measure(text, type_face)

    def _end(self, characters):
        if characters:
            self.words.append(Word(characters))

    def _stamp(self, strip, x, y, letter, type_face, left, top):
        """Sets one letter, and tells where its ink is."""
        ImageDraw.Draw(strip).text((x, y), letter, fill=255, font=type_face, anchor="ls")
        room = type_face.size
        alone = Image.new("L", (3 * room, 3 * room))
        ImageDraw.Draw(alone).text((room, 2 * room), letter, fill=255, font=type_face, anchor="ls")
        a, b, c, d = alone.point(lambda value: 255 * (value > INK)).getbbox()
        shift = np.array([x - room, y - 2 * room] * 2)
        return (np.array([a, b, c, d]) + shift) / FINE + np.array([left, top] * 2)

    def paragraph(self, x, y, width, text, type_face, colour, leading):
        """Sets a text in lines of at most `width`; returns the next line's baseline."""
        line = ""
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and self.measure(longer, type_face) > width:
                self.line(x, y, line, type_face, colour)
                line, y = word, y + leading
            else:
                line = longer
        self.line(x, y, line, type_face, colour)
        return y + leading

    def image(self):
        """The pixels as a Pillow image."""
        return Image.fromarray(np.clip(self.pixels + 0.5, 0, 255).astype(np.uint8))
