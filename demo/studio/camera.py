"""A hand-held camera: where it points, what its lens, its sensor and its encoder make of a scene."""

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass
class Plane:
    """A flat picture in the scene: linear RGBA, its words, and how far behind the subject it stands (in its pixels)."""

    image: np.ndarray
    words: list
    depth: float = 0.0
    origin: tuple = (0.0, 0.0)


@dataclass
class Take:
    """How one scene is rendered; lengths are in the subject's pixels, angles in degrees."""

    width: int
    height: int
    scale: float  # frame pixels for one pixel of the subject, at its centre
    target: tuple  # what the camera points at
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    drift: tuple = (0.0, 0.0)  # how far the target wanders over the scene
    push: float = 0.0  # how much nearer the camera comes over the scene, as a fraction
    shake: float = 3.0  # of the hand, in frame pixels
    shutter: float = 0.5  # the part of the frame's time that the shutter is open
    defocus: float = 0.5  # radius in frame pixels
    hunts: bool = False  # whether the focus is found only during the scene
    gain: float = 1.0
    brightens: float = 0.0  # how much the exposure rises over the scene, in stops
    noise: float = 1.0
    warmth: float = 0.0
    vignette: float = 0.35
    distortion: float = -0.035
    quality: int = 68


def linear(encoded):
    """From what a file stores (0...1) to amounts of light."""
    return np.power(np.clip(encoded, 0, 1), 2.2, dtype=np.float32)


