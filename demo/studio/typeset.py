"""Typesetting onto a picture, keeping where every word went."""

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONTS = {
    "sans": "dejavu/DejaVuSans.ttf",
    "sans-bold": "dejavu/DejaVuSans-Bold.ttf",
    "mono": "liberation/LiberationMono-Regular.ttf",
    "mono-bold": "liberation/LiberationMono-Bold.ttf",
    "narrow-bold": "liberation/LiberationSansNarrow-Bold.ttf",
    "helvetica": "liberation/LiberationSans-Regular.ttf",
    "helvetica-bold": "liberation/LiberationSans-Bold.ttf",
    "lato": "lato/Lato-Regular.ttf",
    "lato-bold": "lato/Lato-Bold.ttf",
    "lato-black": "lato/Lato-Black.ttf",
    "poster": "bebas-neue/BebasNeue-Bold.otf",
    "book": "ebgaramond/EBGaramond12-Regular.otf",
    "book-bold": "ebgaramond/EBGaramond12-Bold.otf",
    "book-italic": "ebgaramond/EBGaramond12-Italic.otf",
    "script": "lobstertwo/LobsterTwo-Bold.otf",
    "hand": "breip/Breip.ttf",
    "segments": "dseg/DSEG7Classic-Bold.ttf",
    "chinese-bold": "noto/NotoSansCJK-Bold.ttc",
}


def font(name, size):
    """A font by its role here; `size` is in pixels of the sheet."""
    for folder in ("truetype", "opentype"):
        path = Path("/usr/share/fonts") / folder / FONTS[name]
        if path.exists():
            # In the Chinese collection, number 2 is the Simplified Chinese face.
            return ImageFont.truetype(str(path), size, index=2 if path.suffix == ".ttc" else 0)
    sys.exit(f"no font {FONTS[name]}: install the packages that the head of make_session.py lists")


def ink_box(text, face):
    """Left, top, right and bottom of what is drawn of `text`, from where it starts on its baseline."""
    left, top, right, bottom = face.getbbox(text, anchor="ls")
    canvas = Image.new("L", (int(right - left) + 80, int(bottom - top) + 80))
    ImageDraw.Draw(canvas).text((40 - left, 40 - top), text, fill=255, font=face, anchor="ls")
    return np.array(canvas.getbbox()) - [40 - left, 40 - top, 40 - left, 40 - top]


class Word:
    """A word and the four corners of its ink, clockwise from the top left as it is read, in sheet pixels."""

    def __init__(self, text, corners):
        self.text = text
        self.corners = np.asarray(corners, np.float64)


class Sheet:
    """A picture being set with type: RGBA, gamma-encoded, with the words on it."""

    def __init__(self, width, height, colour=(0, 0, 0, 0)):
        self.image = Image.new("RGBA", (width, height), colour)
        self.draw = ImageDraw.Draw(self.image)
        self.words = []

    @property
    def size(self):
        """Width and height."""
        return self.image.size

    def text(self, x, y, string, face, size, fill, align="left", spacing=0.0):
        """Sets one line with its baseline at `y`; `spacing` is added after each letter. Returns where it ends."""
        face = font(face, size)
        length = face.getlength(string) + spacing * max(len(string) - 1, 0)
        x -= {"left": 0, "middle": length / 2, "right": length}[align]
        for word in string.split(" "):
            end = self._word(x, y, word, face, fill, spacing)
            x = end + face.getlength(" ") + spacing
        return end

    def _word(self, x, y, word, face, fill, spacing):
        boxes = []
        for part in word if spacing else [word]:
            if part:
                self.draw.text((x, y), part, fill=fill, font=face, anchor="ls")
                boxes.append(ink_box(part, face) + [x, y, x, y])
                x += face.getlength(part) + spacing
        if boxes:
            left, top = np.min(boxes, axis=0)[:2]
            right, bottom = np.max(boxes, axis=0)[2:]
            self.words.append(Word(word, [(left, top), (right, top), (right, bottom), (left, bottom)]))
        return x - (spacing if boxes else 0)

    def paragraph(self, x, y, width, string, face, size, fill, leading, indent=0):
        """Sets justified lines in a column `width` wide, the last one ragged; returns the next baseline."""
        measure = font(face, size)
        words, line, start = string.split(), [], x + indent
        for word in words + [None]:
            room = x + width - start
            if word is not None and measure.getlength(" ".join(line + [word])) <= room:
                line.append(word)
                continue
            gap = measure.getlength(" ")
            if word is not None and len(line) > 1:
                gap = (room - sum(measure.getlength(each) for each in line)) / (len(line) - 1)
            for each in line:
                start = self._word(start, y, each, measure, fill, 0) + gap
            line, start, y = [word], x, y + leading
        return y

    def paste(self, other, x, y, degrees=0.0, fade=1.0):
        """Lays another sheet on this one with its centre at (x, y), turned counter-clockwise, its words with it."""
        turned = other.image.rotate(degrees, Image.Resampling.BICUBIC, expand=True)
        if fade != 1:
            turned.putalpha(turned.getchannel("A").point(lambda value: int(value * fade)))
        self.image.alpha_composite(turned, (round(x - turned.width / 2), round(y - turned.height / 2)))
        self.draw = ImageDraw.Draw(self.image)
        angle = np.radians(degrees)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        for word in other.words:
            self.words.append(Word(word.text, (word.corners - np.array(other.size) / 2) @ turn.T + [x, y]))
