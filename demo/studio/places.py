"""Scenes of things that stand or hang somewhere: a shop, a street sign, an instrument, a meter, a pharmacy."""

import cv2
import numpy as np
from PIL import Image

from . import surfaces
from .camera import Plane, Take, linear
from .staging import Scene, backdrop, cutout, lamp, stand
from .typeset import Sheet, Word, font


def shop(rng):
    """The front of a bookshop, seen from across the pavement."""
    width, height = 2300, 1450
    wall = surfaces.painted(rng, width, height, (34, 74, 62), boards=0)
    window = surfaces.interior(rng, 1560, 830)
    glare = np.linspace(0, 1, 1560)[None, :] + np.linspace(0, 1, 830)[:, None] * 0.6
    window = (
        window
        + (0.10 * np.exp(-(((glare - 0.55) / 0.09) ** 2)) + 0.06 * np.exp(-(((glare - 0.8) / 0.03) ** 2)))[..., None]
    )
    door = surfaces.interior(rng, 330, 620)
    picture = wall.copy()

    def panel(left, top, part, frame=26):
        high, wide = part.shape[:2]
        picture[top - frame : top + high + frame, left - frame : left + wide + frame] *= 0.62
        picture[top - frame : top - frame + 5, left - frame : left + wide + frame] *= 1.9
        picture[top : top + high, left : left + wide] = np.clip(part, 0, 1)
        picture[top : top + 9, left : left + wide] *= 0.45

    panel(130, 480, window)
    panel(1840, 480, door)
    picture[1340:1430] = surfaces.wood(rng, width, 90, (120, 112, 104))
    fascia = Sheet(2200, 300, (22, 50, 43, 255))
    fascia.draw.rectangle((10, 10, 2189, 289), outline=(196, 160, 92, 255), width=5)
    fascia.draw.rectangle((22, 22, 2177, 277), outline=(196, 160, 92, 255), width=2)
    fascia.text(1100, 168, "LANTERN & QUILL", "book-bold", 150, (226, 190, 116, 255), "middle", 14)
    fascia.text(1100, 250, "BOOKS  MAPS  PRINTS  SINCE 1987", "lato-bold", 52, (214, 184, 124, 255), "middle", 9)
    lettering = Sheet(1500, 420)
    white = (240, 236, 222, 235)
    lettering.text(40, 110, "Old maps bought and sold", "book-italic", 104, white)
    lettering.text(40, 240, "Bindings repaired on Fridays", "book-italic", 104, white)
    lettering.text(40, 360, "RING FOR THE ATTIC ROOM", "lato-bold", 58, white, "left", 6)
    hours = Sheet(300, 420, (244, 240, 228, 255))
    hours.text(150, 74, "OPEN", "poster", 92, (150, 34, 28, 255), "middle", 4)
    for row, (day, time) in enumerate([("Mon-Fri", "9-18"), ("Sat", "10-17"), ("Sun", "closed")]):
        hours.text(24, 160 + 64 * row, day, "lato", 38, (40, 40, 40, 255))
        hours.text(276, 160 + 64 * row, time, "lato-bold", 38, (40, 40, 40, 255), "right")
    hours.text(150, 380, "PULL", "narrow-bold", 64, (30, 30, 30, 255), "middle", 8)
    light = lamp(width, height, 700, -200, 1700, 0.32, 1.15)
    light *= 1 + 0.05 * surfaces.clouds(rng, width, height, 500, 2)
    sheets = [(fascia, 1150, 220, 0, 22), (lettering, 900, 980, 0, 0), (hours, 2005, 770, 0, 8)]
    front = stand(picture, sheets, light, 0.6)
    take = Take(
        1280,
        720,
        0.60,
        (1060, 650),
        yaw=-17,
        pitch=7,
        roll=-2.5,
        drift=(150, -25),
        push=0.05,
        shake=4.0,
        shutter=0.5,
        gain=1.25,
        warmth=0.35,
        brightens=0.3,
        quality=55,
    )
    return Scene(take, 11, 10, lambda frame: [front])


