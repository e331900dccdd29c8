"""Sets of our own, typeset by chance: pages, signs seen by a camera, and small graphics.

`python -m glyphbench.synthetic FOLDER KIND COUNT` writes one in the form that README.md tells. The same fonts give
the same pictures; bench/quick was made so.
"""

import json
import sys
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from .lexicon import Writer
from .typeset import FACES, Sheet, face


def make_all(folder, pictures=20):
    """Makes the sets that are not there yet; returns the folder that they are in."""
    for kind in KINDS:
        if not (folder / kind / "gt.jsonl").exists():
            make(folder, kind, pictures)
    return folder


def make(folder, kind, pictures):
    """Makes a set of one kind."""
    folder = folder / kind
    (folder / "images").mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(pictures):
        image, items, options = KINDS[kind](np.random.default_rng([number, len(kind)]))
        name = f"images/{number:02d}.{'jpg' if 'quality' in options else 'png'}"
        image.save(folder / name, **options)
        head = {"image": name, "width": image.width, "height": image.height, "level": "word"}
        lines.append(json.dumps({**head, "items": items}, ensure_ascii=False, separators=(",", ":")) + "\n")
    (folder / "gt.jsonl").write_text("".join(lines), encoding="utf-8")


def item(word, move=None):
    """A word as the truth tells it; `move` says where corners of its sheet went, if they went anywhere."""
    corners = rectangle(word.box)
    if move is None:
        chars = [{"box": rounded(each.box), "c": each.text} for each in word.characters]
    else:
        corners = move(corners)
        chars = [{"poly": [rounded(p) for p in move(rectangle(each.box))], "c": each.text} for each in word.characters]
    return {"poly": [rounded(corner) for corner in corners], "text": word.text, "ignore": False, "chars": chars}


def rectangle(box):
    left, top, right, bottom = box
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)


def rounded(values):
    return [round(float(value), 2) for value in values]


def page(rng):
    """A page of a document: a title, paragraphs in one column or two, a table, and a foot."""
    writer = Writer(rng)
    width, height = 850, 1100
    sheet = Sheet(width, height, [float(rng.uniform(244, 255))] * 3)
    ink = [float(rng.uniform(10, 60))] * 3
    family = writer.pick(["serif", "grotesque", "sans", "lato"])
    size = float(rng.uniform(9, 15))
    text = face(family, size)
    heading = face({"lato": "lato-black"}.get(family, f"{family}-bold"), size * 1.7)
    small = face("grotesque", 11.5)
    margin = 80
    sheet.line(margin, 110, writer.title(3), heading, ink)
    columns = int(rng.integers(1, 3))
    gap = 34
    column = (width - 2 * margin - gap * (columns - 1)) / columns
    for number in range(columns):
        y = 160.0
        while y < 650:
            y = (
                sheet.paragraph(margin + number * (column + gap), y, column, writer.paragraph(3), text, ink, size * 1.4)
                + 12
            )
    y = 850.0
    for _ in range(6):
        cells = [writer.word().capitalize(), writer.number(), writer.number(), f"{writer.word()} {writer.word()}"]
        for place, cell in zip((0, 220, 350, 480), cells):
            sheet.line(margin + place, y, cell, face("mono" if place in (220, 350) else family, size), ink)
        y += size * 1.7
    sheet.line(margin, height - 50, writer.title(2), small, ink)
    sheet.line(width - margin - 30, height - 50, str(rng.integers(1, 400)), small, ink)
    sheet.pixels += rng.normal(0, 2.5, (height, width, 1))
    return sheet.image().convert("L"), [item(word) for word in sheet.words], {"quality": 80}


def graphic(rng):
    """A banner of the web: a few lines in some colours on a plain or graded ground."""
    writer = Writer(rng)
    width, height = int(rng.integers(220, 560)), int(rng.integers(90, 260))
    ground, ink = contrasting(rng)
    sheet = Sheet(width, height, ground)
    shade = np.linspace(-1, 1, width if rng.random() < 0.5 else height) * rng.uniform(0, 26)
    sheet.pixels += shade[None, :, None] if len(shade) == width else shade[:, None, None]
    y = 8.0
    while True:
        size = float(rng.choice([8, 9, 10, 11, 12, 14, 18, 26]))
        type_face = face(writer.pick(list(FACES)), size)
        y += size * 1.05
        if y > height - size * 0.3:
            break
        line = writer.pick(
            [writer.title(2), f"{writer.word()} {writer.number()}", writer.word().upper(), writer.title(3)]
        )
        room = width - 20 - sheet.measure(line, type_face)
        if room > 0:
            sheet.line(10 + float(rng.uniform(0, room)), y, line, type_face, ink)
        y += size * 0.45
    options = {"optimize": True} if rng.random() < 0.5 else {"quality": 85}
    return sheet.image(), [item(word) for word in sheet.words], options


