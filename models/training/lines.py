"""Typesets lines of text as a detector would cut them out of pictures, by chance: sharp and blurred, near and far."""

import random
import subprocess

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

HEIGHT = 48
#: As in Sources/TextRecognition/Imaging/LineSize.swift, up to the widest that is typeset.
WIDTHS = [96, 128, 176, 240, 320, 432, 576, 720]
UPPER, DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789"
#: The gray of what a line leaves of its input.
MARGIN = 127


def faces(language):
    """Typefaces that have a language's letters: path and number in the file."""
    command = ["fc-list", f":lang={language}", "file", "index"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    found = []
    for line in sorted(set(listed.stdout.splitlines())):
        path, _, index = line.partition(": :index=")
        if path.endswith((".ttf", ".otf", ".ttc")):
            found.append((path, int(index) & 0xFFFF))
    return found


class Texts:
    """What is written: words, numbers, codes, other scripts."""

    def __init__(self, chance, alphabet):
        self.chance = chance
        with open("/usr/share/dict/words") as file:
            self.words = [word.strip() for word in file]
        self.han = [c for c in alphabet if "\u3040" <= c <= "\u9fff"]
        self.latin = [c for c in alphabet if "\u00a1" <= c <= "\u017f"]
        self.other = [c for c in alphabet if "\u0391" <= c <= "\u2fff" or "\u3000" < c < "\u3040" or c > "\u9fff"]

    def word(self):
        """A word, number, date, price or code."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.62:
            word = chance.choice(self.words)
            case = chance.random()
            if case < 0.3:
                word = word.upper()
            elif case < 0.5:
                word = word.capitalize()
            if chance.random() < 0.05:
                place = chance.randrange(len(word))
                word = word[:place] + chance.choice(self.latin) + word[place + 1 :]
        elif kind < 0.72:
            word = str(chance.randrange(10 ** chance.randint(1, 8)))
        elif kind < 0.79:
            currency, whole = chance.choice(["", "$", "RM", "£", "€"]), chance.randrange(10 ** chance.randint(1, 4))
            word = f"{currency}{whole}{chance.choice('.,')}{chance.randrange(100):02}"
        elif kind < 0.84:
            sign = chance.choice("/-.")
            day, month = chance.randint(1, 31), chance.randint(1, 12)
            word = f"{day}{sign}{month}{sign}{chance.choice([chance.randint(1950, 2030), chance.randint(10, 99)])}"
        elif kind < 0.88:
            word = f"{chance.randint(0, 23)}:{chance.randint(0, 59):02}"
        elif kind < 0.97:
            pool = chance.choice([UPPER + DIGITS, UPPER.lower(), DIGITS + "-/()+*#.:%"])
            word = self.some(pool, 9)
        else:
            word = self.some("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 4)
        end = chance.random()
        if end < 0.1:
            word += chance.choice(".,:;!?-)")
        elif end < 0.13:
            word = chance.choice("\"'(") + word + chance.choice("\"')")
        return word

    def line(self):
        """A text, and the language that its typeface must have."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.80:
            count = chance.choices([1, 2, 3, 4, 5, 7], [40, 20, 14, 10, 8, 8])[0]
            return " ".join(self.word() for _ in range(count)), "en"
        if kind < 0.93:
            return self.some(self.han, 14), "zh"
        if kind < 0.97:
            parts = [chance.choice([self.word(), self.some(self.han, 5)]) for _ in range(chance.randint(1, 4))]
            return " ".join(parts), "zh"
        return self.some(self.other, 10), "zh"

    def some(self, pool, most):
        """One to so many characters of a pool."""
        return "".join(self.chance.choice(pool) for _ in range(self.chance.randint(1, most)))


class Lines:
    """Pictures of lines, 48 pixels high, by chance."""

    def __init__(self, seed, alphabet):
        self.chance = random.Random(seed)
        self.noise = np.random.default_rng(seed)
        self.texts = Texts(self.chance, alphabet)
        self.faces = {language: faces(language) for language in ("en", "zh")}
        self.opened = {}

    def face(self, language, size):
        """A typeface of so many pixels."""
        path, index = self.chance.choice(self.faces[language])
        key = (path, index, size)
        if key not in self.opened:
            if len(self.opened) > 2000:
                self.opened.clear()
            self.opened[key] = ImageFont.truetype(path, size, index)
        return self.opened[key]

    def is_spaced(self, language):
        """Whether the letters of a language may stand apart."""
        return True

    def ink(self, size):
        """How much ink is where, and the line's box in it; `None` where the typeface has none of its letters."""
        chance = self.chance
        text, language = self.texts.line()
        face = self.face(language, size)
        spacing = chance.random() ** 3 * 0.5 * size if chance.random() < 0.12 and self.is_spaced(language) else 0
        advances = [face.getlength(letter) + spacing for letter in text] if spacing else []
        length = sum(advances) if spacing else face.getlength(text)
        width = int(min(length, 16 * size)) + 4 * size
        picture = Image.new("L", (width, 4 * size))
        draw = ImageDraw.Draw(picture)
        stroke = chance.choice([0] * 12 + [1, 2])
        x, base = 2 * size, int(2.4 * size)
        if spacing:
            for letter, advance in zip(text, advances):
                draw.text((x, base), letter, fill=255, font=face, anchor="ls", stroke_width=stroke)
                x += advance
        else:
            draw.text((x, base), text, fill=255, font=face, anchor="ls", stroke_width=stroke)
        box = picture.getbbox()
        if box is None:
            return None
        neighbour = chance.random()
        if neighbour < 0.3:
            other, language = self.texts.line()
            step = int(chance.uniform(1.1, 1.8) * size)
            place = (x - chance.randint(0, 4 * size), base + chance.choice([-step, step]))
            draw.text(place, other, fill=255, font=self.face(language, size), anchor="ls")
        if chance.random() < 0.1:
            y = base + chance.choice([int(0.15 * size), int(0.3 * size), -int(1.1 * size)])
            draw.line((0, y, width, y), fill=255, width=max(1, size // 16))
        return np.asarray(picture), box

    def colours(self, shape):
        """The paper as a picture, and the ink's colour."""
        chance, noise = self.chance, self.noise
        kind = chance.random()
        if kind < 0.45:
            paper = np.full(3, chance.uniform(170, 255)) + noise.uniform(-15, 15, 3)
            ink = np.full(3, chance.uniform(0, 110)) + noise.uniform(-15, 15, 3)
        else:
            paper, ink = noise.uniform(0, 255, 3), noise.uniform(0, 255, 3)
            for _ in range(8):
                if abs(paper.mean() - ink.mean()) > 40:
                    break
                ink = noise.uniform(0, 255, 3)
        if chance.random() < 0.5 and kind >= 0.45:
            paper, ink = ink, paper
        height, width = shape
        ground = np.empty((height, width, 3), np.float32)
        ground[:] = paper
        if chance.random() < 0.4:
            slope = noise.normal(0, 30, 2)
            across, down = np.linspace(-1, 1, width)[None, :, None], np.linspace(-1, 1, height)[:, None, None]
            ground += (slope[0] * across + slope[1] * down).astype(np.float32)
        if chance.random() < 0.25:
            strength, spots = chance.uniform(5, 45), (chance.randint(2, 12), chance.randint(2, 40))
            grain = noise.normal(0, strength, spots).astype(np.float32)
            ground += cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
        return ground, ink.astype(np.float32)

    def picture(self):
        """A line as the recognizer sees it, before the margin; uint8, 48 x width x 3."""
        chance, noise = self.chance, self.noise
        size = chance.choice([16, 20, 24, 28, 32, 36, 40, 48])
        made = self.ink(size)
        if made is None:
            return None
        ink, (left, top, right, bottom) = made
        ground, colour = self.colours(ink.shape)
        cover = (ink.astype(np.float32) / 255 * chance.choice([1, 1, 1, chance.uniform(0.5, 1)]))[..., None]
        if chance.random() < 0.08:
            shadow = np.roll(cover, (chance.randint(1, 3), chance.randint(1, 3)), (0, 1))
            ground = ground * (1 - 0.6 * shadow)
        page = ground + (colour - ground) * cover
        tall = max(bottom - top, 0.5 * size)
        grow = chance.uniform(0.02, 0.45) * tall
        box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
        box += np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], np.float32) * [grow * chance.uniform(0.3, 1.6), grow]
        box += noise.normal(0, 0.035 * tall, (4, 2)) * [1.5, 1]
        if chance.random() < 0.25:
            angle = noise.normal(0, 0.04)
            centre = box.mean(0)
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            box = (box - centre) @ turn.T + centre
        if chance.random() < 0.05:
            # Cut off by the picture's edge.
            box[[1, 2], 0] -= chance.uniform(0.2, 0.6) * (right - left) * 0.5
        width = int(round((box[1, 0] - box[0, 0]) / max(4, box[3, 1] - box[0, 1]) * HEIGHT))
        if width > WIDTHS[-1]:
            width = WIDTHS[-1]
            box[[1, 2], 0] = box[0, 0] + width / HEIGHT * (box[3, 1] - box[0, 1])
        width = max(16, width)
        small = chance.random()
        if small < 0.5:
            # Seen from afar: fewer pixels than 48 rows.
            rows = int(chance.choice([10, 12, 14, 16, 20, 24, 30]))
            page = self.warp(page, box, max(4, round(width * rows / HEIGHT)), rows)
            page = self.spoil(page, 0.6)
            page = cv2.resize(page, (width, HEIGHT), interpolation=cv2.INTER_LINEAR)
        else:
            page = self.spoil(self.warp(page, box, width, HEIGHT), 1)
        return np.clip(page + 0.5, 0, 255).astype(np.uint8)

    @staticmethod
    def warp(page, box, width, height):
        """What is inside a box, straightened."""
        target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        shrink = (box[3, 1] - box[0, 1]) / height
        if shrink > 1.3:
            page = cv2.GaussianBlur(page, (0, 0), 0.4 * shrink)
        map = cv2.getPerspectiveTransform(box.astype(np.float32), target)
        return cv2.warpPerspective(page, map, (width, height), borderMode=cv2.BORDER_REPLICATE)

    def spoil(self, page, strength):
        """What lens, sensor, light and codec do to a picture."""
        chance, noise = self.chance, self.noise
        if chance.random() < 0.3:
            page = cv2.GaussianBlur(page, (0, 0), chance.uniform(0.3, 1.6) * strength)
        if chance.random() < 0.12:
            length = chance.randint(2, 6)
            kernel = np.zeros((length, length), np.float32)
            if chance.random() < 0.5:
                kernel[length // 2] = 1 / length
            else:
                np.fill_diagonal(kernel, 1 / length)
            page = cv2.filter2D(page, -1, kernel)
        if chance.random() < 0.35:
            page = page + noise.normal(0, chance.uniform(1, 22), page.shape).astype(np.float32)
        if chance.random() < 0.3:
            level = chance.uniform(0.35, 1)
            page = page * level + (1 - level) * chance.uniform(0, 255)
        if chance.random() < 0.25:
            quality = [cv2.IMWRITE_JPEG_QUALITY, chance.randint(15, 80)]
            coded = cv2.imencode(".jpg", np.clip(page, 0, 255).astype(np.uint8), quality)[1]
            page = cv2.imdecode(coded, cv2.IMREAD_COLOR).astype(np.float32)
        if chance.random() < 0.15:
            page = np.repeat(page.mean(2, keepdims=True), 3, 2)
        return page

    def padded(self):
        """A line with the margin that makes it as wide as one of ``WIDTHS``."""
        while True:
            page = self.picture()
            if page is None:
                continue
            width = next(w for w in WIDTHS if w >= page.shape[1])
            full = np.full((HEIGHT, width, 3), MARGIN, np.uint8)
            full[:, : page.shape[1]] = page
            return full
