"""Scenes of things in print: a parcel label, a page of a novel, a menu, a badge."""

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from . import surfaces
from .camera import Take
from .staging import Scene, backdrop, cutout, lamp, stand, worn
from .typeset import Sheet


def label(rng):
    """A parcel's label under tape, as seen by a phone held upright."""
    width, height = 1500, 2300
    box = surfaces.card(rng, width, height)
    box[:, 735:745] *= 0.72
    sheet = Sheet(1060, 1480, (252, 251, 247, 255))
    ink, draw = (24, 24, 26, 255), sheet.draw
    draw.rectangle((18, 18, 1041, 1461), outline=ink, width=5)
    draw.rectangle((18, 18, 1041, 170), fill=ink)
    sheet.text(50, 125, "NORTHWIND", "lato-black", 92, (255, 255, 255, 255), "left", 4)
    sheet.text(1010, 120, "PARCEL", "lato", 66, (255, 255, 255, 255), "right", 6)
    sheet.text(50, 225, "FROM", "helvetica-bold", 30, ink)
    for row, line in enumerate(["Maren Holt, Tidewater Looms", "14 Quay Street", "Eastmere EM4 2TR"]):
        sheet.text(50, 278 + 48 * row, line, "helvetica", 42, ink)
    draw.line((18, 420, 1041, 420), fill=ink, width=4)
    sheet.text(50, 475, "DELIVER TO", "helvetica-bold", 30, ink)
    for row, line in enumerate(["Dr. Ines Valdane", "Room 307, Halden Institute", "88 Orchard Hill"]):
        sheet.text(50, 552 + 72 * row, line, "helvetica-bold", 62, ink)
    sheet.text(50, 786, "BRIARFORD  BF19 6KD", "narrow-bold", 82, ink)
    draw.line((18, 830, 1041, 830), fill=ink, width=4)
    draw.line((640, 830, 640, 1020), fill=ink, width=4)
    sheet.text(50, 885, "WEIGHT", "helvetica-bold", 30, ink)
    sheet.text(50, 985, "2.4 kg", "helvetica-bold", 84, ink)
    sheet.text(670, 885, "ROUTE", "helvetica-bold", 30, ink)
    sheet.text(670, 990, "K7-52", "mono-bold", 100, ink)
    draw.line((18, 1020, 1041, 1020), fill=ink, width=4)
    x = 70
    while x < 970:
        bar = int(rng.choice([4, 4, 8, 12]))
        draw.rectangle((x, 1060, x + bar - 1, 1300), fill=ink)
        x += bar + int(rng.choice([4, 4, 8, 12]))
    sheet.text(530, 1360, "7F02 9931 4480 5521", "mono", 58, ink, "middle")
    sheet.text(530, 1430, "Signature required on delivery", "helvetica", 40, ink, "middle")
    stamp = Sheet(560, 190)
    red = (190, 30, 34, 225)
    stamp.draw.rounded_rectangle((8, 8, 551, 181), 22, outline=red, width=10)
    stamp.text(280, 142, "FRAGILE", "poster", 150, red, "middle", 10)
    worn(stamp, rng, 0.34)
    note = Sheet(1240, 130)
    note.text(620, 92, "leave with neighbour, no. 90", "hand", 76, (38, 52, 120, 240), "middle")
    light = lamp(width, height, 300, 500, 1500, 0.42, 1.1)
    hand = cv2.GaussianBlur(
        cv2.fillPoly(
            np.zeros((height, width), np.float32),
            [np.array([(1500, 1500), (1180, 1850), (1050, 2300), (1500, 2300)])],
            1.0,
        ),
        (0, 0),
        90,
    )
    light *= 1 - 0.5 * hand
    tape = np.zeros((height, width), np.float32)
    tape[:, 560:900] = 0.025
    tape *= 1 + 0.5 * surfaces.clouds(rng, width, height, 160, 3, 0.4)
    shine = np.clip(tape, 0, 1)[..., None] * np.array([1, 1, 1], np.float32)
    plane = stand(
        box, [(sheet, 740, 1120, 1.5, 10), (stamp, 1010, 700, 11, 0), (note, 700, 2010, 3, 0)], light, 0.55, glow=shine
    )
    take = Take(
        720,
        1280,
        0.58,
        (735, 1100),
        yaw=9,
        pitch=-15,
        roll=3,
        drift=(10, 150),
        push=0.06,
        shake=4.0,
        shutter=0.45,
        defocus=0.6,
        hunts=True,
        gain=1.3,
        warmth=0.25,
        noise=1.0,
        quality=52,
    )
    return Scene(take, 9, 8, lambda frame: [plane], orientation=6, in_exif=True)