def contrasting(rng):
    """Two colours that can be told apart by their lightness."""
    while True:
        ground, ink = rng.uniform(0, 255, (2, 3))
        if abs((ground - ink) @ [0.3, 0.59, 0.11]) > 55:
            return ground, ink


def signs(rng):
    """Signs on walls and shops, seen aslant by a camera of 1280x720 that is never quite in focus."""
    writer = Writer(rng)
    width, height = 1280, 720
    ground = rng.uniform(60, 200, 3) + clouds(rng, width, height, 90) * 40 + clouds(rng, width, height, 8) * 9
    picture, items = ground.astype(np.float32), []
    places = [(x, y) for x in range(3) for y in range(2)]
    for place in rng.permutation(len(places))[: int(rng.integers(4, 7))]:
        across, down = places[place]
        sheet = sign(rng, writer)
        span = rng.uniform(90, 390)
        middle = np.array([(across + 0.5) * width / 3, (down + 0.5) * height / 2]) + rng.uniform(-20, 20, 2)
        turn = seen(rng, sheet, middle, span)
        matrix = cv2.getPerspectiveTransform(rectangle((0, 0, sheet.width, sheet.height)).astype(np.float32), turn)
        # Sampled from a sheet that is blurred to about the size it shrinks to.
        soft = cv2.GaussianBlur(sheet.pixels, (0, 0), max(0.45 * sheet.width / span, 0.1))
        seen_sheet = cv2.warpPerspective(soft, matrix, (width, height), flags=cv2.INTER_LINEAR)
        mask = cv2.warpPerspective(np.ones(sheet.pixels.shape[:2], np.float32), matrix, (width, height))[..., None]
        picture = picture * (1 - mask) + seen_sheet * mask

        def move(corners):
            return cv2.perspectiveTransform(corners[None], matrix)[0]

        items += [item(word, move) for word in sheet.words]
    light = 1 + 0.35 * clouds(rng, width, height, 260)
    picture = cv2.GaussianBlur(picture * light, (0, 0), float(rng.uniform(0.6, 2.2)))
    picture += rng.normal(0, rng.uniform(2, 6), (height, width, 1)) + rng.normal(0, 2, (height, width, 3))
    return Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8)), items, {"quality": 82}


def sign(rng, writer):
    """One sign, as from the front."""
    ground, ink = contrasting(rng)
    lines = [
        writer.pick([writer.title(1), writer.word().upper(), writer.title(2), f"{writer.title(1)} {writer.number()}"])
    ]
    lines += [
        writer.pick([writer.title(2), writer.number(), f"{writer.word()} {writer.number()}"])
        for _ in range(int(rng.integers(0, 4)))
    ]
    faces = [face(writer.pick(["sans-bold", "grotesque-bold", "lato-black", "grotesque", "serif-bold", "lato"]), 64)]
    faces += [
        face(writer.pick(["sans", "grotesque", "lato", "serif", "serif-italic", "grotesque-bold"]), rng.uniform(28, 46))
        for _ in lines[1:]
    ]
    blank = Sheet(1, 1, ground)
    width = round(max(blank.measure(line, each) for line, each in zip(lines, faces)) + 60)
    sheet = Sheet(width, 100 + 58 * (len(lines) - 1) + 14, ground)
    for number, (line, each) in enumerate(zip(lines, faces)):
        sheet.line(30, 74 + 58 * number, line, each, ink)
    return sheet


def seen(rng, sheet, middle, span):
    """The corners of a sheet that hangs around `middle`, about `span` wide, turned and aslant."""
    tall = span * sheet.height / sheet.width
    if tall > 210:
        span, tall = span * 210 / tall, 210
    corners = rectangle((-span / 2, -tall / 2, span / 2, tall / 2))
    angle = np.radians(rng.normal(0, 12))
    turn = np.array([(np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))])
    lean = np.array([(1, rng.normal(0, 0.09)), (rng.normal(0, 0.06), 1)])
    nearer = 1 + rng.uniform(-0.12, 0.12) * corners[:, :1] / (span / 2)
    return ((corners * nearer) @ lean @ turn + middle).astype(np.float32)


def clouds(rng, width, height, size):
    """Soft blotches about `size` pixels wide, of about -1...1."""
    coarse = rng.normal(0, 1, (height // size + 3, width // size + 3)).astype(np.float32)
    return np.clip(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), -2, 2)[..., None] / 2


KINDS = {"pages": page, "signs": signs, "graphics": graphic}

if __name__ == "__main__":
    make(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