def instrument(rng):
    """The screen of a laboratory centrifuge, its clock running down, a lamp mirrored in the glass."""
    width, height = 1700, 1300
    case = surfaces.plastic(rng, width, height, (206, 208, 206))
    bezel = Sheet(width, height)
    bezel.draw.rounded_rectangle((180, 170, 1520, 1010), 18, fill=(22, 22, 25, 255))
    bezel.text(190, 130, "HELIA LABWORKS", "lato-bold", 58, (60, 64, 70, 255), "left", 8)
    bezel.text(1510, 130, "Centrifuge C-12", "lato", 54, (60, 64, 70, 255), "right")
    for x, name in ((360, "STOP"), (850, "PAUSE"), (1340, "LID")):
        bezel.draw.rounded_rectangle((x - 150, 1075, x + 150, 1200), 30, fill=(70, 74, 80, 255))
        fill = (255, 120, 100, 255) if name == "STOP" else (235, 238, 240, 255)
        bezel.text(x, 1162, name, "lato-bold", 64, fill, "middle", 4)

    def showing(seconds):
        screen = Sheet(1280, 780, (10, 22, 38, 255))
        cyan, white, amber = (120, 226, 240, 255), (232, 240, 244, 255), (255, 190, 80, 255)
        screen.draw.rectangle((0, 0, 1280, 92), fill=(24, 54, 84, 255))
        screen.text(36, 66, "RUN 0417", "lato-bold", 56, white)
        screen.text(1244, 66, "Protocol B", "lato", 52, white, "right")
        screen.text(36, 176, "Rotor speed", "lato", 46, cyan)
        screen.text(36, 312, "13 500", "lato-black", 132, white)
        screen.text(520, 312, "rpm", "lato", 60, cyan)
        screen.text(760, 176, "Temperature", "lato", 46, cyan)
        screen.text(760, 312, "4.2 °C", "lato-black", 132, white)
        screen.text(36, 440, "Time left", "lato", 46, cyan)
        clock = f"{seconds // 60:02d}:{seconds % 60:02d}"
        screen.text(36, 596, clock, "segments", 140, amber)
        screen.draw.rectangle((36, 650, 1244, 690), outline=cyan, width=3)
        screen.draw.rectangle((42, 656, 42 + 820, 684), fill=cyan)
        screen.text(36, 752, "Imbalance 0.3 g", "lato", 44, white)
        screen.text(1244, 752, "DOOR LOCKED", "lato-bold", 44, amber, "right")
        pixels = np.asarray(screen.image, np.float32) / 255
        shine = np.zeros((height, width, 3), np.float32)
        shine[200:980, 210:1490] = linear(pixels[..., :3]) * 0.75
        shine += cv2.GaussianBlur(shine, (0, 0), 26) * 0.10
        plane = stand(
            case, [(bezel, 850, 650, 0, 0)], lamp(width, height, 300, 100, 1300, 0.25, 0.62), 0.45, glow=shine
        )
        for word in screen.words:
            word.corners += [210 - plane.origin[0], 200 - plane.origin[1]]
        return Plane(plane.image, plane.words + screen.words, 0.0, plane.origin)

    states = {seconds: showing(seconds) for seconds in (1127, 1126)}
    flare = np.zeros((420, 420, 4), np.float32)
    for x in (110, 215):
        for y in (90, 215):
            cv2.rectangle(flare, (x, y), (x + 92, y + 112), (0.034, 0.038, 0.042, 0.0), -1)
    window = Plane(cv2.GaussianBlur(flare, (0, 0), 7), [], -1, (1000, 330))
    take = Take(
        640,
        480,
        0.43,
        (840, 610),
        yaw=13,
        pitch=9,
        roll=-4,
        drift=(30, -10),
        shake=2.0,
        shutter=0.5,
        gain=1.25,
        noise=1.5,
        vignette=0.3,
        quality=66,
    )

    def planes(frame):
        return [states[1127 if frame < 6 else 1126], window]

    return Scene(take, 13, 12, planes)


