#!/usr/bin/env python3
"""Makes demo/session.gws, the session that `make demo` replays, and demo/session.jsonl, its ground truth.

The scenes are typeset and rendered through a simulated hand-held camera; the same seed, fonts and processor give the same
bytes. --only renders one scene, and keeps the others as they are in the existing session. The last scene is a real screen,
recorded as BGRA: --record-screen makes a new recording, otherwise it is kept. Nothing in the pictures belongs to anybody else.

    apt-get install fonts-dejavu-core fonts-liberation fonts-lato fonts-bebas-neue fonts-ebgaramond \\
        fonts-lobstertwo fonts-breip fonts-dseg fonts-noto-cjk xvfb xterm tmux nano
    python3 -m venv /tmp/studio && /tmp/studio/bin/pip install numpy opencv-python-headless pillow lz4
    /tmp/studio/bin/python demo/make_session.py [--record-screen] [--preview FOLDER] [--only SCENE]

session.jsonl has one JSON object for each frame: its sequence, scene, size and orientation, and under "items" every
word with its corners ("poly", clockwise from the top left in reading direction, in pixels of the frame as it is sent). Where
only a reader for another script reads the words, "language" is theirs.
"ignore" marks what nobody could be asked to read: words cut by the frame's edge, too small, or too blurred.
"""

import argparse
import json
import struct
from dataclasses import dataclass
from pathlib import Path

import cv2
import lz4.block
import numpy as np

from studio import papers, places, screen
from studio.camera import Camera

HERE = Path(__file__).parent
SEED = 1987
JPEG, BGRA_LZ4, GRAY_LZ4 = 1, 2, 6
FRAME, CONFIGURE, END = 1, 2, 4
SCENES = {
    "shop front": places.shop,
    "shipping label": papers.label,
    "book page": papers.page,
    "centrifuge": places.instrument,
    "street sign": places.street,
    "menu": papers.menu,
    "water meter": places.meter,
    "badge in a mirror": papers.badge,
    "pharmacy": places.pharmacy,
}
# The recorded one.
SCREEN = "terminal"
# Time in which the camera is carried to the next place, in microseconds.
CARRIED = 1_000_000
# The scene and frame that is kept as a picture as well, for the examples in README.md.
STILL = ("street sign", 4)
CONFIGURATION = {"client": "demo session", "delivery": "every"}


def message(kind, payload=b"", form=0, orientation=0, sequence=0, captured=0, width=0, height=0, row=0):
    """A message of the protocol: its 32-byte header and its payload."""
    header = struct.pack(
        ">IBBBBQQHHI", 28 + len(payload), kind, form, orientation, 0, sequence, captured, width, height, row
    )
    return header + payload


def as_sent(picture, orientation):
    """The pixels that a camera held so sends of an upright picture."""
    return {
        1: lambda: picture,
        2: lambda: picture[:, ::-1],
        3: lambda: picture[::-1, ::-1],
        6: lambda: np.rot90(picture),
        8: lambda: np.rot90(picture, -1),
    }[orientation]()


def corners_as_sent(points, orientation, width, height):
    """Where points of the upright picture lie in the sent one, whose size is given."""
    x, y = points[:, 0], points[:, 1]
    return np.column_stack(
        {
            1: (x, y),
            2: (width - x, y),
            3: (width - x, height - y),
            6: (y, height - x),
            8: (width - y, x),
        }[orientation]
    )


def with_exif(jpeg, orientation):
    """A JPEG file with the EXIF tag that tells its orientation."""
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]


def truth(scene, width, height, orientation, words, least=8.0, language=None):
    """The line of session.jsonl for one frame, but for its number; `words` are (text, corners in sent pixels)."""
    items = []
    for text, corners in words:
        inside = (corners > 0).all() and (corners < (width, height)).all()
        if not inside and ((corners < 0).all(0).any() or (corners > (width, height)).all(0).any()):
            continue
        tall = float(np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])) / 2
        poly = [[round(float(value), 1) for value in corner] for corner in corners]
        items.append({"poly": poly, "text": text, "ignore": bool(not inside or tall < least)})
    head = {"scene": scene, "width": width, "height": height, "orientation": orientation}
    return head | ({"language": language} if language else {}) | {"level": "word", "items": items}


