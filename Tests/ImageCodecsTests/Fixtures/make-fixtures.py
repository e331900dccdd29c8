#!/usr/bin/env python3
"""Makes the pictures of this folder: python3 make-fixtures.py

Needs Pillow, and libturbojpeg.so.0 for the kinds of JPEG that Pillow does not write. What a decoder must see is saved
beside a picture as `*.expected.png`, as Pillow decodes it.
"""

import ctypes
import os
import struct
import subprocess
import sys
from pathlib import Path

from PIL import Image, ImageDraw

HERE = Path(__file__).resolve().parent
WIDTH, HEIGHT = 52, 37  # no multiple of a block on either axis
EXIF_ORIENTATION = 0x0112
# What turns an upright picture into the stored one that the EXIF value describes.
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


def scene() -> Image.Image:
    """Gradients, three colours and a few letters, unlike itself in every mirror and turn."""
    picture = Image.new("RGB", (WIDTH, HEIGHT))
    picture.putdata([(x * 255 // WIDTH, y * 255 // HEIGHT, 128) for y in range(HEIGHT) for x in range(WIDTH)])
    draw = ImageDraw.Draw(picture)
    draw.rectangle((3, 3, 15, 12), fill=(220, 30, 20))
    draw.rectangle((18, 3, 30, 12), fill=(20, 190, 40))
    draw.rectangle((33, 3, 45, 12), fill=(20, 40, 210))
    draw.text((4, 18), "GLYPH", fill=(255, 255, 255))
    return picture


def save(name: str, data: bytes) -> None:
    (HERE / name).write_bytes(data)


def load(name: str) -> bytes:
    return (HERE / name).read_bytes()


def expect(name: str) -> None:
    """Saves how Pillow decodes the JPEG `name`."""
    picture = Image.open(HERE / name)
    picture = picture.convert("L" if picture.mode == "L" else "RGB")
    picture.save(HERE / (name.removesuffix(".jpg") + ".expected.png"), optimize=True)


# libturbojpeg, for CMYK as YCCK, for 4:4:0 and 4:1:1, and for arithmetic coding.

PIXELS_RGB, PIXELS_CMYK = 0, 11
SAMPLING = {"444": 0, "422": 1, "420": 2, "gray": 3, "440": 4, "411": 5}


def turbojpeg(picture: Image.Image, sampling: str) -> bytes:
    library = ctypes.CDLL("libturbojpeg.so.0")
    library.tjInitCompress.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(library.tjInitCompress())
    jpeg, size = ctypes.c_void_p(), ctypes.c_ulong()
    pixels = picture.tobytes()
    if picture.mode == "CMYK":  # inverted, as every program stores it
        pixels = bytes(255 - value for value in pixels)
    status = library.tjCompress2(
        handle, pixels, picture.width, 0, picture.height, PIXELS_CMYK if picture.mode == "CMYK" else PIXELS_RGB,
        ctypes.byref(jpeg), ctypes.byref(size), SAMPLING[sampling], 90, 0,
    )
    assert status == 0
    return ctypes.string_at(jpeg, size.value)


def arithmetic(picture: Image.Image) -> bytes:
    """The library reads this wish from the environment of the process, so a process of its own has it."""
    code = (
        "import importlib.util, sys; from PIL import Image\n"
        "spec = importlib.util.spec_from_file_location('fixtures', sys.argv[1])\n"
        "fixtures = importlib.util.module_from_spec(spec); spec.loader.exec_module(fixtures)\n"
        "sys.stdout.buffer.write(fixtures.turbojpeg(fixtures.scene(), '420'))"
    )
    environment = {**os.environ, "TJ_ARITHMETIC": "1"}
    return subprocess.run(
        [sys.executable, "-c", code, __file__], env=environment, check=True, capture_output=True
    ).stdout


# JPEGs by hand, for what no encoder writes.

SOI, EOI = b"\xff\xd8", b"\xff\xd9"


def segment(marker: int, body: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def segments(jpeg: bytes):
    """The marker, start and end of each segment up to the first scan's data."""
    offset = 2
    while True:
        marker, length = jpeg[offset + 1], struct.unpack(">H", jpeg[offset + 2:offset + 4])[0]
        yield marker, offset, offset + 2 + length
        if marker == 0xDA:
            return
        offset += 2 + length


def find(jpeg: bytes, wanted: int) -> tuple[int, int]:
    return next((start, end) for marker, start, end in segments(jpeg) if marker == wanted)


def patched(jpeg: bytes, offset: int, replacement: bytes) -> bytes:
    return jpeg[:offset] + replacement + jpeg[offset + len(replacement):]


def without(jpeg: bytes, unwanted: int) -> bytes:
    result, rest = SOI, 2
    for marker, start, end in segments(jpeg):
        result += b"" if marker == unwanted else jpeg[start:end]
        rest = end
    return result + jpeg[rest:]


def many_scans(count: int) -> bytes:
    """A gray progressive picture of 16 x 16 pixels that is refined bit by bit, each scan saying that nothing changes."""
    jpeg = SOI + segment(0xDB, b"\0" + bytes([1] * 64))
    jpeg += segment(0xC2, struct.pack(">BHHB", 8, 16, 16, 1) + bytes([1, 0x11, 0]))
    one_code = bytes([1] + [0] * 15)
    jpeg += segment(0xC4, b"\x00" + one_code + b"\x00") + segment(0xC4, b"\x10" + one_code + b"\xe0")
    jpeg += segment(0xDA, bytes([1, 1, 0x00, 0, 0, 0])) + b"\x0f"
    passes = [(band, bit) for band in range(1, 64) for bit in range(13, -1, -1)]
    for band, bit in passes[:count - 1]:
        earlier = 0 if bit == 13 else bit + 1
        jpeg += segment(0xDA, bytes([1, 1, 0x00, band, band, earlier << 4 | bit])) + b"\x7f\xff\x00"
    return jpeg + EOI


def other_formats(picture: Image.Image) -> None:
    """The same scene as WebP, GIF, TIFF and BMP; lossless where the name does not say otherwise."""
    gray, red = picture.convert("L"), Image.new("RGB", picture.size, (200, 0, 0))
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = 6
    translucent = picture.copy()
    translucent.putalpha(Image.linear_gradient("L").resize((WIDTH, HEIGHT)))
    palette = picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=16)

    picture.save(HERE / "colour.webp", lossless=True)
    picture.save(HERE / "lossy.webp", quality=90)
    translucent.save(HERE / "alpha.webp", lossless=True, exact=True)
    picture.save(HERE / "exif-6.webp", lossless=True, exif=exif)
    picture.save(HERE / "animated.webp", lossless=True, save_all=True, append_images=[red])

    palette.save(HERE / "palette.gif", interlace=0)
    palette.save(HERE / "interlaced.gif", interlace=1)
    palette.save(HERE / "palette-clear.gif", transparency=palette.getpixel((0, 0)))
    palette.save(HERE / "animated.gif", save_all=True, append_images=[red.convert("P")])

    for name, options in {
        "colour": {"compression": "tiff_lzw"},
        "deflate": {"compression": "tiff_adobe_deflate"},
        "strips": {"compression": "packbits", "strip_size": WIDTH * 3 * 8},
        "big": {"big_tiff": True},
        "lossy": {"compression": "jpeg", "quality": 90},
    }.items():
        picture.save(HERE / f"{name}.tif", **options)
    gray.save(HERE / "gray.tif")
    gray.convert("I;16").point(lambda value: value * 257).save(HERE / "gray-16.tif")
    for name, mode in {"int-32": "I", "float-32": "F"}.items():  # as measuring devices write them; not read
        gray.convert(mode).save(HERE / f"{name}.tif", compression="tiff_lzw")
    picture.convert("1").save(HERE / "one-bit.tif", compression="group4")
    translucent.save(HERE / "alpha.tif")
    palette.save(HERE / "palette.tif")
    picture.save(HERE / "exif-6.tif", tiffinfo={EXIF_ORIENTATION: 6})
    picture.save(HERE / "two-pages.tif", compression="tiff_lzw", save_all=True, append_images=[red])

    picture.save(HERE / "colour.bmp")
    picture.convert("RGBA").save(HERE / "colour-32.bmp")
    palette.save(HERE / "palette.bmp")
    gray.save(HERE / "gray.bmp")
    picture.convert("1").save(HERE / "one-bit.bmp")


def main() -> None:
    picture = scene()

    for name, options in {
        "444": {"subsampling": 0},
        "422": {"subsampling": 1},
        "420": {"subsampling": 2},
        "progressive": {"progressive": True},
        "restarts": {"restart_marker_blocks": 2},
        "rgb": {"keep_rgb": True},
    }.items():
        picture.save(HERE / f"{name}.jpg", quality=90, **options)
    for name in ("440", "411"):
        save(f"{name}.jpg", turbojpeg(picture, name))
    picture.convert("L").save(HERE / "gray.jpg", quality=90)
    picture.convert("L").save(HERE / "gray-progressive.jpg", quality=90, progressive=True)
    picture.convert("CMYK").save(HERE / "cmyk.jpg", quality=90)
    save("cmyk-without-adobe.jpg", without(load("cmyk.jpg"), 0xEE))
    # Pillow's own conversion leaves black out; ink in all four channels shows more.
    inks = Image.merge("CMYK", [*picture.convert("CMYK").split()[:3], picture.convert("L").point(lambda v: v // 3)])
    save("ycck.jpg", turbojpeg(inks, "420"))
    for name in (
        "444", "422", "420", "440", "411", "progressive", "restarts", "rgb", "gray", "gray-progressive", "cmyk",
        "cmyk-without-adobe", "ycck",
    ):
        expect(f"{name}.jpg")
    # Motion JPEG of many cameras leaves the usual Huffman tables out.
    picture.save(HERE / "no-huffman-tables.jpg", quality=90, subsampling=2)
    save("no-huffman-tables.jpg", without(load("no-huffman-tables.jpg"), 0xC4))

    for value, operation in STORED.items():
        stored = picture if operation is None else picture.transpose(operation)
        exif = Image.Exif()
        exif[EXIF_ORIENTATION] = value
        stored.save(HERE / f"exif-{value}.jpg", quality=75, exif=exif)

    good = load("420.jpg")
    frame, _ = find(good, 0xC0)
    _, scan = find(good, 0xDA)
    size = slice(frame + 5, frame + 9)
    assert struct.unpack(">HH", good[size]) == (HEIGHT, WIDTH)
    save("bad-truncated.jpg", good[:scan + (len(good) - scan) * 3 // 4])
    save("bad-no-end.jpg", good[:-2])
    save("bad-scan-data.jpg", patched(good, scan + 40, bytes([0xAA, 0x55] * 20)))
    tables, _ = find(good, 0xC4)
    save("bad-huffman.jpg", patched(good, tables + 5, b"\xff" * 4))
    save("bad-many-scans.jpg", many_scans(600))
    save("bad-65500.jpg", patched(good, frame + 5, struct.pack(">HH", 65500, 65500)))
    save("bad-4000.jpg", patched(good, frame + 5, struct.pack(">HH", 4000, 4000)))
    save("bad-no-height.jpg", patched(good, frame + 5, b"\0\0"))
    save("bad-no-width.jpg", patched(good, frame + 7, b"\0\0"))
    save("bad-12-bit.jpg", patched(good, frame + 4, b"\x0c"))
    save("bad-lossless.jpg", patched(good, frame + 1, b"\xc3"))
    save("bad-hierarchical.jpg", patched(good, frame + 1, b"\xc5"))
    save("bad-arithmetic.jpg", arithmetic(picture))
    save("bad-two-components.jpg", SOI + segment(0xC0, bytes([8, 0, 8, 0, 8, 2, 1, 0x11, 0, 2, 0x11, 0])) + EOI)
    save("bad-two-frames.jpg", good[:frame] + good[frame:find(good, 0xC0)[1]] + good[frame:])
    save("bad-no-frame.jpg", without(good, 0xC0))

    picture.save(HERE / "colour.png")
    picture.save(HERE / "colour-clear.png", transparency=picture.getpixel((0, 0)))
    palette = picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=16)
    palette.save(HERE / "palette.png")
    palette.save(HERE / "palette-clear.png", transparency=bytes(16))
    picture.convert("L").save(HERE / "gray.png")
    picture.convert("1").save(HERE / "one-bit.png")
    gray = picture.convert("L")
    gray.save(HERE / "gray-clear.png", transparency=gray.getpixel((0, 0)))
    gray.convert("I;16").point(lambda value: value * 257).save(HERE / "gray-16.png")
    alpha = Image.linear_gradient("L").resize((WIDTH, HEIGHT))
    translucent = picture.copy()
    translucent.putalpha(alpha)
    translucent.save(HERE / "alpha.png")
    Image.merge("LA", (gray, alpha)).save(HERE / "gray-alpha.png")
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = 6
    picture.save(HERE / "exif-6.png", exif=exif)
    other_formats(picture)


if __name__ == "__main__":
    main()
