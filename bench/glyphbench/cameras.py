"""Streams as a camera would send them, drawn here: pages and signs in Pillow's own font, with noise, shake and JPEG.

The signs of a station in three scripts are set in DejaVu Sans, which has them all, as of Debian's fonts-dejavu-core; Arabic needs
a Pillow with Raqm.

Each function makes the frames of a stream, as pairs of a JPEG and the words in it: dictionaries like the items of a
gt.jsonl, with a `track` that a word keeps while it stays in view. Words of which less than 0.9 is in view are ignored.
"""

import io
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT, RATE = 1280, 720, 30
DEJAVU = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
#: What a sign says in each script.
STATION = {
    "latin": ["Central station", "Exit to the city", "Ticket office", "Pharmacy open day and night", "Left luggage"],
    "cyrillic": ["Центральный вокзал", "Выход в город", "Билетные кассы", "Аптека открыта круглосуточно", "Камера хранения"],
    "arabic": ["المحطة المركزية", "الخروج إلى المدينة", "مكتب التذاكر", "صيدلية مفتوحة ليلا ونهارا", "حفظ الأمتعة"],
}
WORDS = """harbour ticket window platform silver engine market garden winter signal bridge coffee morning letter station
paper yellow machine corner number holiday island kitchen doctor police summer danger closed parking entrance travel
weather history customs library airport railway chicken orange battery station elevator""".split()


class Word:
    """A word of a picture: its text, its corners, and a number that stays its own."""

    def __init__(self, text, box, track):
        x0, y0, x1, y1 = box
        self.text, self.track = text, track
        self.poly = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)


def draw_words(draw, lines, words, track):
    """Draws (x, y, size, colour, text) lines word by word and notes where the ink is."""
    for x, y, size, colour, text in lines:
        font = ImageFont.load_default(size)
        for part in text.split():
            draw.text((x, y), part, font=font, fill=colour)
            words.append(Word(part, draw.textbbox((x, y), part, font=font), track(part)))
            x += draw.textlength(part + " ", font=font)


