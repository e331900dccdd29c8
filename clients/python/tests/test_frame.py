import tempfile
import unittest
from pathlib import Path

from glyphwire import Frame, FrameFormat, Orientation

from .support import JPEG, ROOT

try:
    import numpy
except ImportError:
    numpy = None
try:
    import cv2
except ImportError:
    cv2 = None


class FrameTests(unittest.TestCase):
    def test_a_jpeg_needs_nothing_else(self):
        frame = Frame(b"\xff\xd8...")
        self.assertEqual((frame.format, frame.width, frame.height), (FrameFormat.JPEG, 0, 0))

    def test_values_that_no_header_holds_are_refused(self):
        for wrong in ({"width": 65536}, {"orientation": -1}, {"sequence": 1 << 64}, {"bytes_per_row": 1 << 32}):
            with self.assertRaises(ValueError):
                Frame(b"x", **wrong)

    def test_any_bytes_are_counted_as_bytes(self):
        import array

        self.assertEqual(len(Frame(array.array("I", [1, 2, 3])).payload), 12)
        self.assertEqual(len(Frame(bytearray(5)).payload), 5)

    def test_a_jpeg_file_goes_as_it_is(self):
        frame = Frame.open(JPEG, orientation=Orientation.LEFT, sequence=7)
        self.assertEqual((frame.payload, frame.orientation, frame.sequence), (JPEG.read_bytes(), 8, 7))

    def test_what_is_no_picture_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "notes.txt"
            path.write_text("no picture")
            with self.assertRaisesRegex(ValueError, "notes.txt is no (JPEG; install|picture)"):
                Frame.open(path)


@unittest.skipUnless(numpy, "no numpy")
class ArrayTests(unittest.TestCase):
    def test_gray_goes_as_it_is(self):
        array = numpy.arange(12, dtype=numpy.uint8).reshape(3, 4)
        for same in (array, array[..., None]):
            frame = Frame.from_array(same, captured_us=5)
            self.assertEqual((frame.format, frame.width, frame.height, frame.captured_us), (FrameFormat.GRAY, 4, 3, 5))
            self.assertEqual(bytes(frame.payload), bytes(range(12)))

    def test_bgr_gains_a_fourth_byte(self):
        frame = Frame.from_array(numpy.array([[[1, 2, 3], [4, 5, 6]]], dtype=numpy.uint8))
        self.assertEqual((frame.format, frame.width, frame.height), (FrameFormat.BGRA, 2, 1))
        self.assertEqual(bytes(frame.payload), bytes([1, 2, 3, 255, 4, 5, 6, 255]))

    def test_parts_of_an_array_are_sent_without_what_is_around_them(self):
        array = numpy.arange(96, dtype=numpy.uint8).reshape(4, 6, 4)
        frame = Frame.from_array(array[1:3, 2:4])
        self.assertEqual(bytes(frame.payload), array[1:3, 2:4].tobytes())

    def test_a_frame_keeps_its_pixels_when_the_array_is_filled_again(self):
        array = numpy.zeros((2, 2), dtype=numpy.uint8)
        frame = Frame.from_array(array)
        array[:] = 255
        self.assertEqual(bytes(frame.payload), bytes(4))

    def test_other_arrays_are_refused_with_what_would_do(self):
        for wrong in (numpy.zeros((2, 2)), numpy.zeros((2, 2, 2), numpy.uint8), numpy.zeros(4, numpy.uint8)):
            with self.assertRaisesRegex(ValueError, "uint8 and rows x columns"):
                Frame.from_array(wrong)


@unittest.skipUnless(cv2, "no OpenCV")
class OpenCVTests(unittest.TestCase):
    def test_pixels_are_packed_as_jpeg(self):
        frame = Frame.from_array(numpy.full((16, 32, 3), 200, numpy.uint8), jpeg_quality=90, sequence=3)
        self.assertEqual((frame.format, frame.width, bytes(frame.payload[:2]), frame.sequence), (1, 0, b"\xff\xd8", 3))

    def test_other_pictures_are_read(self):
        frame = Frame.open(ROOT / "Tests" / "ImageCodecsTests" / "Fixtures" / "colour.png")
        self.assertEqual(frame.format, FrameFormat.BGRA)
        self.assertEqual(len(frame.payload), frame.width * frame.height * 4)