PAGE = [
    "The harbour clock had stopped in the winter of the long frost, and nobody had thought to wind it since. "
    "Boats came and went by the bell of the fish market, which rang when there was fish, and by the sun, which "
    "on that coast could not be relied upon at all.",
    "It was Tamsin who climbed the tower. She took with her a lantern, a can of whale oil, and her "
    "grandfather's notebook, in which the size of every wheel was written down in a hand so small that she had "
    "to read it through the bottom of a glass. Forty teeth, said the notebook, and then: count them twice.",
    "She counted them twice. There were thirty-nine. Somebody had filed one tooth away, neatly, and had "
    "polished the place where it had been, so that once in every turn the great wheel slipped and the town "
    "lost a minute and a half that it never knew it had owned.",
    "Below her the square was filling with people who had seen a light where no light should be. The baker was "
    "there, and the two customs men, and old Perrin with his dog. None of them called out.",
]


def page(rng):
    """A page of a novel on a desk, under a camera that hangs upside down."""
    width, height = 2700, 1750
    desk = surfaces.wood(rng, width, height, (150, 104, 66), planks=420)
    sheet = Sheet(1900, 1640)
    paper = surfaces.paper(rng, 1900, 1640)
    sheet.image = Image.fromarray((np.dstack([paper, np.ones((1640, 1900))]) * 255).astype(np.uint8), "RGBA")
    sheet.draw = ImageDraw.Draw(sheet.image)
    ink = (34, 30, 28, 255)
    sheet.text(950, 130, "THE CLOCK AT SALTHAVEN", "book", 40, ink, "middle", 6)
    sheet.text(1720, 130, "147", "book", 44, ink, "right")
    sheet.text(950, 300, "Chapter Eleven", "book-italic", 96, ink, "middle")
    sheet.text(950, 388, "in which a tooth is missing", "book-italic", 54, ink, "middle")
    baseline = 500
    for number, paragraph in enumerate(PAGE):
        baseline = sheet.paragraph(180, baseline, 1540, paragraph, "book", 57, ink, 68, 0 if number == 0 else 70)
    # Near the binding, at the left, the paper rises and bends away from the light.
    columns = np.arange(1900, dtype=np.float32)
    bend = 46 * np.exp(-columns / 260)
    grid_x, grid_y = np.meshgrid(columns, np.arange(1640, dtype=np.float32))
    pixels = np.asarray(sheet.image, np.float32)
    pixels = cv2.remap(pixels, grid_x, grid_y + bend[None, :], cv2.INTER_LINEAR, None, cv2.BORDER_CONSTANT, 0)
    pixels[..., :3] *= (1 - 0.55 * np.exp(-columns / 170))[None, :, None]
    for word in sheet.words:
        word.corners[:, 1] -= 46 * np.exp(-word.corners[:, 0] / 260)
    sheet.image = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8), "RGBA")
    facing = Sheet(900, 1620)
    shade = (1 - 0.6 * np.exp((np.arange(900) - 900) / 150))[None, :, None] * surfaces.paper(rng, 900, 1620)
    facing.image = Image.fromarray((np.dstack([shade, np.ones((1620, 900))]) * 255).astype(np.uint8), "RGBA")
    light = lamp(width, height, 2300, 200, 1900, 0.38, 1.2)
    plane = stand(desk, [(facing, 70, 890, -0.8, 30), (sheet, 1460, 890, -0.8, 30)], light, 0.75)
    take = Take(
        1920,
        1080,
        0.80,
        (1330, 800),
        yaw=4,
        pitch=-11,
        roll=1.5,
        drift=(-20, 60),
        shake=2.2,
        shutter=0.4,
        defocus=0.7,
        gain=1.15,
        warmth=0.45,
        noise=0.8,
        quality=46,
    )
    return Scene(take, 5, 5, lambda frame: [plane], orientation=3)


