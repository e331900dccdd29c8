"""Measures what `temporal` saves on live streams, and that it costs no words.

The pictures are made here: pages and signs drawn with Pillow's own font, seen by a simulated camera, as JPEG. Each stream
is sent twice to one server, with `temporal` and without, a frame at a time, and compared frame by frame with what was
drawn. Processor time is the server's own (/proc), so that other work on the machine counts little; read it as a ratio.

    pip install numpy pillow
    python3 bench/streams.py [--server .build/release/glyphwire] [--plot streams.svg] [--only handheld,counter]
"""

import argparse
import io
import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import time

import numpy as np
from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT, RATE = 1280, 720, 30
WORDS = """harbour ticket window platform silver engine market garden winter signal bridge coffee morning letter station
paper yellow machine corner number holiday island kitchen doctor police summer danger closed parking entrance travel
weather history customs library airport railway chicken orange battery station elevator""".split()


class Word:
    """A word of a picture: its text, its corners, and a number that stays its own."""

    def __init__(self, text, box, track):
        x0, y0, x1, y1 = box
        self.text, self.track = text, track
        self.quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)


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
        quad = np.c_[word.quad, np.ones(4)] @ matrix[:2].T
        inside = np.clip(quad, 0, [WIDTH, HEIGHT])
        part = np.prod(np.ptp(inside, axis=0)) / max(np.prod(np.ptp(quad, axis=0)), 1e-9)
        if part > 0.02:
            seen.append({"text": word.text, "quad": quad, "track": word.track, "ignore": part < 0.9})
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
            left, top, right, bottom = *word["quad"].min(0), *word["quad"].max(0)
            covers = right > hidden[0] and left < hidden[2] and bottom > hidden[1] and top < hidden[3]
            told.append(word | {"ignore": word["ignore"] or covers})
        yield jpeg(frame, rng), told


def handheld(rng, count):
    """A camera in a hand: shift, turn, scale and light wander."""
    picture, words = scene(2, "signs")
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
        known = [word for word in known if not (430 < word.quad[0][0] < 1010 and 690 < word.quad[0][1] < 870)]
        draw_words(draw, here, known, lambda part: f"now/{part}")
        dx, dy = (x[index], y[index]) if moving else (0, 0)
        frame, seen = view(drawn, known, place(720 + dx, 560 + dy))
        yield jpeg(frame, rng), seen