def street(rng):
    """A street's name in two scripts on a post, the street behind it out of focus; a small camera held on its side."""
    background = backdrop(surfaces.street(rng, 3000, 3400), 0.4, 1500, (-1000, -1000))
    sign = Sheet(1000, 1500)
    steel = np.array([0.32, 0.36, 0.40])
    post = Sheet(46, 1500, (0, 0, 0, 255))
    shade = 0.35 + 0.65 * np.exp(-(((np.arange(46) - 14) / 11.0) ** 2))
    post_pixels = np.dstack(
        [np.tile(shade[None, :, None] * steel * 255 * 1.7, (1500, 1, 1)), np.full((1500, 46, 1), 255)]
    )
    post.image = Image.fromarray(np.clip(post_pixels, 0, 255).astype(np.uint8), "RGBA")
    sign.paste(post, 500, 760)
    plate = Sheet(940, 380)
    plate.draw.rounded_rectangle((0, 0, 939, 379), 26, fill=(18, 76, 160, 255))
    plate.draw.rounded_rectangle((12, 12, 927, 367), 20, outline=(240, 244, 248, 255), width=6)
    plate.text(470, 196, "梧桐里街", "chinese-bold", 168, (248, 250, 252, 255), "middle", 16)
    plate.text(470, 318, "WUTONGLI STREET", "helvetica-bold", 78, (248, 250, 252, 255), "middle", 3)
    number = Sheet(420, 210)
    number.draw.rounded_rectangle((0, 0, 419, 209), 20, fill=(240, 242, 240, 255))
    number.text(210, 150, "27-41", "helvetica-bold", 130, (18, 76, 160, 255), "middle", 3)
    arrow = Sheet(820, 230)
    arrow.draw.polygon([(0, 0), (700, 0), (819, 115), (700, 229), (0, 229)], fill=(112, 62, 32, 255))
    arrow.text(360, 104, "Old Ferry Pier", "lato-bold", 88, (250, 246, 236, 255), "middle")
    arrow.text(360, 190, "5 min walk", "lato", 66, (250, 246, 236, 255), "middle")
    sign.paste(plate, 500, 330)
    sign.paste(number, 500, 660)
    sign.paste(arrow, 530, 930)
    shading = lamp(1000, 1500, 200, 100, 1400, 0.45, 0.95)
    plane = cutout(sign, 0.5, 0, (0, 0), shading)
    take = Take(
        480,
        640,
        0.43,
        (505, 640),
        yaw=-15,
        pitch=10,
        roll=2,
        drift=(-30, -30),
        shake=3.6,
        shutter=0.4,
        gain=1.3,
        brightens=-0.5,
        noise=0.9,
        quality=68,
    )
    return Scene(take, 10, 10, lambda frame: [background, plane], orientation=8)


