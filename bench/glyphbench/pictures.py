"""Pictures as the engines get them.

A JPEG that is gray or YCbCr and upright goes to every engine as the file is, and each decodes it in its own time: it
is what a camera sends. Everything else (PNG, GIF, CMYK, palettes, transparency) is decoded here, before any clock
starts, and goes to every engine as the same pixels, on white where they are transparent.
"""

from functools import cached_property
from io import BytesIO

import numpy as np
from PIL import Image

EXIF_ORIENTATION = 0x0112


class Picture:
    """One picture of a data set."""

    def __init__(self, path):
        self.path = path
        self.bytes = path.read_bytes()
        with Image.open(BytesIO(self.bytes)) as image:
            is_upright = image.getexif().get(EXIF_ORIENTATION, 1) == 1
            self.is_jpeg = image.format == "JPEG" and image.mode in ("L", "RGB") and is_upright
            self.width, self.height = image.size

    @cached_property
    def image(self):
        """The pixels, as a Pillow image that is gray or RGB."""
        with Image.open(BytesIO(self.bytes)) as image:
            if image.mode in ("L", "1"):
                return image.convert("L")
            if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
                image = image.convert("RGBA")
                paper = Image.new("RGBA", image.size, "white")
                return Image.alpha_composite(paper, image).convert("RGB")
            return image.convert("RGB")

    @cached_property
    def bgr(self):
        """The pixels as OpenCV has them: rows of blue, green, red."""
        return np.ascontiguousarray(np.asarray(self.image.convert("RGB"))[..., ::-1])

    @cached_property
    def bmp(self):
        """The pixels as a BMP file, for an engine that takes nothing but files: next to no work to decode."""
        file = BytesIO()
        self.image.save(file, "BMP")
        return file.getvalue()
