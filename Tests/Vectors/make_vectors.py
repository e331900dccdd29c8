#!/usr/bin/env python3
"""Makes the test vectors beside this file: python3 make_vectors.py

Needs numpy, pillow and lz4, and the font DejaVu Sans Bold (Debian: fonts-dejavu-core). The same versions of these give
the same bytes; a new version may pack pictures differently, which changes nothing that the vectors say.
"""
import io
import json
import re
import struct
from pathlib import Path

import lz4.block
import lz4.frame
import numpy
from PIL import Image, ImageDraw, ImageFont

HERE = Path(__file__).resolve().parent
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"

FRAME, CONFIGURE, PING, END, STATS = 1, 2, 3, 4, 5
# A type of message that no server knows, far from those that are likely to be added.
UNKNOWN = 200
JPEG, BGRA_LZ4_BLOCK, BGRA, BGRA_LZ4_FRAME, GRAY, GRAY_LZ4_BLOCK = 1, 2, 3, 4, 5, 6
INTEGER = {"$type": "integer"}


# Messages

def message(type, payload=b"", *, format=0, orientation=0, flags=0, sequence=0, captured=0, size=(0, 0), row=0):
    header = struct.pack(">BBBBQQHHI", type, format, orientation, flags, sequence, captured, *size, row)
    return struct.pack(">I", len(header) + len(payload)) + header + payload


def frame(payload, **fields):
    return message(FRAME, payload, **fields)


def configure(options=None, sequence=0):
    body = b"" if options is None else json.dumps(options).encode()
    return message(CONFIGURE, body, sequence=sequence)


def configure_every(sequence=0, **options):
    """For vectors with several frames: these come faster than they are read, and would take each other's place."""
    return configure({"delivery": "every"} | options, sequence)


# Pictures: gray arrays, black text on white

def picture(*texts, size=(192, 64)):
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for text, x, y, height in texts:
        draw.text((x, y), text, fill=0, font=ImageFont.truetype(FONT, height))
    return numpy.asarray(image)


def ink(gray, left, right):
    """The box around everything dark between two columns."""
    rows = numpy.flatnonzero((gray[:, left:right] < 128).any(axis=1))
    columns = numpy.flatnonzero((gray[:, left:right] < 128).any(axis=0)) + left
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def bgra(gray):
    """Gray as three equal colours, and a fourth byte that nobody may look at."""
    noise = numpy.arange(gray.size, dtype=numpy.uint8).reshape(gray.shape)
    return numpy.dstack([gray, gray, gray, noise & 1])


def packed(pixels, row, last=True):
    """Rows of `row` bytes; the last one's padding is optional. Padding is black, so that a reader of it would show."""
    rows = pixels.reshape(pixels.shape[0], -1)
    padded = numpy.zeros((rows.shape[0], row), numpy.uint8)
    padded[:, : rows.shape[1]] = rows
    data = padded.tobytes()
    return data if last else data[: row * (rows.shape[0] - 1) + rows.shape[1]]


def stored(upright, orientation):
    """How a camera that says `orientation` stores this upright picture."""
    return {
        1: lambda a: a,
        2: numpy.fliplr,
        3: lambda a: numpy.rot90(a, 2),
        4: numpy.flipud,
        5: lambda a: a.T,
        6: lambda a: numpy.rot90(a, 1),
        7: lambda a: numpy.rot90(a, 2).T,
        8: lambda a: numpy.rot90(a, -1),
    }[orientation](upright).copy()


def sent(x, y, orientation, width, height):
    """Where a place of the upright picture lies in the stored one of width x height."""
    return {
        1: (x, y),
        2: (width - x, y),
        3: (width - x, height - y),
        4: (x, height - y),
        5: (y, x),
        6: (y, height - x),
        7: (width - y, height - x),
        8: (width - y, x),
    }[orientation]


def jpeg(image, exif=None, **options):
    if not isinstance(image, Image.Image):
        image = Image.fromarray(image)
    data = io.BytesIO()
    if exif:
        tags = Image.Exif()
        tags[0x0112] = exif
        options["exif"] = tags
    image.save(data, "JPEG", quality=80, **options)
    return data.getvalue()


def coloured(gray):
    """Dark blue text on light yellow: each colour plane has something to say."""
    share = gray[..., None] / 255.0
    return Image.fromarray((share * (255, 250, 200) + (1 - share) * (20, 30, 120)).round().astype(numpy.uint8))


def cmyk(image):
    """The inks for a picture, black taken out of the others."""
    rgb = numpy.asarray(image).astype(float) / 255
    black = 1 - rgb.max(axis=2)
    colours = 1 - rgb / numpy.maximum(rgb.max(axis=2), 1e-6)[..., None]
    return Image.fromarray((numpy.dstack([colours, black]) * 255).round().astype(numpy.uint8), "CMYK")


def ycck_jpeg(image):
    """A JPEG whose colour inks are stored as YCbCr and marked so; Pillow itself writes plain CMYK only."""
    inks = numpy.asarray(cmyk(image))
    # YCbCr of the inks as if they were light, which is what Adobe's files hold. Pillow stores CMYK inverted, as Adobe
    # does, so planes that are to be stored as they are get handed over inverted.
    mixed = numpy.asarray(Image.fromarray(inks[..., :3], "RGB").convert("YCbCr"))
    planes = numpy.dstack([255 - mixed, inks[..., 3]])
    data = jpeg(Image.fromarray(planes, "CMYK"))
    adobe = data.index(b"Adobe\0")
    assert data[adobe + 11] == 0
    return data[: adobe + 11] + b"\2" + data[adobe + 12 :]


# Expectations

EXIT = picture(("EXIT 42", 16, 10, 36))
EXIT_WORDS = {"EXIT": ink(EXIT, 0, 112), "42": ink(EXIT, 112, 192)}
HEIGHT, WIDTH = EXIT.shape


