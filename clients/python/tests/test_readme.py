import contextlib
import io
import os
import re
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import glyphwire

from .support import JPEG, ROOT, ServerProgram, TestCase, server_program, stub, wire

try:
    import cv2
except ImportError:
    cv2 = None

README = Path(__file__).resolve().parents[1] / "README.md"


def examples(path):
    return re.findall(r"```python\n(.*?)```", path.read_text("utf-8"), re.DOTALL)


FIVE_LINES, CAMERA, VIDEO, ASYNC, TLS = examples(README)
(OF_THE_PROJECT,) = examples(ROOT / "README.md")


def run(example, port, picture=JPEG.read_bytes()):
    """What an example prints, run beside the picture that it names, with a server on the port that it means."""
    code = example.replace('"localhost"', f'"localhost", {port}')
    assert code != example
    output, folder = io.StringIO(), os.getcwd()
    with tempfile.TemporaryDirectory() as beside, contextlib.redirect_stdout(output):
        (Path(beside) / "demo").mkdir()
        for name in ("photo.jpg", "demo/sign.jpg"):
            (Path(beside) / name).write_bytes(picture)
        os.chdir(beside)
        try:
            exec(compile(code, str(README), "exec"), {"__name__": "__main__"})
        finally:
            os.chdir(folder)
    return output.getvalue()


class ReadmeTests(TestCase):
    def test_the_first_example_has_five_lines(self):
        self.assertLessEqual(len(FIVE_LINES.splitlines()), 5)

    def test_the_examples_run(self):
        with stub() as server:
            self.assertEqual(run(FIVE_LINES, server.port), "Übergang zu Gleis 7\n")
            self.assertEqual(run(ASYNC, server.port), "Übergang zu Gleis 7\n")

    def test_the_examples_say_what_is_wrong_with_a_picture(self):
        def refuse(connection):
            connection.greet()
            connection.answer_frame(wire.failed(connection.receive(), "jpeg_corrupt", "cut off"))
            connection.serve()

        with stub(refuse) as server:
            for example in (FIVE_LINES, ASYNC):
                self.assertEqual(run(example, server.port), "cut off\n")

    def test_the_example_with_a_camera_sends_its_pictures(self):
        class VideoCapture:
            def __init__(self, number):
                self.pictures = iter(["a picture"])

            def read(self):
                picture = next(self.pictures, None)
                return picture is not None, picture

        opencv = mock.Mock(VideoCapture=VideoCapture)
        compressed = mock.Mock(return_value=glyphwire.Frame(JPEG.read_bytes()))
        with stub() as server, mock.patch.dict(sys.modules, cv2=opencv):
            with mock.patch.object(glyphwire.Frame, "from_array", compressed):
                self.assertEqual(run(CAMERA, server.port), "Übergang zu Gleis 7\n")
        compressed.assert_called_once_with("a picture", jpeg_quality=85)

    @unittest.skipUnless(cv2, "no OpenCV")
    def test_the_example_with_a_video_runs(self):
        with stub() as server:
            self.assertEqual(run(VIDEO, server.port), "")  # there is no such video, so no frame
        self.assertIn(b'"accurate"', server.connections[0].received[0].payload)

    def test_the_examples_read_with_the_real_server(self):
        with ServerProgram(server_program()) as server:
            damaged = JPEG.read_bytes()[:2000]
            for example in (FIVE_LINES, ASYNC, OF_THE_PROJECT):
                self.assertIn("Old Ferry Pier\n", run(example, server.port))
                self.assertRegex(run(example, server.port, damaged), "^the JPEG is damaged or cut off")
            self.assertRegex(run(OF_THE_PROJECT, server.port), r"\nPier \([\d., ]+\)\n$")