class Session:
    """The byte stream being written, and the truth about it."""

    def __init__(self):
        self.stream = message(CONFIGURE, json.dumps(CONFIGURATION, separators=(",", ":")).encode())
        self.lines, self.sequence, self.clock = [], 0, 1_000_000

    def add(self, rate, form, payload, told, stated=None, raw=(0, 0, 0)):
        """Adds a frame; `stated` and `raw` are the orientation and dimensions in its header."""
        self.sequence += 1
        stated = told["orientation"] if stated is None else stated
        self.stream += message(FRAME, payload, form, stated, self.sequence, self.clock, *raw)
        line = {"sequence": self.sequence} | told
        self.lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
        self.clock += round(1_000_000 / rate)

    def keep(self, frames):
        """Adds the frames of a scene as they were in an earlier session."""
        rate = 1_000_000 / (frames[1].captured - frames[0].captured)
        for frame in frames:
            self.add(rate, frame.form, frame.payload, frame.truth, frame.stated, frame.raw)

    def film(self, name, scene, rng, preview):
        """Renders a scene and adds its frames."""
        take, orientation = scene.take, scene.orientation
        camera = Camera(take, scene.frames, rng)
        size = (take.height, take.width) if orientation >= 5 else (take.width, take.height)
        before = len(self.stream)
        for frame in range(scene.frames):
            planes = scene.planes(frame)
            upright = camera.shoot(planes, frame)
            if preview:
                cv2.imwrite(f"{preview}/{name.replace(' ', '-')}-{frame:02d}.png", upright[..., ::-1])
            words = [
                (text, corners_as_sent(corners, orientation, *size)) for text, corners in camera.words(planes, frame)
            ]
            pixels = np.ascontiguousarray(as_sent(upright, orientation))
            # Out of focus, only larger words can be read.
            least = 8 + 4 * (camera.blur(frame) - take.defocus)
            if scene.gray:
                row = -(-size[0] // 64) * 64
                padded = np.zeros((size[1], row), np.uint8)
                padded[:, : size[0]] = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
                payload, form, raw = packed(padded), GRAY_LZ4, (*size, row)
            else:
                options = [cv2.IMWRITE_JPEG_QUALITY, take.quality, cv2.IMWRITE_JPEG_OPTIMIZE, 1]
                payload, form, raw = cv2.imencode(".jpg", pixels[..., ::-1], options)[1].tobytes(), JPEG, (0, 0, 0)
                if scene.in_exif:
                    payload = with_exif(payload, orientation)
                if (name, frame) == STILL:
                    (HERE / "sign.jpg").write_bytes(with_exif(payload, orientation))
            stated = 0 if scene.in_exif else orientation
            told = truth(name, *size, orientation, words, least, scene.language)
            self.add(scene.rate, form, payload, told, stated, raw)
        print(f"{name}: {scene.frames} frames, {(len(self.stream) - before) // 1024} KB", flush=True)


def packed(pixels):
    """Pixels in one LZ4 block."""
    return lz4.block.compress(pixels.tobytes(), mode="high_compression", compression=12, store_size=False)


@dataclass
class Frame:
    """A frame of a session that was made before: what its header says, its payload, and the truth but for its number."""

    form: int
    stated: int
    captured: int
    raw: tuple
    payload: bytes
    truth: dict


def scenes_of(session, truths):
    """The frames of each scene in a session that was made before."""
    lines = {line.pop("sequence"): line for line in map(json.loads, truths.read_text().splitlines())}
    data, offset, scenes = session.read_bytes(), 0, {}
    while offset < len(data):
        length, kind, form, stated, _, sequence, captured, *raw = struct.unpack_from(">IBBBBQQHHI", data, offset)
        if kind == FRAME:
            payload, line = data[offset + 32 : offset + 4 + length], lines[sequence]
            scenes.setdefault(line["scene"], []).append(Frame(form, stated, captured, tuple(raw), payload, line))
        offset += 4 + length
    return scenes


def main():
    """Makes the session."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--record-screen", action="store_true", help="record the screen anew")
    parser.add_argument("--preview", type=Path, help="write every rendered frame there as a PNG")
    parser.add_argument("--only", choices=SCENES, help="render this scene alone, and keep the others")
    options = parser.parse_args()
    if options.preview:
        options.preview.mkdir(parents=True, exist_ok=True)
    session, made = Session(), scenes_of(HERE / "session.gws", HERE / "session.jsonl")
    for number, (name, make) in enumerate(SCENES.items()):
        if options.only in (None, name):
            rng = np.random.default_rng([SEED, number])
            session.film(name, make(rng), rng, options.preview)
        else:
            session.keep(made[name])
        session.clock += CARRIED
    if options.record_screen:
        for pixels, words in list(screen.record()):
            height, width = pixels.shape[:2]
            told = truth(SCREEN, width, height, 1, words)
            session.add(4, BGRA_LZ4, packed(pixels), told, raw=(width, height, 0))
    else:
        session.keep(made[SCREEN])
    session.stream += message(END)
    (HERE / "session.gws").write_bytes(session.stream)
    (HERE / "session.jsonl").write_text("\n".join(session.lines) + "\n")
    print(f"{session.sequence} frames, {len(session.stream) / 1e6:.2f} MB, {session.clock / 1e6 - 1:.1f} s")


if __name__ == "__main__":
    main()