def corners(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def near(points, within):
    return {"$near": [round(n, 4) for point in points for n in point], "within": within}


def ok(sequence=1, *, captured=0, text="EXIT 42", boxes=True, orientation=1, space="sent", size=(WIDTH, HEIGHT), **more):
    """The line that answers a frame that shows EXIT (or `text`, of which no boxes are known)."""
    width, height = size
    line = {
        "type": "result", "sequence": sequence, "captured_us": captured, "status": "ok", "width": width,
        "height": height, "orientation": orientation, "level": "fast", "coordinates": space, "text": text,
    }
    if boxes:
        words = []
        for word, box in EXIT_WORDS.items():
            points = corners(*box)
            if space == "sent":
                points = [sent(x, y, orientation, width, height) for x, y in points]
            elif space == "vision":
                points = [(x / WIDTH, 1 - y / HEIGHT) for x, y in points]
            within = 0.125 if space == "vision" else 8
            words.append({"text": word, "box": near(points, within)})
        line["lines"] = [{"text": text, "words": words}]
    return line | more


def bad(code, sequence=1, contains=None):
    """The line that answers a frame that cannot be honoured."""
    line = {"type": "result", "sequence": sequence, "status": "error", "code": code, "lines": {"$absent": True}}
    return line | {"message": {"$contains": contains} if contains else {"$type": "string"}}


def error(code, sequence=0, contains=None, fatal=False):
    """The line that answers any other message that cannot be honoured."""
    line = {"type": "error", "sequence": sequence, "code": code, "fatal": fatal}
    return line | {"message": {"$contains": contains} if contains else {"$type": "string"}}


DEFAULTS = {
    "token": {"$absent": True}, "client": {"$absent": True}, "level": "fast", "recognize": True, "characters": True,
    "coordinates": "sent", "minimumTextHeight": 0, "regionOfInterest": [0, 0, 1, 1], "languages": [], "candidates": 1,
    "delivery": "live", "deadline_ms": {"$absent": True}, "clock_offset_us": {"$absent": True},
    "temporal": True, "refresh_ms": 2000,
}


def configured(sequence=0, **options):
    window = INTEGER if options.get("delivery") == "every" else {"$absent": True}
    return {"type": "configured", "sequence": sequence, "window": window, "options": DEFAULTS | options}


def configured_every(sequence=0, **options):
    return configured(sequence, **{"delivery": "every", "temporal": False} | options)


def ended(frames, sequence=0):
    return {"type": "end", "sequence": sequence, "frames": frames}


# Vectors

vectors = {}


def vector(name, data, lines, frames=None, server=None):
    """A stream and its answers; with `frames`, an end message and its answer are put behind."""
    if frames is not None:
        data, lines = data + message(END), lines + [ended(frames)]
    assert name not in vectors
    vectors[name] = (data, ([{"server": server}] if server else []) + lines)


gray_block = lz4.block.compress(EXIT.tobytes(), store_size=False)
good = dict(format=GRAY_LZ4_BLOCK, size=(WIDTH, HEIGHT))


def good_frame(sequence=1, payload=gray_block, **fields):
    return frame(payload, sequence=sequence, **(good | fields))


def no_frame(sequence, format=GRAY_LZ4_BLOCK, **fields):
    """A frame whose header is all that anybody looks at."""
    return good_frame(sequence, b"\0", format=format, **fields)


# 0xx: every message
vector("001-end", message(END, sequence=9), [ended(0, 9)])
vector("002-ping", message(PING, sequence=5, captured=123456789),
       [{"type": "pong", "sequence": 5, "captured_us": 123456789, "received_us": INTEGER, "sent_us": INTEGER}], 0)
vector("003-configure", configure(sequence=2**64 - 1) + configure({}, 1), [configured(2**64 - 1), configured(1)], 0)
stages = {stage: {key: INTEGER for key in ("count", "p50", "p90", "p99", "max")}
          for stage in ("queue", "decode", "detect", "recognize", "total")}
tracking = ("verified", "regions", "coarse", "full", "lines")
vector("004-stats", message(STATS, sequence=3), [
    {"type": "stats", "sequence": 3,
     "connection": {"frames": dict.fromkeys(("ok", "error", "dropped", "expired"), 0), "timings_us": stages,
                    "tracking": dict.fromkeys(tracking, 0)},
     "server": {"frames": dict.fromkeys(("ok", "error", "dropped", "expired"), INTEGER), "timings_us": stages,
                "tracking": dict.fromkeys(tracking, INTEGER)}}], 0)
scores = {"detection": {"$type": "number"}, "recognition": {"$type": "number"}}
vector("009-script-and-scores", good_frame(),
       [ok(boxes=False, lines=[{"text": "EXIT 42", "script": "Latn", "scores": scores}])], 1)
vector("005-frame", good_frame(2**64 - 1, captured=2**63),
       [ok(2**64 - 1, captured=2**63, timings_us={stage: INTEGER for stage in stages})], 1)
vector("006-all-in-order",
       configure_every(1, client="vectors") + good_frame(2) + message(PING, sequence=3) + good_frame(2, format=9)
       + message(STATS, sequence=4) + good_frame(5) + message(UNKNOWN, sequence=6),
       [configured_every(1, client="vectors"), ok(2), {"type": "pong", "sequence": 3}, bad("unknown_format", 2),
        {"type": "stats", "sequence": 4, "connection": {"frames": {"ok": 1, "error": 1, "dropped": 0}}}, ok(5),
        error("unknown_type", 6)], 3)
vector("007-nothing-counts-after-end", message(END) + message(PING), [ended(0)])
vector("008-ignored-payload", message(PING, b"whatever", sequence=1) + message(STATS, b"it is"),
       [{"type": "pong", "sequence": 1}, {"type": "stats"}], 0)

# 1xx: every format
colour = coloured(EXIT)
for number, name, data in [
    (101, "jpeg-420", jpeg(colour, subsampling="4:2:0")),
    (102, "jpeg-422", jpeg(colour, subsampling="4:2:2")),
    (103, "jpeg-444", jpeg(colour, subsampling="4:4:4")),
    (104, "jpeg-gray", jpeg(EXIT)),
    (105, "jpeg-progressive", jpeg(colour, progressive=True)),
    (106, "jpeg-cmyk", jpeg(cmyk(colour))),
    (107, "jpeg-ycck", ycck_jpeg(colour)),
]:
    vector(f"{number}-{name}", frame(data, format=JPEG, sequence=number), [ok(number)], 1)
vector("108-jpeg-with-its-size", frame(jpeg(EXIT), format=JPEG, sequence=1, size=(WIDTH, HEIGHT)), [ok()], 1)



def no_pixel_changed(data):
    """A JPEG as devices send it, which every decoder reads as the regular one, with the warnings that it costs."""
    start, scan = data.index(b"\xff\xdb"), data.index(b"\xff\xda")
    scan += 2 + struct.unpack_from(">H", data, scan + 2)[0]
    strays = data[:scan] + re.sub(rb"(?=\xff[\xd0-\xd7])", bytes(range(1, 41)), data[scan:])
    tables = data.index(b"\xff\xc4")
    codes = lambda *codes: {"warnings": [{"code": code, "row": {"$absent": True}} for code in codes]}
    yield strays, codes("jpeg_stray_bytes")
    yield data[:start] + b"\0" + data[start:], codes("jpeg_stray_bytes")
    yield b"\r\n" + data, codes("jpeg_stray_bytes")
    yield data[:-2], codes("jpeg_no_end")
    yield data[:-2] + bytes(500), codes("jpeg_no_end")
    yield data[:-2] + data, codes("jpeg_no_end")
    yield data[:tables] + data[data.index(b"\xff\xdd"):], codes("jpeg_no_tables")
    yield data.replace(b"JFIF\0\1", b"JFIF\0\2"), codes("jpeg_odd_header")
    yield data + data, {"warnings": {"$absent": True}}
    yield data[:2] + b"\xff" * 8 + data[2:], {"warnings": {"$absent": True}}


irregular = list(no_pixel_changed(jpeg(colour, subsampling="4:2:0", restart_marker_blocks=12)))
vector("109-jpeg-irregular",
       configure_every() + b"".join(frame(data, format=JPEG, sequence=n) for n, (data, _) in enumerate(irregular)),
       [configured_every()] + [ok(n, **warnings) for n, (_, warnings) in enumerate(irregular)], len(irregular))

pixels = bgra(EXIT)
tight, wide = WIDTH * 4, WIDTH * 4 + 52
size = dict(size=(WIDTH, HEIGHT), sequence=1)
block = lambda data: lz4.block.compress(data, store_size=False)
vector("111-bgra-lz4-block", frame(block(packed(pixels, tight)), format=BGRA_LZ4_BLOCK, **size), [ok()], 1)
vector("112-bgra-lz4-block-padded", configure_every()
       + frame(block(packed(pixels, wide)), format=BGRA_LZ4_BLOCK, row=wide, **size)
       + frame(block(packed(pixels, wide, last=False)), format=BGRA_LZ4_BLOCK, row=wide, **size),
       [configured_every(), ok(), ok()], 2)
short = picture(("EXIT", 10, 5, 24), size=(88, 38))
short_lines = [{"text": "EXIT", "words": [{"text": "EXIT", "box": near(corners(*ink(short, 0, 88)), 8)}]}]
for number, name, data, format, row in [
    (113, "bgra", packed(bgra(short), 352), BGRA, 0),
    (114, "bgra-padded", packed(bgra(short), 376), BGRA, 376),
    (121, "gray", packed(short, 88), GRAY, 0),
    (122, "gray-padded", packed(short, 91), GRAY, 91),
    (125, "gray-padded-but-for-the-last-row", packed(short, 91, last=False), GRAY, 91),
]:
    vector(f"{number}-{name}", frame(data, format=format, row=row, size=(88, 38), sequence=1),
           [ok(text="EXIT", boxes=False, size=(88, 38), lines=short_lines)], 1)
vector("115-bgra-lz4-frame", frame(lz4.frame.compress(packed(pixels, tight)), format=BGRA_LZ4_FRAME, **size), [ok()], 1)
vector("116-bgra-lz4-frame-padded",
       configure_every() + frame(lz4.frame.compress(packed(pixels, wide)), format=BGRA_LZ4_FRAME, row=wide, **size)
       + frame(lz4.frame.compress(packed(pixels, wide, last=False)), format=BGRA_LZ4_FRAME, row=wide, **size),
       [configured_every(), ok(), ok()], 2)
many = dict(block_size=lz4.frame.BLOCKSIZE_MAX64KB, content_checksum=True, block_checksum=True)
twice = numpy.vstack([EXIT, numpy.full_like(EXIT, 255)])
vector("117-bgra-lz4-frame-of-blocks", configure_every() + b"".join(
    frame(lz4.frame.compress(bgra(twice).tobytes(), block_linked=linked, store_size=stores, **many),
          format=BGRA_LZ4_FRAME, size=(WIDTH, 2 * HEIGHT), sequence=1)
    for linked, stores in ((True, False), (False, True))), [configured_every()] + [ok(size=(WIDTH, 2 * HEIGHT))] * 2, 2)
vector("123-gray-lz4-block", good_frame(), [ok()], 1)
vector("124-gray-lz4-block-padded", frame(block(packed(EXIT, WIDTH + 3)), row=WIDTH + 3, sequence=1, **good), [ok()], 1)
vector("131-flags-that-may-be-ignored", good_frame(1, flags=0x0F), [ok()], 1)

# 2xx: every orientation, from the header and from EXIF
for orientation in range(1, 9):
    turned = stored(EXIT, orientation)
    shape = (turned.shape[1], turned.shape[0])
    body = block(turned.tobytes())
    said = dict(format=GRAY_LZ4_BLOCK, orientation=orientation, size=shape, sequence=orientation)
    vector(f"20{orientation}-orientation-{orientation}",
           configure_every() + frame(body, **said) + configure_every(coordinates="upright") + frame(body, **said)
           + configure_every(coordinates="vision") + frame(body, **said),
           [configured_every(), ok(orientation, orientation=orientation, size=shape),
            configured_every(coordinates="upright"),
            ok(orientation, orientation=orientation, size=shape, space="upright"),
            configured_every(coordinates="vision"),
            ok(orientation, orientation=orientation, size=shape, space="vision")], 3)
    vector(f"21{orientation}-exif-{orientation}",
           frame(jpeg(turned, exif=orientation), format=JPEG, sequence=orientation),
           [ok(orientation, orientation=orientation, size=shape)], 1)
vector("221-the-header-overrules-exif",
       configure_every() + frame(jpeg(EXIT, exif=3), format=JPEG, orientation=1, sequence=1)
       + frame(jpeg(stored(EXIT, 6), exif=1), format=JPEG, orientation=6, sequence=2),
       [configured_every(), ok(1), ok(2, orientation=6, size=(HEIGHT, WIDTH))], 2)
vector("222-orientation-0-without-exif", configure_every() + frame(jpeg(EXIT), format=JPEG, sequence=1) + good_frame(2),
       [configured_every(), ok(1), ok(2)], 2)

# 3xx: every option
vector("301-level",
       configure_every(1, level="accurate") + good_frame(2) + configure_every(3, level="fast") + good_frame(4),
       [configured_every(1, level="accurate"), ok(2, level="accurate"), configured_every(3), ok(4)], 2)
vector("302-recognize", configure({"recognize": False}) + good_frame(),
       [configured(recognize=False), ok(text="", boxes=False, lines=[{
           "text": "", "script": {"$absent": True},
           "scores": {"detection": {"$type": "number"}, "recognition": {"$absent": True}}, "box": near(corners(EXIT_WORDS["EXIT"][0], EXIT_WORDS["EXIT"][1], *EXIT_WORDS["42"][2:]), 12)}])], 1)
everything = [{"words": [{"text": word, "characters": [{"text": letter} for letter in word]} for word in EXIT_WORDS]}]
nothing = [{"words": [{"text": word, "characters": {"$absent": True}} for word in EXIT_WORDS]}]
vector("303-characters", configure_every() + good_frame(1) + configure_every(characters=False) + good_frame(2),
       [configured_every(), ok(1, lines=everything), configured_every(characters=False), ok(2, lines=nothing)], 2)
vector("304-coordinates", configure({"coordinates": "vision"}) + good_frame(),
       [configured(coordinates="vision"), ok(space="vision")], 1)
small = picture(("EXIT 42", 16, 8, 48), ("mind the step", 18, 78, 16), size=(240, 104))
both = frame(block(small.tobytes()), format=GRAY_LZ4_BLOCK, size=(240, 104), sequence=1)
vector("305-minimumTextHeight", configure_every() + both + configure_every(minimumTextHeight=0.25) + both,
       [configured_every(), ok(text="EXIT 42\nmind the step", boxes=False, size=(240, 104)),
        configured_every(minimumTextHeight=0.25),
        ok(boxes=False, size=(240, 104))], 2)
signs = picture(("LEFT", 20, 20, 32), ("RIGHT", 220, 20, 32), ("BELOW", 120, 100, 32), size=(360, 160))
signs_frame = frame(block(signs.tobytes()), format=GRAY_LZ4_BLOCK, size=(360, 160), sequence=1)
vector("306-regionOfInterest",
       configure_every(regionOfInterest=[0.5, 0, 0.5, 0.5]) + signs_frame
       + configure_every(regionOfInterest=[0, 0, 1, 0.5], coordinates="vision") + signs_frame,
       [configured_every(regionOfInterest=[0.5, 0, 0.5, 0.5]), ok(text="RIGHT", boxes=False, size=(360, 160)),
        configured_every(regionOfInterest=[0, 0, 1, 0.5], coordinates="vision"),
        ok(text="BELOW", boxes=False, size=(360, 160), space="vision")], 2)
vector("307-languages", configure({"languages": ["en"]}) + good_frame(), [configured(languages=["en"]), ok()], 1)
vector("308-candidates", configure_every() + good_frame(1) + configure_every(candidates=3) + good_frame(2),
       [configured_every(), ok(1, lines=[{"candidates": {"$absent": True}}]), configured_every(candidates=3),
        ok(2, lines=[{"candidates": {"$prefix": [{"text": "EXIT 42", "confidence": {"$type": "number"}}]}}])], 2)
vector("309-client", configure({"client": "Tür 7 \"Süd\""}), [configured(client="Tür 7 \"Süd\"")], 0)
vector("310-token-that-nobody-asked-for", configure({"token": "open sesame"}), [configured()], 0)
vector("311-a-configure-replaces-the-last",
       configure({"level": "accurate", "candidates": 2}, 1) + configure({"characters": False}, 2),
       [configured(1, level="accurate", candidates=2), configured(2, characters=False)], 0)
vector("312-delivery-every", configure_every(1) + b"".join(good_frame(sequence) for sequence in range(2, 14)),
       [configured_every(1)] + [ok(sequence) for sequence in range(2, 14)], 12)
vector("313-delivery-live", configure_every(1) + configure({"delivery": "live"}, 2) + good_frame(3),
       [configured_every(1), configured(2), ok(3)], 1)
# Captured in 1970 by a clock that agrees with the server's: as old as that on its arrival already.
old = {"clock_offset_us": 0, "deadline_ms": 1000}
vector("314-deadline_ms", configure_every(1, **old) + good_frame(2, captured=1) + good_frame(3, captured=0)
       + message(STATS, sequence=4),
       [configured_every(1, **old),
        {"type": "result", "sequence": 2, "captured_us": 1, "status": "expired", "age_ms": INTEGER,
         "lines": {"$absent": True}, "timings_us": {stage: INTEGER for stage in stages}},
        ok(3, captured=0, age_ms={"$absent": True}),
        {"type": "stats", "sequence": 4, "connection": {"frames": {"ok": 1, "error": 0, "expired": 1}}}], 2)
vector("315-clock_offset_us",
       configure({"clock_offset_us": -2**53}, 1) + configure_every(2, clock_offset_us=0) + good_frame(3, captured=1)
       + good_frame(4, captured=0) + good_frame(5, format=9, captured=1),
       [configured(1, clock_offset_us=-2**53), configured_every(2, clock_offset_us=0),
        ok(3, captured=1, age_ms=INTEGER), ok(4, captured=0, age_ms={"$absent": True}),
        bad("unknown_format", 5) | {"age_ms": INTEGER}], 3)
# The same picture three times, and one without text.
blank_block = block(numpy.full_like(EXIT, 255).tobytes())
blank = good_frame(5, blank_block)
kept = [{"state": {"$type": "string"}, "words": [{"text": "EXIT", "id": INTEGER}, {"text": "42", "id": INTEGER}]}]
vector("316-temporal",
       configure_every(1, temporal=True) + b"".join(good_frame(sequence) for sequence in (2, 3, 4)) + blank
       + configure_every(6) + good_frame(7),
       [configured_every(1, temporal=True),
        ok(2, lines=[{"state": "new", "words": kept[0]["words"]}], reused={"$absent": True}, lost={"$absent": True}),
        ok(3, lines=kept, lost={"$absent": True}), ok(4, lines=kept, lost={"$absent": True}),
        ok(5, text="", boxes=False, lines=[], lost=[INTEGER, INTEGER]), configured_every(6),
        ok(7, lines=[{"state": {"$absent": True}, "words": [{"id": {"$absent": True}}] * 2}])], 5)
vector("317-refresh_ms", configure({"refresh_ms": 500}, 1) + configure({"temporal": False}, 2) + good_frame(3),
       [configured(1, refresh_ms=500), configured(2, temporal=False), ok(3, lines=[{"state": {"$absent": True}}])], 1)

def match(pattern, text, words, first, last):
    """Something found in the one line of EXIT, between the columns of its letters."""
    return {"pattern": pattern, "text": text, "line": 0, "words": words, "box": near(corners(*ink(EXIT, first, last)), 8)}


# The letters of EXIT, and where each begins and ends.
starts = [int(c) for c in numpy.flatnonzero(numpy.diff((EXIT < 128).any(axis=0).astype(int)) == 1)]
patterns = ["exit", "/[A-Z]T 4/", "/\\d/", "ext", "EXIT 4"]
found = [match(0, "EXIT", [0], 0, 112), match(1, "IT 4", [0, 1], starts[2], starts[5]),
         match(2, "4", [1], 112, starts[5]), match(2, "2", [1], starts[5], WIDTH)]
vector("318-find",
       configure_every(1, find=patterns, characters=False) + good_frame(2) + configure_every(3, find=["nowhere"])
       + good_frame(4) + configure_every(5) + good_frame(6),
       [configured_every(1, find=patterns, characters=False), ok(2, lines=nothing, matches=found),
        configured_every(3, find=["nowhere"]), ok(4, lines=everything, matches=[]), configured_every(5, find=[]),
        ok(6, matches={"$absent": True})], 3)
words = ["EXIT", "42", "Übergang"]
vector("319-customWords",
       configure_every(1, customWords=words) + good_frame(2) + configure_every(3, customWords=[]) + good_frame(4),
       [configured_every(1, customWords=words), ok(2), configured_every(3, customWords=[]), ok(4)], 2)
# Stored lying on each side while the header says that it stands.
turned = {1: EXIT, 3: stored(EXIT, 3), 6: stored(EXIT, 6), 8: stored(EXIT, 8)}
sizes = {orientation: (gray.shape[1], gray.shape[0]) for orientation, gray in turned.items()}
vector("320-upright",
       configure_every(1, upright="auto", coordinates="upright")
       + b"".join(frame(block(gray.tobytes()), format=GRAY_LZ4_BLOCK, orientation=1, size=sizes[o], sequence=o)
                  for o, gray in turned.items())
       + configure_every(9, upright="given") + good_frame(10),
       [configured_every(1, upright="auto", coordinates="upright")]
       + [ok(o, orientation=o, size=sizes[o], space="upright") for o in turned]
       + [configured_every(9, upright="given"), ok(10)], 5)
two = picture(("EXIT 42", 16, 10, 36), ("GATE 27", 16, 106, 36), size=(WIDTH, 160))
damaged = jpeg(two, restart_marker_rows=1)
# Rows of blocks 12 and on are lost: those of the second line. Of the last frame not even the first one is whole.
damaged = damaged[:[match.start() for match in re.finditer(rb"\xff[\xd0-\xd7]", damaged)][11]] + b"\xff\xd9"
vector("321-damaged",
       configure_every(1, damaged="read") + frame(damaged, format=JPEG, sequence=2) + configure_every(3, damaged="refuse")
       + frame(damaged, format=JPEG, sequence=4) + configure_every(5, damaged="read")
       + frame(damaged[:damaged.index(b"\xff\xda") + 20], format=JPEG, sequence=6),
       [configured_every(1, damaged="read"),
        ok(2, size=(WIDTH, 160), warnings=[{"code": "jpeg_damaged", "row": 88}]), configured_every(3, damaged="refuse"),
        bad("jpeg_corrupt", 4), configured_every(5, damaged="read"), bad("jpeg_corrupt", 6)], 3)
vector("322-characterSet",
       configure_every(1, characterSet="0-9", find=["/\\D/"]) + good_frame(2) + configure_every(3, characterSet="A-Z", find=["/\\d/"])
       + good_frame(4) + configure_every(5, characterSet="") + good_frame(6),
       [configured_every(1, characterSet="0-9"), ok(2, text="42", boxes=False, matches=[]),
        configured_every(3, characterSet="A-Z"), ok(4, text="EXIT", boxes=False, matches=[]), configured_every(5, characterSet=""), ok(6)], 3)
absent = {"$absent": True}
changed = dict(text=absent, lines=absent, matches=absent, lost=absent)


def change(type, text="EXIT 42", **members):
    return {"type": type, "id": INTEGER, "text": text, "box": near(corners(*ink(EXIT, 0, WIDTH)), 8)} | members


vector("323-report",
       configure_every(1, report="changes") + good_frame(2) + good_frame(3) + good_frame(4, blank_block)
       + configure_every(5, report="changes", find=["exit"]) + good_frame(6) + configure_every(7) + good_frame(8)
       + configure({"report": "changes", "temporal": False}, 9),
       [configured_every(1, report="changes", temporal=True),
        ok(2, boxes=False, **changed | {"changes": [change("appeared", previous=absent)]}),
        ok(3, boxes=False, reused=True, **changed | {"changes": []}),
        ok(4, boxes=False, **changed | {"changes": [change("lost")]}),
        configured_every(5, report="changes", temporal=True, find=["exit"]),
        ok(6, boxes=False, **changed | {"changes": [
            {"type": "appeared", "text": "EXIT", "pattern": 0, "confidence": absent}]}),
        configured_every(7, report="all"), ok(8, changes=absent),
        error("bad_option", 9, '"temporal":false')], 5)
cyrillic = jpeg(picture(("EXIT 42", 16, 10, 36), ("ПЛАТФОРМА", 16, 106, 36), ("Следующий", 16, 186, 36), size=(384, 256)))
unread = [{"text": "", "script": "Cyrl", "reason": "script_unavailable"}] * 2
# Where no language of the script is expected, it does not matter what a server has installed to read it.
expected = {"languages": ["en"]}
vector("324-unreadable",
       configure_every(1, **expected) + frame(cyrillic, format=JPEG, sequence=2) + configure_every(3, unreadable="omit", **expected) + frame(cyrillic, format=JPEG, sequence=4)
       + configure_every(5, unreadable="report", recognize=False) + configure_every(6, unreadable="report") + good_frame(7),
       [configured_every(1, unreadable="report", **expected),
        ok(2, boxes=False, size=(384, 256), lines=[{"text": "EXIT 42", "reason": {"$absent": True}}] + unread),
        configured_every(3, unreadable="omit", **expected), ok(4, boxes=False, size=(384, 256), lines=[{"text": "EXIT 42"}]),
        configured_every(5, unreadable="report", recognize=False), configured_every(6, unreadable="report"), ok(7)], 3)
left, right = ({"name": name, "regionOfInterest": [x, 0, 0.5, 0.5]} for name, x in (("left", 0), ("right", 0.5)))
below = {"name": "below", "polygon": [0, 1, 1, 1, 1, 0.55, 0, 0.55]}
whole_regions = [{"find": [], "characterSet": "", "minimumTextHeight": 0} | region for region in (right, below)]
low = {"name": "low", "regionOfInterest": [0, 0, 1, 0.5]}
# A region at a time is changed, and the words of the other keep their ids.
kept = [{"text": "RIGHT", "region": "right", "words": [{"id": 2}]}]
vector("325-regions",
       configure_every(1, regions=[right, below]) + signs_frame
       + configure_every(2, regions=[left | {"characterSet": "0-9"}, right | {"find": ["/I.H/"]}]) + signs_frame
       + configure_every(3, regions=[left, right], temporal=True) + signs_frame
       + configure_every(4, regions=[left | {"minimumTextHeight": 0.9}, right], temporal=True) + signs_frame
       + configure_every(5, regions=[low], coordinates="vision", report="changes") + signs_frame
       + configure_every(6) + good_frame(6),
       [configured_every(1, regions=whole_regions),
        ok(text="RIGHT\nBELOW", boxes=False, size=(360, 160), lines=[{"region": "right"}, {"region": "below"}]),
        configured_every(2), ok(text="RIGHT", boxes=False, size=(360, 160), lines=[{"region": "right"}],
                                matches=[{"pattern": 0, "text": "IGH", "line": 0, "region": "right"}]),
        configured_every(3, temporal=True),
        ok(text="LEFT\nRIGHT", boxes=False, size=(360, 160),
           lines=[{"region": "left", "state": "new", "words": [{"id": 1}]},
                  {"region": "right", "state": "new", "words": [{"id": 2}]}]),
        configured_every(4, temporal=True),
        ok(text="RIGHT", boxes=False, size=(360, 160), lines=kept, lost=[1]),
        configured_every(5, regions=[low], coordinates="vision", report="changes", temporal=True),
        ok(space="vision", size=(360, 160), boxes=False,
           **changed | {"changes": [{"type": "appeared", "text": "BELOW", "region": "low"}]}),
        configured_every(6, regions=[]), ok(6)], 6)
vector("326-languageCorrection",
       configure_every(1, languageCorrection=False) + good_frame(2) + configure_every(3) + good_frame(4),
       [configured_every(1, languageCorrection=False), ok(2), configured_every(3, languageCorrection=True), ok(4)], 2)

# 4xx: every way in which configure can fail
vector("401-unknown_option", configure({"levle": "fast"}, 1) + configure({"text": True}, 2),
       [error("unknown_option", 1, '"levle"'), error("unknown_option", 2, '"text"')], 0)
wrong = [
    ("token", 7, "string"), ("token", "", "string"), ("client", "", "1...64"), ("client", "a\nb", "1...64"),
    ("level", "turbo", '"turbo"'), ("recognize", 1, "true or false"), ("characters", "no", "true or false"),
    ("coordinates", "pixels", '"pixels"'), ("minimumTextHeight", 1.5, "0...1"), ("minimumTextHeight", -1, "0...1"),
    ("regionOfInterest", [0, 0, 1], "fractions"), ("regionOfInterest", [0, 0, 0, 1], "fractions"),
    ("regionOfInterest", [0.5, 0, 0.75, 1], "fractions"), ("languages", "en", "BCP 47"),
    ("languages", ["en_US"], "BCP 47"), ("candidates", 0, "1...10"), ("candidates", 11, "1...10"),
    ("candidates", 1.5, "1...10"), ("candidates", None, "1...10"), ("delivery", "all", '"live" or "every"'),
    ("deadline_ms", 0, "1...3600000"), ("deadline_ms", None, "1...3600000"), ("clock_offset_us", 0.5, "whole number"),
    ("clock_offset_us", 2**54, "whole number"), ("temporal", "no", "true or false"), ("refresh_ms", 0, "1...3600000"),
    ("find", "EXIT", "array of at most 32"), ("find", ["x"] * 33, "array of at most 32"), ("find", [""], "nothing in it"),
    ("find", ["/a(b/"], "does not close"), ("find", ["ok", "/(a)\\1/"], "escapes"), ("find", ["x" * 257], "256 characters"),
    ("customWords", "EXIT", "at most 1000"), ("customWords", ["EXIT 42"], "without spaces"), ("customWords", [""], "1...64"),
    ("customWords", ["x"] * 1001, "at most 1000"),
    ("characterSet", "9-0", "0-9."), ("characterSet", ["0-9"], "0-9."), ("characterSet", "x" * 257, "at most 256"),
    ("languageCorrection", "no", "true or false"), ("languageCorrection", 0, "true or false"),
    ("unreadable", "guess", '"report" or "omit"'), ("unreadable", False, '"report" or "omit"'),
    ("report", "new", '"all" or "changes"'), ("upright", "left", '"given" or "auto"'), ("upright", True, '"given" or "auto"'),
    ("regions", {"name": "a"}, "at most 16"), ("regions", [7], "regions[0]"), ("regions", [{"name": "a"}], "polygon"),
    ("regions", [{"name": "", "regionOfInterest": [0, 0, 1, 1]}], "1...64"),
    ("regions", [{"name": "a", "regionOfInterest": [0, 0, 1]}], "fractions"),
    ("regions", [{"name": "a", "polygon": [0, 0, 0.5, 0, 1, 0]}], "corners"),
    ("regions", [{"name": "a", "polygon": [0, 0, 1, 0, 1, 1, 0]}], "corners"),
    ("regions", [{"name": "a", "regionOfInterest": [0, 0, 1, 1], "polygon": [0, 0, 1, 0, 1, 1]}], "polygon"),
    ("regions", [{"name": "a", "regionOfInterest": [0, 0, 1, 1], "characterSet": "9-0"}], "0-9."),
    ("regions", [{"name": "a", "regionOfInterest": [0, 0, 1, 1]}] * 2, "of its own"),
    ("regions", [{"name": name, "regionOfInterest": [0, 0, 1, 1]} for name in "abc"], "at most 2 times"),
    ("damaged", "repair", '"refuse" or "read"'), ("damaged", True, '"refuse" or "read"'),
]
wrong = [({name: value}, contains) for name, value, contains in wrong]
wrong += [({"recognize": False, "find": ["EXIT"]}, '"find"'), ({"recognize": False, "report": "changes"}, '"report"')]
vector("402-bad_option", b"".join(configure(options, i) for i, (options, _) in enumerate(wrong)),
       [error("bad_option", i, contains) for i, (_, contains) in enumerate(wrong)], 0)
broken = [b"[]", b"7", b"{", b"{} {}", b'{"level":"fast",}', b'{"level":"fast","level":"fast"}', b'{"client":"\xff"}',
          b'{"client":"\\ud800"}', b" "]
vector("403-bad_configuration", b"".join(message(CONFIGURE, body, sequence=i) for i, body in enumerate(broken)),
       [error("bad_configuration", i) for i in range(len(broken))], 0)
vector("404-a-bad-configure-changes-nothing",
       configure({"coordinates": "upright"}, 1) + configure({"coordinates": "sent", "level": 7}, 2) + good_frame(3),
       [configured(1, coordinates="upright"), error("bad_option", 2), ok(3, space="upright")], 1)
vector("405-unsupported_language", configure({"languages": ["en", "tlh"]}, 1), [error("unsupported_language", 1, "tlh")], 0)
vector("406-level_unavailable", configure({"level": "accurate"}, 1), [error("level_unavailable", 1, "accurate")], 0,
       server=["--levels", "fast"])


# 5xx: every way in which a frame can fail, and the good frame after it
def after(*answers):
    """Frames that fail, each with its answer, and one that does not."""
    data, lines = b"".join(data for data, _ in answers), [line for _, line in answers]
    return configure_every() + data + good_frame(99), [configured_every()] + lines + [ok(99)], len(answers) + 1


vector("501-unknown_type", message(0, sequence=1) + message(UNKNOWN, b"?", sequence=2) + good_frame(3),
       [error("unknown_type", 1), error("unknown_type", 2), ok(3)], 1)
vector("502-unsupported_flag", good_frame(1, flags=0x10) + message(PING, flags=0x80, sequence=2) + good_frame(3),
       [bad("unsupported_flag", 1), error("unsupported_flag", 2), ok(3)], 2)
vector("503-unknown_format", *after((no_frame(1, format=0), bad("unknown_format", 1)),
                                    (no_frame(2, format=7), bad("unknown_format", 2))))
vector("504-bad_orientation", *after((no_frame(1, orientation=9), bad("bad_orientation", 1)),
                                     (no_frame(2, orientation=255), bad("bad_orientation", 2))))
vector("505-bad_dimensions", *after(
    (no_frame(1, size=(0, HEIGHT)), bad("bad_dimensions", 1)),
    (no_frame(2, size=(WIDTH, 0)), bad("bad_dimensions", 2)),
    (no_frame(3, row=WIDTH - 1), bad("bad_dimensions", 3)),
    (no_frame(4, size=(65535, 1), row=65534), bad("bad_dimensions", 4)),
    (no_frame(5, size=(1, 16384), row=2**32 - 1), bad("bad_dimensions", 5)),
    (no_frame(6, format=JPEG, size=(WIDTH, 0)), bad("bad_dimensions", 6)),
    (no_frame(7, format=JPEG, size=(0, 0), row=WIDTH), bad("bad_dimensions", 7))))
huge = jpeg(numpy.full((16, 16), 255, numpy.uint8))
start = huge.index(b"\xff\xc0") + 5
huge = huge[:start] + struct.pack(">HH", 16000, 16000) + huge[start + 4:]
vector("506-too_many_pixels", *after((no_frame(1, size=(16384, 16384)), bad("too_many_pixels", 1)),
                                     (frame(huge, format=JPEG, sequence=2), bad("too_many_pixels", 2))))
vector("507-empty_payload", *after(
    *((frame(b"", format=f, size=(WIDTH, HEIGHT) if f > 1 else (0, 0), sequence=f), bad("empty_payload", f))
      for f in range(1, 7))))
tiny = bytes(i % 7 for i in range(32 * 16))
tall = dict(size=(32, 16))
vector("508-size_mismatch", *after(
    (frame(tiny[:-1], format=GRAY, sequence=1, **tall), bad("size_mismatch", 1)),
    (frame(tiny + b"\0", format=BGRA, size=(8, 16), sequence=2), bad("size_mismatch", 2)),
    (frame(block(tiny), format=GRAY_LZ4_BLOCK, size=(32, 15), sequence=3), bad("size_mismatch", 3)),
    (frame(block(tiny), format=GRAY_LZ4_BLOCK, size=(32, 17), sequence=4), bad("size_mismatch", 4)),
    (frame(lz4.frame.compress(tiny), format=BGRA_LZ4_FRAME, size=(8, 15), sequence=5), bad("size_mismatch", 5)),
    (frame(lz4.frame.compress(tiny), format=BGRA_LZ4_FRAME, size=(8, 17), sequence=6), bad("size_mismatch", 6)),
    (frame(jpeg(EXIT), format=JPEG, size=(WIDTH, HEIGHT + 8), sequence=7), bad("size_mismatch", 7))))
whole = jpeg(EXIT)
vector("509-jpeg_corrupt", *after(
    (frame(b"not a picture", format=JPEG, sequence=1), bad("jpeg_corrupt", 1)),
    (frame(whole[: len(whole) // 2], format=JPEG, sequence=2), bad("jpeg_corrupt", 2)),
    (frame(whole[:100], format=JPEG, sequence=3), bad("jpeg_corrupt", 3)),
    (frame(b"\xff\xd8\xff\xd9", format=JPEG, sequence=4), bad("jpeg_corrupt", 4))))
place = whole.index(b"\xff\xc0")
vector("510-jpeg_unsupported", *after(
    (frame(whole[:place] + b"\xff\xc3" + whole[place + 2:], format=JPEG, sequence=1), bad("jpeg_unsupported", 1)),
    (frame(whole[:place] + b"\xff\xc9" + whole[place + 2:], format=JPEG, sequence=2), bad("jpeg_unsupported", 2)),
    (frame(whole[: place + 4] + b"\x0c" + whole[place + 5:], format=JPEG, sequence=3), bad("jpeg_unsupported", 3))))
checked = lz4.frame.compress(tiny, content_checksum=True)
noise = bytes((i * 167 + 31) % 251 for i in range(500))
vector("511-lz4_corrupt", *after(
    (frame(noise, format=GRAY_LZ4_BLOCK, sequence=1, **tall), bad("lz4_corrupt", 1)),
    (frame(block(noise)[:-1], format=GRAY_LZ4_BLOCK, size=(50, 10), sequence=2), bad("lz4_corrupt", 2)),
    (frame(b"\x1f\0\0", format=BGRA_LZ4_BLOCK, size=(7680, 4320), sequence=3), bad("lz4_corrupt", 3)),
    (frame(noise, format=BGRA_LZ4_FRAME, size=(8, 16), sequence=4), bad("lz4_corrupt", 4)),
    (frame(checked[:-6], format=BGRA_LZ4_FRAME, size=(8, 16), sequence=5), bad("lz4_corrupt", 5)),
    (frame(checked[:-1] + bytes([checked[-1] ^ 1]), format=BGRA_LZ4_FRAME, size=(8, 16), sequence=6),
     bad("lz4_corrupt", 6))))

# 6xx: what ends the connection
too_large = error("message_too_large", None, fatal=True)
too_short = error("message_too_short", None, fatal=True)
vector("601-message_too_large", good_frame() + b"\xff\xff\xff\xff", [ok(), too_large])
vector("602-message_too_large-by-one", struct.pack(">I", (64 << 20) + 1), [too_large])
vector("603-message_too_large-http", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
       [error("message_too_large", None, '"GET "', fatal=True)])
vector("604-message_too_short", struct.pack(">I", 27) + bytes(27) + good_frame(), [too_short])
vector("605-message_too_short-zero", bytes(4), [too_short])
token = ["--token-file", "token.txt"]
vector("611-auth_required", good_frame(7) + good_frame(8), [error("auth_required", 7, fatal=True)], server=token)
vector("612-auth_required-by-configure", configure({"client": "x"}, 7), [error("auth_required", 7, fatal=True)], server=token)
vector("613-auth_failed", configure({"token": "open barley"}, 7), [error("auth_failed", 7, fatal=True)], server=token)
vector("614-the-right-token", configure({"token": "open sesame"}, 7) + good_frame() + configure({}, 8),
       [configured(7), ok(), configured(8)], 1, server=token)
words = [f"word{number:04}" + "x" * 12 for number in range(900)]
vector("615-auth_required-by-length", configure({"token": "open sesame", "customWords": words}, 7),
       [error("auth_required", None, "16384", fatal=True)], server=token)

for old in HERE.glob("[0-9]*-*"):
    old.unlink()
for name, (data, lines) in vectors.items():
    (HERE / f"{name}.bin").write_bytes(data)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (HERE / f"{name}.jsonl").write_text(text, encoding="utf-8")
(HERE / "token.txt").write_text("open sesame\n")
print(f"{len(vectors)} vectors, {sum(len(data) for data, _ in vectors.values())} bytes")