def scene(seed, kind, size=(1700, 1100)):
    """A page of text, or a wall of signs, larger than a frame."""
    pick = random.Random(seed)
    picture = Image.new("RGB", size, (235, 232, 225) if kind == "page" else (120, 130, 140))
    draw, words, lines = ImageDraw.Draw(picture), [], []
    if kind == "page":
        for row in range(size[1] // 46 - 1):
            lines.append((70, 30 + 46 * row, 24, (30, 30, 40), " ".join(pick.sample(WORDS, 9))))
    else:
        for index in range(26):
            x, y = 40 + 420 * (index % 4) + pick.randint(0, 60), 40 + 150 * (index // 4) + pick.randint(0, 50)
            ground = tuple(pick.randint(0, 255) for _ in range(3))
            ink = (10, 10, 10) if sum(ground) > 380 else (245, 245, 245)
            draw.rectangle((x - 12, y - 8, x + 320, y + 60), fill=ground)
            lines.append((x, y, pick.choice([22, 30, 38]), ink, " ".join(pick.sample(WORDS, 2))[:17].strip()))
    draw_words(draw, lines, words, lambda text: f"{seed}/{len(words)}")
    return picture, words


def station(script):
    """A sign of a station in one script on a wall, larger than a frame."""
    if not Path(DEJAVU).exists():
        sys.exit(f"streams: no {DEJAVU}: install fonts-dejavu-core, with which signs are drawn")
    picture, words = Image.new("RGB", (1700, 1100), (120, 130, 140)), []
    draw, is_rightward = ImageDraw.Draw(picture), script != "arabic"
    draw.rounded_rectangle((400, 250, 1300, 850), 20, fill=(20, 50, 110))
    for row, line in enumerate(STATION[script]):
        font = ImageFont.truetype(DEJAVU, 44 if row else 64)
        x = 450 if is_rightward else 1250
        for part in line.split():
            place, anchor = (x, 350 + 105 * row), "ls" if is_rightward else "rs"
            draw.text(place, part, font=font, fill=(240, 240, 235), anchor=anchor)
            words.append(Word(part, draw.textbbox(place, part, font=font, anchor=anchor), f"{script}/{len(words)}"))
            x += draw.textlength(part + " ", font=font) * (1 if is_rightward else -1)
    return picture, words


def wander(rng, count, reach, period):
    """A smooth random walk of `count` values within about `reach`."""
    points = rng.uniform(-reach, reach, count // period + 3)
    at = np.linspace(0, len(points) - 1.001, count)
    left, part = at.astype(int), at % 1
    part = part * part * (3 - 2 * part)
    return points[left] * (1 - part) + points[left + 1] * part


def view(picture, words, matrix):
    """What a camera sees: `matrix` takes places of the scene to places of the frame."""
    inverse = np.linalg.inv(matrix)
    frame = picture.transform((WIDTH, HEIGHT), Image.Transform.AFFINE, inverse[:2].ravel(), Image.Resampling.BICUBIC)
    seen = []
    for word in words:
        poly = np.c_[word.poly, np.ones(4)] @ matrix[:2].T
        inside = np.clip(poly, 0, [WIDTH, HEIGHT])
        part = np.prod(np.ptp(inside, axis=0)) / max(np.prod(np.ptp(poly, axis=0)), 1e-9)
        if part > 0.02:
            seen.append({"text": word.text, "poly": poly, "track": word.track, "ignore": part < 0.9})
    return frame, seen


def place(x, y, degrees=0.0, scale=1.0):
    """A camera that looks at (x, y) of the scene, turned and closer."""
    angle = np.radians(degrees)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = np.eye(3)
    matrix[:2, :2] = turn
    matrix[:2, 2] = np.array([WIDTH / 2, HEIGHT / 2]) - turn @ [x, y]
    return matrix


def jpeg(frame, rng, noise=2.0, gain=1.0):
    """A JPEG of what the sensor made of a frame."""
    values = np.asarray(frame, np.float32) * gain
    if noise:
        values = values + rng.normal(0, noise, values.shape).astype(np.float32)
    out = io.BytesIO()
    Image.fromarray(np.clip(values, 0, 255).astype(np.uint8)).save(out, "JPEG", quality=85)
    return out.getvalue()


def fixed(rng, count):
    """A fixed camera, and a box that moves through the picture."""
    picture, words = scene(1, "signs")
    base, seen = view(picture, words, place(700, 450))
    for index in range(count):
        frame = base.copy()
        x = (90 * index // RATE) % (WIDTH + 160) - 160
        hidden = (x, 430, x + 150, 580)
        ImageDraw.Draw(frame).rectangle(hidden, fill=(90, 140, 60))
        told = []
        for word in seen:
            left, top, right, bottom = *word["poly"].min(0), *word["poly"].max(0)
            covers = right > hidden[0] and left < hidden[2] and bottom > hidden[1] and top < hidden[3]
            told.append(word | {"ignore": word["ignore"] or covers})
        yield jpeg(frame, rng), told


def handheld(rng, count, picture, words):
    """A camera in a hand before a picture: shift, turn, scale and light wander."""
    x, y = wander(rng, count, 35, RATE), wander(rng, count, 25, RATE)
    turn, scale, gain = (wander(rng, count, reach, 2 * RATE) for reach in (3, 0.05, 0.06))
    for index in range(count):
        frame, seen = view(picture, words, place(800 + x[index], 520 + y[index], turn[index], 1 + scale[index]))
        yield jpeg(frame, rng, gain=1 + gain[index]), seen


def pan(rng, count):
    """A slow pan down a page."""
    picture, words = scene(3, "page", (1400, 2100))
    for index in range(count):
        frame, seen = view(picture, words, place(680, 400 + 120 * index / RATE))
        yield jpeg(frame, rng), seen


def cuts(rng, count):
    """Another scene every 2 s."""
    gain = wander(rng, count, 0.06, RATE)
    for index in range(count):
        if index % (2 * RATE) == 0:
            base, seen = view(*scene(10 + index, "signs"), place(720, 470))
        yield jpeg(base, rng, gain=1 + gain[index]), seen


def identical(rng, count):
    """One frame again and again, byte by byte."""
    base, seen = view(*scene(4, "signs"), place(720, 470))
    frame = jpeg(base, rng)
    for _ in range(count):
        yield frame, seen


def changing(rng, count, text, moving=False):
    """Signs, one of whose texts is `text` of the frame's number."""
    picture, words = scene(5, "signs")
    x, y = wander(rng, count, 20, RATE), wander(rng, count, 15, RATE)
    for index in range(count):
        drawn, known = picture.copy(), list(words)
        draw = ImageDraw.Draw(drawn)
        draw.rectangle((440, 760, 1000, 860), fill=(20, 20, 20))
        here = [(470, 780, 48, (250, 220, 60), text(index))] if text(index) else []
        known = [word for word in known if not (430 < word.poly[0][0] < 1010 and 690 < word.poly[0][1] < 870)]
        draw_words(draw, here, known, lambda part: f"now/{part}")
        dx, dy = (x[index], y[index]) if moving else (0, 0)
        frame, seen = view(drawn, known, place(720 + dx, 560 + dy))
        yield jpeg(frame, rng), seen


STREAMS = {
    "fixed": fixed,
    "handheld": lambda rng, count: handheld(rng, count, *scene(2, "signs")),
    "latin_sign": lambda rng, count: handheld(rng, count, *station("latin")),
    "cyrillic_sign": lambda rng, count: handheld(rng, count, *station("cyrillic")),
    "arabic_sign": lambda rng, count: handheld(rng, count, *station("arabic")),
    "pan": pan,
    "cuts": cuts,
    "identical": identical,
    "counter": lambda rng, count: changing(rng, count, lambda index: f"COUNT {1000 + index // 3}"),
    "clock": lambda rng, count: changing(rng, count, lambda index: f"12:{34 + index // RATE // 60}:{index // RATE:02}"),
    "moving_counter": lambda rng, count: changing(rng, count, lambda index: f"COUNT {1000 + index // 3}", moving=True),
    "subtitle": lambda rng, count: changing(
        rng, count, lambda index: "" if index // 20 % 2 else f"{WORDS[index // 40]} {WORDS[index // 40 + 9]}"
    ),
}
