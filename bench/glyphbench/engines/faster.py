"""faster-paddle on one thread, its settings at their defaults.

It takes files, and tells lines only, in boxes along the picture's sides: a line is split into words by their places
among its characters. It tells no characters.
"""

import os
from importlib.metadata import version

import faster_paddle

from .lines import split


class Engine:
    tells_characters = False
    reads = True
    version = version("faster-paddle")

    def __init__(self, size):
        self.engine = faster_paddle.OcrEngine(model_size=size, threads=1)
        self.process = os.getpid()

    def prepare(self, picture):
        return picture.bytes if picture.is_jpeg else picture.bmp

    def read(self, file):
        return self.engine.ocr(file)

    def words(self, result):
        words = []
        for line in result["bounds"].values():
            (left, top), (right, bottom) = line["topLeftCoord"], line["bottomRightCoord"]
            words += split(line["text"], [[left, top], [right, top], [right, bottom], [left, bottom]])
        return words

    def close(self):
        pass
