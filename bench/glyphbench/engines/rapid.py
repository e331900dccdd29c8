"""RapidOCR, with words asked for (`return_word_box`) on one thread.

Its other settings are its defaults, but for the models' size, and for the classifier of upside-down lines: no picture
here has any, so it is off, and could only cost time. Character boxes (`return_single_char_box`) cannot be had together
with words; they are asked for in another reading, which is not timed.
"""

import logging
import os
from importlib.metadata import version
from pathlib import Path

import cv2
import numpy as np
from rapidocr import EngineType, ModelType, OCRVersion, RapidOCR

from .lines import split

SOURCES = Path(__file__).resolve().parents[3] / ".deps/sources"


class Engine:
    tells_characters = True
    reads = True
    version = version("rapidocr")

    def __init__(self, runtime, size):
        logging.disable(logging.WARNING)
        engine = EngineType(runtime)
        parameters = {
            "Global.use_cls": False,
            "Global.return_word_box": True,
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            "EngineConfig.openvino.inference_num_threads": 1,
        }
        for part in ("Det", "Rec"):
            parameters |= {
                f"{part}.engine_type": engine,
                f"{part}.model_type": ModelType(size),
                f"{part}.ocr_version": OCRVersion.PPOCRV6,
                # Those of the wheel are the same files; it carries no `tiny`, and would fetch it from the net.
                f"{part}.model_path": str(SOURCES / f"PP-OCRv6_{part.lower()}_{size}.onnx"),
            }
        self.engine = RapidOCR(params=parameters)
        self.process = os.getpid()

    def prepare(self, picture):
        return np.frombuffer(picture.bytes, np.uint8) if picture.is_jpeg else picture.bgr

    def read(self, prepared, single_characters=False):
        pixels = prepared
        if prepared.ndim == 1:
            pixels = cv2.imdecode(prepared, cv2.IMREAD_COLOR)
        return self.engine(pixels, return_word_box=True, return_single_char_box=single_characters)

    def words(self, result):
        if not len(result):
            return []
        # It tells no words at all for a picture that has a line without any.
        return pieces(result) or [
            word for quad, text in zip(result.boxes.tolist(), result.txts) for word in split(text, quad)
        ]

    def characters(self, prepared):
        """Boxes of single characters, from a reading of their own."""
        result = self.read(prepared, single_characters=True)
        return pieces(result) if len(result) else []

    def close(self):
        pass


def pieces(result):
    """The words or characters of a result that have a box."""
    return [
        {"quad": np.asarray(box).tolist(), "text": text}
        for line in result.word_results
        for text, _, box in line
        if box is not None and text.strip()
    ]
