"""The engines, each behind the same few calls.

An engine's module has a class `Engine` with

  tells_characters    whether it offers character boxes
  reads               whether it tells text, and not only where there is some
  version             what it calls itself
  process             the id of the process whose time and memory count
  prepare(picture)    what it is given, made before the clock starts
  read(prepared)      reads; this alone is timed
  words(result)       the result as words, after the clock has stopped: each a dictionary with `quad`, `text` where it
                      reads, and `characters` where it tells them with the words
  close()

and may have `characters(prepared)`, where they need a reading of their own, and `stages(result)`, its own times in
milliseconds. It lives in a process of its own, so that none sees another's libraries, threads or memory.
"""

from importlib import import_module

# What an engine is called: its module, how it is made, and its title.
ENGINES = {
    "glyphwire-fast": ("glyphwire", {"level": "fast"}, "Glyphwire fast"),
    "glyphwire-accurate": ("glyphwire", {"level": "accurate"}, "Glyphwire accurate"),
    "rapidocr-openvino-tiny": ("rapid", {"runtime": "openvino", "size": "tiny"}, "RapidOCR tiny, OpenVINO"),
    "rapidocr-openvino-small": ("rapid", {"runtime": "openvino", "size": "small"}, "RapidOCR small, OpenVINO"),
    "rapidocr-onnx-tiny": ("rapid", {"runtime": "onnxruntime", "size": "tiny"}, "RapidOCR tiny, ONNX Runtime"),
    "rapidocr-onnx-small": ("rapid", {"runtime": "onnxruntime", "size": "small"}, "RapidOCR small, ONNX Runtime"),
    "faster-paddle-tiny": ("faster", {"size": "tiny"}, "faster-paddle tiny"),
    "faster-paddle-small": ("faster", {"size": "small"}, "faster-paddle small"),
    "tesseract": ("tesseract", {"segmentation": "page"}, "Tesseract"),
    "tesseract-sparse": ("tesseract", {"segmentation": "sparse"}, "Tesseract, sparse text"),
}
# Measured when asked for by name.
MORE = {
    "glyphwire-boxes": ("glyphwire", {"level": "fast", "recognize": False}, "Glyphwire, boxes alone"),
}


def title(name):
    """What a reader calls the engine."""
    return (ENGINES | MORE)[name][2]


def start(name):
    """The engine called `name`, ready to read."""
    module, arguments, _ = (ENGINES | MORE)[name]
    return import_module(f".{module}", __package__).Engine(**arguments)
