"""What things are made of: grain, paper, wood, card, painted walls, rooms and streets out of focus. RGB, 0...1."""

import cv2
import numpy as np


def clouds(rng, width, height, scale, octaves=4, stretch=1.0):
    """Smooth noise around 0 with a spread of about 1; `scale` is the size of its largest lumps in pixels."""
    total, weight = np.zeros((height, width), np.float32), 1.0
    for _ in range(octaves):
        columns = max(int(width / (scale * stretch)), 1) + 3
        rows = max(int(height / scale), 1) + 3
        lumps = rng.standard_normal((rows, columns)).astype(np.float32)
        total += weight * cv2.resize(lumps, (width, height), interpolation=cv2.INTER_CUBIC)
        scale, weight = max(scale / 2, 1), weight * 0.55
    return total / max(float(total.std()), 1e-6)


def tinted(value, colour):
    """A gray map as a colour: 1 is `colour` (0...255)."""
    return np.clip(value[..., None] * (np.asarray(colour, np.float32) / 255), 0, 1)


def wood(rng, width, height, colour, planks=0):
    """Boards along x: long grain, and dark joints every `planks` pixels."""
    grain = clouds(rng, width, height, 26, 5, stretch=22)
    rings = np.sin(clouds(rng, width, height, 260, 2, stretch=6) * 7 + grain * 0.7)
    fine = clouds(rng, width, height, 3, 2, stretch=30)
    value = 0.80 + 0.07 * grain + 0.06 * rings + 0.035 * fine
    if planks:
        for number, top in enumerate(range(0, height, planks)):
            value[top : top + planks] *= 1 + 0.05 * rng.standard_normal()
            value[top : top + planks] = np.roll(value[top : top + planks], 611 * number, axis=1)
            value[top : top + 4] *= 0.45
    return tinted(value, colour)


def card(rng, width, height):
    """Corrugated cardboard: fibres, and the faint ribs below."""
    ribs = 0.012 * np.sin(np.arange(width) * 2 * np.pi / 17)[None, :]
    value = 0.86 + 0.022 * clouds(rng, width, height, 5, 2, 4) + 0.02 * clouds(rng, width, height, 300, 3) + ribs
    return tinted(value.astype(np.float32), (196, 152, 104))


def paper(rng, width, height, colour=(250, 246, 236)):
    """Paper with a little tooth."""
    value = 0.97 + 0.008 * clouds(rng, width, height, 4, 2) + 0.012 * clouds(rng, width, height, 400, 3)
    return tinted(value, colour)