def meter(rng):
    """A water meter in a cellar, seen by a small gray camera that is screwed to the pipe."""
    width, height = 1200, 960
    wall = surfaces.painted(rng, width, height, (120, 118, 112))
    pipe = np.sin(np.linspace(0.12, 3.0, 300))[:, None, None] * np.array([0.52, 0.46, 0.32])
    wall[340:640] = pipe * (1 + 0.03 * surfaces.clouds(rng, width, 300, 30, 3, 4))[..., None]
    dial = Sheet(900, 900)
    draw = dial.draw
    for ring in range(34):
        draw.ellipse(
            (ring, ring, 899 - ring, 899 - ring),
            fill=tuple(int(c * (0.55 + 0.5 * np.sin(ring / 9))) for c in (168, 150, 100)) + (255,),
        )
    draw.ellipse((34, 34, 865, 865), fill=(30, 30, 30, 255))
    draw.ellipse((48, 48, 851, 851), fill=(240, 240, 236, 255))
    ink = (20, 20, 22, 255)
    dial.text(450, 215, "KESTREL FLOW", "lato-black", 68, ink, "middle", 4)
    dial.text(450, 285, "Q3 2.5  R160", "helvetica", 50, ink, "middle")
    for place, digit in enumerate("00482917"):
        left = 122 + 80 * place
        red = place > 4
        draw.rectangle((left, 330, left + 72, 450), fill=(150, 30, 30, 255) if red else (22, 22, 24, 255))
        draw.text((left + 36, 432), digit, fill=(250, 250, 250, 255), font=font("mono-bold", 112), anchor="ms")
    dial.words.append(Word("00482917", [(128, 352), (748, 352), (748, 436), (128, 436)]))
    dial.text(790, 440, "m³", "helvetica-bold", 60, ink, "middle")
    dial.text(450, 560, "COLD WATER", "helvetica-bold", 58, ink, "middle", 4)
    dial.text(450, 640, "No 20817735", "mono-bold", 56, ink, "middle")
    for turn in range(0, 360, 30):
        spot = np.array([450, 735]) + 62 * np.array([np.sin(np.radians(turn)), -np.cos(np.radians(turn))])
        draw.ellipse((*(spot - 5), *(spot + 5)), fill=ink)
    draw.polygon([(450, 690), (441, 740), (459, 740)], fill=(190, 30, 30, 255))
    light = lamp(width, height, 480, 380, 620, 0.12, 1.0)
    plane = stand(wall, [(dial, 600, 480, 4, 22)], light, 0.45)
    take = Take(
        400,
        320,
        0.36,
        (600, 470),
        yaw=-5,
        pitch=8,
        roll=-3,
        drift=(6, 4),
        shake=0.7,
        shutter=0.8,
        defocus=0.6,
        gain=1.3,
        noise=0.4,
        vignette=0.5,
        quality=0,
    )
    return Scene(take, 4, 4, lambda frame: [plane], gray=True)


def pharmacy(rng):
    """A pharmacy's sign in Russian beside its door, lit by a lamp above."""
    width, height = 1900, 1400
    wall = surfaces.painted(rng, width, height, (186, 164, 130), boards=0)
    green, white = (16, 104, 72, 255), (248, 250, 246, 255)
    fascia = Sheet(1500, 420, green)
    fascia.draw.rectangle((14, 14, 1485, 405), outline=white, width=6)
    fascia.draw.rectangle((150, 90, 220, 330), fill=white)
    fascia.draw.rectangle((65, 175, 305, 245), fill=white)
    fascia.text(880, 240, "АПТЕКА", "lato-black", 200, white, "middle", 14)
    fascia.text(880, 350, "Круглосуточно", "lato-bold", 92, white, "middle", 4)
    plate = Sheet(1000, 460, (246, 244, 236, 255))
    plate.draw.rectangle((12, 12, 987, 447), outline=green, width=5)
    for row, line in enumerate(["Лекарства и травы", "Детское питание", "Вход со двора"]):
        plate.text(500, 130 + 125 * row, line, "lato-bold" if row < 2 else "lato", 84, (34, 40, 38, 255), "middle")
    light = lamp(width, height, 900, -150, 1300, 0.3, 1.15)
    light *= 1 + 0.04 * surfaces.clouds(rng, width, height, 500, 2)
    front = stand(wall, [(fascia, 950, 340, 0, 22), (plate, 900, 960, 0.6, 12)], light, 0.5)
    take = Take(
        640,
        480,
        0.36,
        (930, 640),
        yaw=11,
        pitch=8,
        roll=-2,
        drift=(-40, 20),
        push=0.04,
        shake=3.0,
        shutter=0.5,
        gain=1.3,
        warmth=0.3,
        noise=1.2,
        quality=66,
    )
    return Scene(take, 8, 8, lambda frame: [front], language="ru")