class Camera:
    """Renders the frames of one scene as its take says."""

    def __init__(self, take, frames, rng):
        self.take, self.frames, self.rng = take, frames, rng
        self.centre = np.array([take.width / 2, take.height / 2])
        self.focal = 1.15 * max(take.width, take.height)
        self.tremor = [self._tremor() for _ in range(5)]
        grid = np.stack(np.meshgrid(np.arange(take.width) + 0.5, np.arange(take.height) + 0.5), -1)
        radius = (((grid - self.centre) / self.focal) ** 2).sum(-1)
        corner = float((self.centre / self.focal) @ (self.centre / self.focal))
        self.falloff = (1 - take.vignette * (radius / corner) ** 1.3).astype(np.float32)[..., None]
        self.lens = self._undistorted(grid).astype(np.float32) - 0.5

    def _tremor(self):
        """A slow wander and a quicker tremble of the hand, one value at each of many moments of the scene."""
        moments = 40 * self.frames + 2
        total = np.zeros(moments)
        for width, strength in ((220, 1.4), (50, 0.35)):
            series = cv2.GaussianBlur(self.rng.standard_normal((1, moments + 8 * width)), (0, 0), width)[0]
            # White noise smoothed by a Gaussian has this spread.
            total += strength * series[4 * width : -4 * width] / np.sqrt(1 / (2 * width * np.sqrt(np.pi)))
        return total - total.mean()

    def _moment(self, frame, part):
        """The pose when `part` of the time that belongs to `frame` is over: rotation, and the camera's place."""
        take, index = self.take, int((frame + part) * 40)
        sway = [series[index] for series in self.tremor]
        time = (frame + part) / max(self.frames, 1)
        shake = take.shake / self.focal
        yaw = np.radians(take.yaw) + sway[0] * shake
        pitch = np.radians(take.pitch) + sway[1] * shake
        roll = np.radians(take.roll) + sway[2] * shake * 0.8
        turn = cv2.Rodrigues(np.array([0, 0, roll]))[0] @ cv2.Rodrigues(np.array([pitch, 0, 0]))[0]
        turn = turn @ cv2.Rodrigues(np.array([0, yaw, 0]))[0]
        distance = self.focal / take.scale * (1 - take.push * time)
        base = cv2.Rodrigues(np.array([np.radians(take.pitch), 0, 0]))[0]
        base = base @ cv2.Rodrigues(np.array([0, np.radians(take.yaw), 0]))[0]
        aim = np.array([take.target[0] + take.drift[0] * time, take.target[1] + take.drift[1] * time, 0])
        hand = np.array([sway[3], sway[4], 0]) * take.shake / take.scale * 0.6
        return turn, aim - base.T @ np.array([0, 0, distance]) + hand

    def _homography(self, plane, frame, part):
        """From the plane's pixels to the frame's, before the lens bends them."""
        turn, place = self._moment(frame, part)
        origin = np.array([plane.origin[0], plane.origin[1], plane.depth])
        columns = np.column_stack([turn[:, 0], turn[:, 1], turn @ (origin - place)])
        lens = np.array([[self.focal, 0, self.centre[0]], [0, self.focal, self.centre[1]], [0, 0, 1]])
        return lens @ columns

    def _distorted(self, points):
        offset = (points - self.centre) / self.focal
        return self.centre + offset * self.focal * (1 + self.take.distortion * (offset**2).sum(-1, keepdims=True))

    def _undistorted(self, points):
        target = (points - self.centre) / self.focal
        offset = target.copy()
        for _ in range(6):
            offset = target / (1 + self.take.distortion * (offset**2).sum(-1, keepdims=True))
        return self.centre + offset * self.focal

    def light(self, planes, frame):
        """The light that falls on the sensor during one frame: the mean of several moments of the open shutter."""
        take, moments = self.take, 9
        total = np.zeros((take.height, take.width, 3), np.float32)
        for moment in range(moments):
            seen = np.zeros_like(total)
            for plane in sorted(planes, key=lambda each: -each.depth):
                matrix = self._homography(plane, frame, take.shutter * moment / moments)
                # Pixel (0, 0) covers 0...1, while OpenCV puts its centre at 0.
                half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
                matrix = np.linalg.inv(half) @ matrix @ half
                warped = cv2.warpPerspective(plane.image, matrix, (take.width, take.height), flags=cv2.INTER_LINEAR)
                seen = seen * (1 - warped[..., 3:]) + warped[..., :3]
            total += seen
        return cv2.remap(
            total / moments, self.lens[..., 0], self.lens[..., 1], cv2.INTER_CUBIC, None, cv2.BORDER_REPLICATE
        )

    def blur(self, frame):
        """How far out of focus a frame is, as a radius in its pixels."""
        time = frame / max(self.frames - 1, 1)
        return self.take.defocus + (4.2 * np.exp(-7 * time) if self.take.hunts else 0)

    def shoot(self, planes, frame):
        """One frame as the camera hands it out: 8-bit RGB, upright."""
        take, time = self.take, frame / max(self.frames - 1, 1)
        light = self.light(planes, frame)
        light = cv2.filter2D(light, -1, disc(self.blur(frame)), borderType=cv2.BORDER_REPLICATE)
        tint = np.array([1 + 0.16 * take.warmth, 1 + 0.01 * take.warmth, 1 - 0.24 * take.warmth], np.float32)
        light = light * self.falloff * tint * (take.gain * 2 ** (take.brightens * (time - 0.5)))
        grain = self.rng.standard_normal(light.shape).astype(np.float32)
        light = light + grain * take.noise * np.sqrt(0.00011 * np.clip(light, 0, None) + 0.000004)
        # A camera smooths its noise, colour more than brightness, and then sharpens what is left.
        light = cv2.GaussianBlur(light, (0, 0), 0.55)
        encoded = np.power(np.clip(shoulder(light), 0, 1), 1 / 2.2)
        luma = encoded @ np.array([0.299, 0.587, 0.114], np.float32)
        colour = cv2.GaussianBlur(encoded - luma[..., None], (0, 0), 1.3)
        luma = luma + 0.45 * (luma - cv2.GaussianBlur(luma, (0, 0), 1.4))
        return (np.clip(luma[..., None] + colour, 0, 1) * 255 + 0.5).astype(np.uint8)

    def words(self, planes, frame):
        """The words in one frame as (text, corners) in its pixels, at the middle of the exposure."""
        found = []
        for plane in planes:
            matrix = self._homography(plane, frame, self.take.shutter * 4 / 9)
            for word in plane.words:
                corners = cv2.perspectiveTransform(word.corners[None], matrix)[0]
                found.append((word.text, self._distorted(corners)))
        return found


def shoulder(light):
    """Rolls highlights off instead of clipping them."""
    knee = 0.8
    over = np.clip(light - knee, 0, None)
    return np.where(light > knee, knee + (1 - knee) * (1 - np.exp(-over / (1 - knee))), light)


def disc(radius):
    """The blur of a lens out of focus, as a kernel with a soft rim."""
    reach = int(np.ceil(radius)) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1) + 1e-6 * (np.hypot(x, y) < 0.5)
    return (kernel / kernel.sum()).astype(np.float32)