def painted(rng, width, height, colour, boards=0):
    """A painted wall; with `boards`, upright boards that wide."""
    value = 0.9 + 0.02 * clouds(rng, width, height, 6, 3) + 0.035 * clouds(rng, width, height, 420, 3)
    if boards:
        for left in range(boards // 2, width, boards):
            value[:, left : left + 5] *= 0.5
            value[:, left + 5 : left + 8] *= 1.2
    return tinted(value, colour)


def plastic(rng, width, height, colour):
    """Moulded plastic with a fine texture."""
    value = 0.9 + 0.02 * clouds(rng, width, height, 2, 1) + 0.015 * clouds(rng, width, height, 500, 2)
    return tinted(value, colour)


def street(rng, width, height):
    """A street far behind what is in focus: sky, house fronts, foliage, lamps as discs of light."""
    rows = np.linspace(0, 1, height)[:, None, None]
    picture = ((1 - rows) * np.array([0.84, 0.89, 0.95]) + rows * np.array([0.36, 0.36, 0.38])).astype(np.float32)
    picture = np.repeat(picture, width, axis=1)
    left = -100
    while left < width:
        wide, top = int(rng.integers(160, 420)), int(height * rng.uniform(0.22, 0.42))
        front = rng.uniform(0.34, 0.66) * np.array([1.0, 0.93, 0.84]) * rng.uniform(0.94, 1.06, 3)
        cv2.rectangle(picture, (left, top), (left + wide, height), front.tolist(), -1)
        for floor in range(top + 50, int(height * 0.7), 150):
            for window in range(left + 30, left + wide - 60, 100):
                cv2.rectangle(picture, (window, floor), (window + 52, floor + 92), (front * 0.45).tolist(), -1)
        left += wide
    cv2.rectangle(picture, (0, int(height * 0.8)), (width, height), (0.27, 0.27, 0.28), -1)
    picture = cv2.GaussianBlur(picture, (0, 0), 20)
    for _ in range(420):
        centre = (int(rng.integers(0, width)), int(abs(rng.normal(0.0, 0.13)) * height + 0.12 * height))
        leaf = rng.uniform(0.5, 1.0) * np.array([0.20, 0.34, 0.10]) + rng.uniform(0, 0.05, 3)
        cv2.circle(picture, centre, int(rng.integers(12, 46)), leaf.tolist(), -1, cv2.LINE_AA)
    picture = cv2.GaussianBlur(picture, (0, 0), 15)
    lights = np.zeros_like(picture)
    for _ in range(30):
        centre = (int(rng.integers(0, width)), int(rng.uniform(0.45, 0.85) * height))
        light = np.array([1.0, 0.78, 0.46]) * rng.uniform(0.15, 0.5)
        cv2.circle(lights, centre, int(rng.integers(20, 40)), light.tolist(), -1, cv2.LINE_AA)
    return np.clip(picture + cv2.GaussianBlur(lights, (0, 0), 3), 0, 1)


def interior(rng, width, height):
    """What is seen through a shop window: warm light, shelves, out of focus."""
    picture = np.empty((height, width, 3), np.float32)
    rows = np.linspace(0, 1, height)[:, None, None]
    picture[:] = np.array([0.42, 0.27, 0.13]) * (1.1 - 0.6 * rows)
    for shelf in range(60, height, 150):
        left = 0
        while left < width:
            thick, tall = int(rng.integers(14, 46)), int(rng.integers(80, 128))
            cloth = [(0.46, 0.20, 0.14), (0.22, 0.24, 0.20), (0.52, 0.40, 0.26), (0.16, 0.20, 0.28), (0.60, 0.52, 0.40)]
            spine = np.array(cloth[rng.integers(len(cloth))]) * rng.uniform(0.5, 1.1)
            cv2.rectangle(picture, (left, shelf + 130 - tall), (left + thick, shelf + 130), spine.tolist(), -1)
            left += thick + int(rng.integers(1, 5))
        cv2.rectangle(picture, (0, shelf + 130), (width, shelf + 146), (0.16, 0.09, 0.05), -1)
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 9), 0, 1)


def room(rng, width, height):
    """A room behind somebody at a desk, out of focus: a wall, a bright window, a shelf, a plant."""
    picture = painted(rng, width, height, (176, 166, 150))
    window = (int(width * 0.08), int(height * 0.12), int(width * 0.34), int(height * 0.58))
    cv2.rectangle(picture, window[:2], window[2:], (0.93, 0.96, 1.0), -1)
    cv2.line(picture, (int(width * 0.21), window[1]), (int(width * 0.21), window[3]), (0.6, 0.6, 0.58), 22)
    picture[int(height * 0.18) : int(height * 0.80), int(width * 0.62) : int(width * 0.95)] = (
        interior(rng, int(width * 0.95) - int(width * 0.62), int(height * 0.80) - int(height * 0.18)) * 1.2
    )
    for _ in range(90):
        centre = rng.normal([0.48 * width, 0.42 * height], [0.035 * width, 0.10 * height]).astype(int)
        leaf = rng.uniform(0.4, 1.0) * np.array([0.22, 0.36, 0.14])
        cv2.circle(
            picture, tuple(int(value) for value in centre), int(rng.integers(14, 44)), leaf.tolist(), -1, cv2.LINE_AA
        )
    return np.clip(cv2.GaussianBlur(picture, (0, 0), 21), 0, 1)
