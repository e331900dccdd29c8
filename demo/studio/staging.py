"""Setting a scene: objects on their surroundings, under a light, ready to be rendered."""

from dataclasses import dataclass
from typing import Callable

import cv2
import numpy as np
from PIL import Image, ImageDraw

from . import surfaces
from .camera import Plane, Take, linear
from .typeset import Sheet


@dataclass
class Scene:
    """A scene and how its frames are sent."""

    take: Take
    frames: int
    rate: float
    planes: Callable  # of the frame's number: what stands before the camera
    orientation: int = 1
    in_exif: bool = False  # the JPEG states the orientation, the header leaves it open
    gray: bool = False  # sent as gray pixels in LZ4, as a small machine-vision camera does
    language: str | None = None  # of its words, where only a reader for their script reads them


def stand(surface, sheets=(), light=None, scale=1.0, margin=500, glow=None):
    """A plane of the scene: `surface` with sheets lying on it, each (sheet, x, y, degrees, shadow), under `light`.

    The surface goes on for `margin` pixels past its edges, the sheets do not.
    """
    height, width = surface.shape[:2]
    picture = cv2.copyMakeBorder(surface, *[margin] * 4, cv2.BORDER_REFLECT_101)
    words = []
    for sheet, x, y, degrees, shadow in sheets:
        layer = Sheet(width + 2 * margin, height + 2 * margin)
        layer.paste(sheet, x + margin, y + margin, degrees)
        pixels = np.asarray(layer.image, np.float32) / 255
        alpha = pixels[..., 3:]
        if shadow:
            cast = cv2.GaussianBlur(alpha[..., 0], (0, 0), shadow)
            cast = np.roll(cast, (int(shadow * 0.9), int(shadow * 0.6)), (0, 1))
            picture = picture * (1 - 0.62 * cast[..., None])
        picture = picture * (1 - alpha) + pixels[..., :3] * alpha
        words += layer.words
    lit = linear(picture)
    if light is not None:
        lit = lit * cv2.copyMakeBorder(light, *[margin] * 4, cv2.BORDER_REPLICATE)[..., None]
    if glow is not None:
        lit = lit + cv2.copyMakeBorder(glow, *[margin] * 4, cv2.BORDER_CONSTANT)
    return Plane(ready(np.dstack([lit, np.ones(lit.shape[:2], np.float32)]), scale), words, 0.0, (-margin, -margin))


def backdrop(picture, scale, depth, origin, margin=900):
    """A plane far behind the subject, without words, that goes on for `margin` pixels past its edges."""
    lit = cv2.copyMakeBorder(linear(picture), *[margin] * 4, cv2.BORDER_REFLECT_101)
    place = (origin[0] - margin, origin[1] - margin)
    return Plane(ready(np.dstack([lit, np.ones(lit.shape[:2], np.float32)]), scale), [], depth, place)


def cutout(sheet, scale=1.0, depth=0.0, origin=(0, 0), light=1.0):
    """A plane with only a sheet on it: what is around the sheet is seen through."""
    pixels = np.asarray(sheet.image, np.float32) / 255
    alpha = pixels[..., 3:]
    shade = light if np.isscalar(light) else light[..., None]
    return Plane(ready(np.dstack([linear(pixels[..., :3]) * alpha * shade, alpha]), scale), sheet.words, depth, origin)


def ready(pixels, scale):
    """Smooths what will be seen smaller than it is, so that it does not shimmer."""
    if scale < 0.9:
        pixels = cv2.GaussianBlur(pixels, (0, 0), 0.42 * np.sqrt(1 / scale**2 - 1))
    return np.ascontiguousarray(pixels, np.float32)


def lamp(width, height, x, y, spread, floor=0.35, peak=1.0):
    """Light that falls off from a place."""
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    distance = ((columns - x) ** 2 + (rows - y) ** 2) / spread**2
    return (floor + (peak - floor) / (1 + distance)).astype(np.float32)


def worn(sheet, rng, amount):
    """Print that has lost a little of its ink."""
    pixels = np.asarray(sheet.image).copy()
    loss = surfaces.clouds(rng, sheet.size[0], sheet.size[1], 9, 3)
    pixels[..., 3] = (pixels[..., 3] * np.clip(1.25 - amount * (loss + 1.2), 0, 1)).astype(np.uint8)
    sheet.image = Image.fromarray(pixels, "RGBA")
    sheet.draw = ImageDraw.Draw(sheet.image)
    return sheet