def menu(rng):
    """A café's menu on a dark table, seen askew by candlelight."""
    width, height = 2300, 1700
    table = surfaces.wood(rng, width, height, (92, 58, 38), planks=330)
    card = Sheet(1080, 1420)
    stock = surfaces.paper(rng, 1080, 1420, (240, 228, 200))
    card.image = Image.fromarray((np.dstack([stock, np.ones((1420, 1080))]) * 255).astype(np.uint8), "RGBA")
    card.draw = ImageDraw.Draw(card.image)
    brown, wine = (64, 38, 26, 255), (122, 28, 40, 255)
    card.draw.rectangle((30, 30, 1049, 1389), outline=wine, width=4)
    card.draw.rectangle((42, 42, 1037, 1377), outline=wine, width=2)
    card.text(540, 178, "The Copper Heron", "script", 124, wine, "middle")
    card.text(540, 248, "SUPPER FROM SIX", "lato-bold", 44, brown, "middle", 10)
    sections = [
        ("To begin", [("Celery soup with walnut", "6.50"), ("Smoked trout on rye", "8.20")]),
        (
            "Mains",
            [("Barley and leek pie", "13.80"), ("Roast hake, brown butter", "17.40"), ("Mushroom dumplings", "12.60")],
        ),
        ("Sweet", [("Plum tart", "5.90"), ("Burnt honey ice", "4.75")]),
    ]
    y = 350
    for title, dishes in sections:
        card.text(110, y, title, "script", 78, wine)
        y += 82
        for dish, price in dishes:
            card.text(110, y, dish, "book", 60, brown)
            card.text(970, y, price, "book-bold", 60, brown, "right")
            y += 78
        y += 46
    card.text(540, 1335, "Ask us about nuts and gluten", "book-italic", 50, brown, "middle")
    slip = Sheet(560, 330, (250, 250, 244, 255))
    slip.text(280, 110, "Table 12", "hand", 110, (40, 40, 60, 255), "middle")
    slip.text(280, 220, "2 soup 1 hake", "hand", 84, (40, 40, 60, 255), "middle")
    slip.text(280, 300, "no butter!", "hand", 84, (40, 40, 60, 255), "middle")
    light = lamp(width, height, 1500, 350, 900, 0.16, 1.25)
    plane = stand(table, [(card, 980, 850, 0, 26), (slip, 1840, 1060, -9, 18)], light, 0.5)
    take = Take(
        1280,
        720,
        0.48,
        (1150, 870),
        yaw=6,
        pitch=-22,
        roll=13,
        drift=(60, -60),
        push=0.08,
        shake=2.8,
        shutter=0.6,
        gain=1.45,
        warmth=0.9,
        noise=1.5,
        brightens=0.4,
        quality=52,
    )
    return Scene(take, 8, 8, lambda frame: [plane])


def badge(rng):
    """A badge held up to a laptop's camera, which shows its owner a mirror and sends just that."""
    room = backdrop(surfaces.room(rng, 2600, 2000) * 0.95, 0.4, 700, (-800, -500))
    jumper = Sheet(2000, 1500)
    jumper.draw.polygon(
        [(330, 1500), (240, 500), (480, 40), (800, -250), (1200, -250), (1520, 40), (1760, 500), (1670, 1500)],
        fill=(44, 54, 84, 255),
    )
    jumper.image = jumper.image.filter(ImageFilter.GaussianBlur(13))
    knit = 0.8 + 0.13 * surfaces.clouds(rng, 2000, 1500, 7, 2) + 0.1 * surfaces.clouds(rng, 2000, 1500, 300, 2)
    body = cutout(jumper, 0.5, 60, (-500, 60), np.clip(knit, 0, None))
    strap = Sheet(1000, 1000)
    for side in (-1, 1):
        edge = 500 + 34 * side
        strap.draw.polygon(
            [(edge - 34, 1000), (edge + 34, 1000), (edge + 34 + 170 * side, 0), (edge - 34 + 170 * side, 0)],
            fill=(28, 110 + 8 * side, 120, 255),
        )
    strap.image = strap.image.filter(ImageFilter.GaussianBlur(1.5))
    lanyard = cutout(strap, 0.45, 1, (0, -830))
    card = Sheet(1000, 1000)
    draw = card.draw
    draw.rounded_rectangle((60, 140, 939, 959), 40, fill=(250, 250, 248, 255))
    draw.rounded_rectangle((60, 140, 939, 400), 40, fill=(226, 92, 44, 255))
    draw.rectangle((60, 340, 939, 400), fill=(226, 92, 44, 255))
    draw.rounded_rectangle((430, 160, 570, 186), 13, fill=(60, 60, 60, 255))
    card.text(500, 286, "OPEN HARDWARE", "lato-black", 84, (255, 255, 255, 255), "middle", 3)
    card.text(500, 372, "DAYS 2026", "lato-bold", 68, (255, 255, 255, 255), "middle", 8)
    card.text(500, 500, "hello, my name is", "lato", 62, (60, 60, 64, 255), "middle")
    card.text(500, 690, "Ada Okafor", "hand", 172, (24, 30, 70, 255), "middle")
    card.text(500, 810, "SPEAKER", "poster", 92, (226, 92, 44, 255), "middle", 10)
    card.text(500, 900, "Riverbank Robotics", "lato-bold", 64, (60, 60, 64, 255), "middle")
    plane = cutout(card, 0.45, 0, (0, 0), lamp(1000, 1000, 300, 300, 1200, 0.5, 1.0))
    take = Take(
        640,
        480,
        0.42,
        (490, 500),
        yaw=-9,
        pitch=-6,
        roll=6,
        drift=(30, 10),
        shake=4.6,
        shutter=0.6,
        defocus=0.6,
        gain=1.2,
        noise=1.6,
        warmth=0.2,
        quality=66,
    )
    return Scene(take, 11, 10, lambda frame: [room, body, lanyard, plane], orientation=2)
