"""Tesseract 5 on one thread, through its C library: the models stay loaded, as in any program that reads many pictures.

Debian's English model (`tessdata_fast`), with two of its ways to take a picture apart: its default, which looks for the
blocks of a page, and the one that looks for words anywhere.
"""

import ctypes
import os
from ctypes import byref, c_bool, c_char_p, c_int, c_void_p
from ctypes.util import find_library

import cv2
import numpy as np

TESSDATA = "/usr/share/tesseract-ocr/5/tessdata"
SEGMENTATION = {"page": 3, "sparse": 11}
WORD, SYMBOL = 3, 4
SILENT = 6


class Engine:
    tells_characters = True
    reads = True

    def __init__(self, segmentation):
        # Read when the library is loaded.
        os.environ["OMP_THREAD_LIMIT"] = "1"
        name = find_library("tesseract")
        if name is None:
            raise RuntimeError("no libtesseract: install Debian's package tesseract-ocr")
        self.library = declared(ctypes.CDLL(name))
        self.version = self.library.TessVersion().decode()
        self.handle = self.library.TessBaseAPICreate()
        if self.library.TessBaseAPIInit3(self.handle, TESSDATA.encode(), b"eng"):
            raise RuntimeError(f"Tesseract found no English model in {TESSDATA}")
        # It and its picture library tell much about pictures on standard error.
        self.library.TessBaseAPISetVariable(self.handle, b"debug_file", b"/dev/null")
        ctypes.CDLL(find_library("lept")).setMsgSeverity(SILENT)
        self.library.TessBaseAPISetPageSegMode(self.handle, SEGMENTATION[segmentation])
        self.process = os.getpid()

    def prepare(self, picture):
        return np.frombuffer(picture.bytes, np.uint8) if picture.is_jpeg else np.asarray(picture.image)

    def read(self, prepared):
        pixels = prepared
        if prepared.ndim == 1:
            pixels = cv2.cvtColor(cv2.imdecode(prepared, cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
        height, width = pixels.shape[:2]
        depth = pixels.size // (width * height)
        library, handle = self.library, self.handle
        library.TessBaseAPISetImage(handle, pixels.ctypes.data, width, height, depth, width * depth)
        if library.TessBaseAPIRecognize(handle, None):
            raise RuntimeError("Tesseract could not read the picture")
        iterator = library.TessBaseAPIGetIterator(handle)
        if not iterator:
            return []
        words = list(self._words(iterator, library.TessResultIteratorGetPageIterator(iterator)))
        library.TessResultIteratorDelete(iterator)
        return words

    def _words(self, iterator, page):
        while True:
            if word := self._piece(iterator, page, WORD):
                yield word | {"characters": list(self._characters(iterator, page))}
            if not self.library.TessResultIteratorNext(iterator, WORD):
                return

    def _characters(self, iterator, page):
        while True:
            if character := self._piece(iterator, page, SYMBOL):
                yield character
            is_last = self.library.TessPageIteratorIsAtFinalElement(page, WORD, SYMBOL)
            if is_last or not self.library.TessResultIteratorNext(iterator, SYMBOL):
                return

    def _piece(self, iterator, page, level):
        text = self.library.TessResultIteratorGetUTF8Text(iterator, level)
        if not text:
            return None
        left, top, right, bottom = c_int(), c_int(), c_int(), c_int()
        has_box = self.library.TessPageIteratorBoundingBox(
            page, level, byref(left), byref(top), byref(right), byref(bottom)
        )
        string = ctypes.string_at(text).decode()
        self.library.TessDeleteText(text)
        if not has_box or not string.strip():
            return None
        a, b, c, d = left.value, top.value, right.value, bottom.value
        return {"quad": [[a, b], [c, b], [c, d], [a, d]], "text": string}

    def words(self, result):
        return result

    def close(self):
        self.library.TessBaseAPIDelete(self.handle)


def declared(library):
    """The library with the types of the functions that are called."""
    types = {
        "TessVersion": (c_char_p, []),
        "TessBaseAPICreate": (c_void_p, []),
        "TessBaseAPIDelete": (None, [c_void_p]),
        "TessBaseAPIInit3": (c_int, [c_void_p, c_char_p, c_char_p]),
        "TessBaseAPISetVariable": (c_bool, [c_void_p, c_char_p, c_char_p]),
        "TessBaseAPISetImage": (None, [c_void_p, c_void_p, c_int, c_int, c_int, c_int]),
        "TessBaseAPISetPageSegMode": (None, [c_void_p, c_int]),
        "TessBaseAPIRecognize": (c_int, [c_void_p, c_void_p]),
        "TessBaseAPIGetIterator": (c_void_p, [c_void_p]),
        "TessResultIteratorGetPageIterator": (c_void_p, [c_void_p]),
        "TessResultIteratorNext": (c_bool, [c_void_p, c_int]),
        "TessResultIteratorGetUTF8Text": (c_void_p, [c_void_p, c_int]),
        "TessResultIteratorDelete": (None, [c_void_p]),
        "TessPageIteratorIsAtFinalElement": (c_bool, [c_void_p, c_int, c_int]),
        "TessPageIteratorBoundingBox": (c_bool, [c_void_p, c_int] + [c_void_p] * 4),
        "TessDeleteText": (None, [c_void_p]),
    }
    for name, (result, arguments) in types.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