STREAMS = {
    "fixed": fixed,
    "handheld": handheld,
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


class Server:
    """A server of one worker on one core, and a connection to it."""

    def __init__(self, command, core):
        taskset = ["taskset", "-c", str(core)] if core is not None else []
        self.process = subprocess.Popen(
            [*taskset, command, "serve", "--port", "0", "--workers", "1", "--levels", "fast", "--log-level", "warning"],
            stdout=subprocess.PIPE,
            text=True,
        )
        line = self.process.stdout.readline()
        found = re.search(r"listening on \S+:(\d+)", line)
        if not found:
            sys.exit("the server did not start; run it by hand to see why")
        self.port = int(found[1])

    def cpu(self):
        """Seconds of processor time so far."""
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def play(self, frames, temporal, live=False):
        """Sends frames one by one, each at its time if `live`; their result lines, and the processor time of all."""
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            lines = connection.makefile("rb")
            options = json.dumps({"delivery": "every", "temporal": temporal, "characters": False}).encode()
            lines.readline()
            connection.sendall(header(2, 0, 0, len(options)) + options)
            answer = json.loads(lines.readline())
            if answer.get("type") != "configured":
                sys.exit(f"the server refused: {answer}")
            results, start, began = [], self.cpu(), time.monotonic()
            for index, frame in enumerate(frames):
                if live:
                    time.sleep(max(0, began + index / RATE - time.monotonic()))
                connection.sendall(header(1, 1, index, len(frame), index * 1_000_000 // RATE) + frame)
                results.append(json.loads(lines.readline()))
            return results, self.cpu() - start

    def close(self):
        self.process.terminate()
        self.process.wait()


def header(kind, form, sequence, length, captured=0):
    return struct.pack(">IBBBBQQHHI", 28 + length, kind, form, 0, 0, sequence, captured, 0, 0, 0)


def overlap(a, b):
    """Intersection over union of the upright boxes around two quads."""
    (ax, ay), (bx, by) = a.min(0), b.min(0)
    (aX, aY), (bX, bY) = a.max(0), b.max(0)
    shared = max(0, min(aX, bX) - max(ax, bx)) * max(0, min(aY, bY) - max(ay, by))
    return shared / ((aX - ax) * (aY - ay) + (bX - bx) * (bY - by) - shared)


def score(truth, results):
    """F of words found in their place with their text; ids for each true word; frames for which a text was stale."""
    hits = told = true = 0
    ids, stale, longest = {}, {}, 0
    for words, result in zip(truth, results):
        found = [
            (np.reshape(word["box"], (4, 2)), word["text"], word.get("id"))
            for line in result["lines"]
            for word in line["words"]
        ]
        care = [word for word in words if not word["ignore"]]
        skip = [word["quad"] for word in words if word["ignore"]]
        found = [word for word in found if not any(overlap(word[0], quad) > 0.2 for quad in skip)]
        pairs = sorted(
            ((overlap(word[0], want["quad"]), i, j) for i, word in enumerate(found) for j, want in enumerate(care)),
            reverse=True,
        )
        matched, used = {}, set()
        for value, i, j in pairs:
            if value >= 0.5 and i not in used and j not in matched:
                matched[j] = i
                used.add(i)
        told, true = told + len(found), true + len(care)
        for j, i in matched.items():
            hits += found[i][1] == care[j]["text"]
            ids.setdefault(care[j]["track"], set()).add(found[i][2])
        texts = {word[1] for word in found}
        for track in {word["track"] for word in care if word["track"].startswith("now/")}:
            missing = stale.get(track, 0)
            if missing is not None:
                stale[track] = None if track[4:] in texts else missing + 1
                longest = max(longest, missing if stale[track] is None else stale[track])
    return {
        "words": 2 * hits / max(told + true, 1),
        "ids": sum(map(len, ids.values())) / max(len(ids), 1),
        "late": longest,
    }


def plot(series, path):
    """Draws the time that a frame took, stream below stream."""
    rows = []
    for number, (name, pair) in enumerate(series.items()):
        top = 30 + 120 * number
        rows.append(f'<text x="10" y="{top - 8}" font-size="13">{name}: ms a frame, each for itself and temporal</text>')
        limit = max(max(values) for values in pair.values())
        for kind, colour in (("each", "#999999"), ("temporal", "#0060c0")):
            values = pair[kind]
            points = " ".join(
                f"{10 + 780 * i / len(values):.1f},{top + 85 - 80 * v / limit:.1f}" for i, v in enumerate(values)
            )
            rows.append(f'<polyline fill="none" stroke="{colour}" points="{points}"/>')
    body = "\n".join(rows)
    with open(path, "w") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="800" height="{30 + 120 * len(series)}" '
            f'font-family="sans-serif"><rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
        )


def main():
    global RATE
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--server", default=".build/release/glyphwire", help="the glyphwire executable")
    arguments.add_argument("--only", default=",".join(STREAMS), help="streams, separated by commas")
    arguments.add_argument("--seconds", type=int, default=6, help="length of each stream")
    arguments.add_argument("--rate", type=int, default=RATE, help="frames a second")
    arguments.add_argument("--live", action="store_true", help="send each frame at its time, so that refresh_ms counts")
    arguments.add_argument("--core", type=int, help="run the server on this core")
    arguments.add_argument("--plot", help="an SVG of the time of each frame")
    options = arguments.parse_args()
    RATE = options.rate
    server, series = Server(options.server, options.core), {}
    print(f"{'stream':15}{'CPU ratio':>10}{'ms/frame':>10}{'words':>8}{'of each':>9}{'ids':>6}{'late':>6}{'reused':>8}")
    try:
        for name in options.only.split(","):
            frames, truth = zip(*STREAMS[name](np.random.default_rng(7), options.seconds * RATE))
            # A server compiles its networks once for all streams; that is no cost of this one.
            server.play(frames[:: max(1, len(frames) // 20)], True)
            each, each_cpu = server.play(frames, False)
            kept, kept_cpu = server.play(frames, True, options.live)
            before, after = score(truth, each), score(truth, kept)
            stage = lambda results: [
                sum(r["timings_us"][key] for key in ("decode", "detect", "recognize")) / 1000 for r in results
            ]
            series[name] = {"each": stage(each), "temporal": stage(kept)}
            reused = sum(result.get("reused", False) for result in kept)
            print(
                f"{name:15}{kept_cpu / each_cpu:10.3f}{1000 * kept_cpu / len(frames):10.1f}{after['words']:8.3f}"
                f"{after['words'] / max(before['words'], 1e-9):9.3f}{after['ids']:6.2f}{after['late']:6}"
                f"{reused:5}/{len(frames)}",
                flush=True,
            )
    finally:
        server.close()
    if options.plot:
        plot(series, options.plot)


if __name__ == "__main__":
    main()
