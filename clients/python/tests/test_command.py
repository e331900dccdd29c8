import contextlib
import io
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from glyphwire.__main__ import main
from glyphwire._sources import split_motion_jpeg

from .support import JPEG, ROOT, TestCase, stub, wire

try:
    import cv2
except ImportError:
    cv2 = None

FIXTURES = ROOT / "Tests" / "ImageCodecsTests" / "Fixtures"


def read(words):
    def answer(connection):
        connection.greet(features=["stats", "delivery"])
        connection.serve(
            answer=lambda one: (
                connection.answer_frame(wire.result(one, words[one.sequence]))
                if one.type == wire.FRAME
                else connection.answer(one)
            )
        )

    return answer


def run(*arguments):
    """Exit status, standard output and standard error of the command."""
    output, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = main([*arguments, "--host", "127.0.0.1"])
    return status, output.getvalue(), errors.getvalue()


class CommandTests(TestCase):
    def test_pictures_are_printed_each_with_its_name(self):
        with stub(read([["EXIT", "STAIR 1"], []])) as server:
            status, output, errors = run(str(JPEG), str(JPEG), "--port", str(server.port), "--level", "accurate")
        self.assertEqual((status, output), (0, f"{JPEG}\tEXIT\n{JPEG}\tSTAIR\t1\n"))
        self.assertRegex(errors, r"^frames: 2 ok; \d+ ms from sending to result \(median\)\n$")
        configured, *pictures, _ = server.connections[0].received
        self.assertEqual(json.loads(configured.payload), {"level": "accurate", "delivery": "every"})
        self.assertEqual([one.payload for one in pictures], [JPEG.read_bytes()] * 2)

    def test_json_prints_the_lines_as_they_came(self):
        with stub(read([["EXIT"]])) as server:
            _, output, _ = run(str(JPEG), "--json", "--port", str(server.port), "--orientation", "6")
        self.assertEqual(output.encode(), server.connections[0].answers[0] + b"\n")
        self.assertEqual(server.connections[0].frames[0].orientation, 6)

    def test_options_are_sent_as_they_are_named(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as token, stub(read([["EXIT"]])) as server:
            token.write("open sesame\n")
            token.flush()
            run(
                str(JPEG), "--port", str(server.port), "--token-file", token.name,
                "--option", "languages=[\"en\"]", "--option", "coordinates=vision",
            )  # fmt: skip
        options = json.loads(server.connections[0].received[0].payload)
        self.assertEqual(options, {
            "languages": ["en"], "coordinates": "vision", "token": "open sesame", "delivery": "every",
        })  # fmt: skip

    def test_a_server_that_is_not_there_yet_is_waited_for(self):
        def late(connection):
            if connection.number > 2:
                read([["EXIT"]])(connection)

        with stub(late) as server:
            status, output, errors = run(str(JPEG), "--port", str(server.port))
        self.assertEqual((status, output), (0, f"{JPEG}\tEXIT\n"))
        self.assertEqual(errors.count("waiting for the server"), 1)
        with stub(late) as server:
            status, _, _ = run(str(JPEG), "--port", str(server.port), "--no-wait")
        self.assertEqual((status, len(server.connections)), (1, 1))

    def test_only_matches_are_printed_where_something_is_sought(self):
        def search(matches):
            def answer(connection):
                connection.greet()
                connection.serve(
                    answer=lambda one: (
                        connection.answer_frame({**wire.result(one, ["EXIT 42"]), "matches": matches})
                        if one.type == wire.FRAME
                        else connection.answer(one)
                    )
                )

            return answer

        match = {"pattern": 0, "text": "EXIT", "line": 0, "words": [0], "box": [0, 0, 1, 0, 1, 1, 0, 1]}
        for matches, expected in (([match], (0, f"{JPEG}\tEXIT\n")), ([], (1, ""))):
            with stub(search(matches)) as server:
                status, output, _ = run(str(JPEG), "--port", str(server.port), "--find", "exit")
            self.assertEqual((status, output), expected)
            self.assertEqual(json.loads(server.connections[0].received[0].payload), {"find": ["exit"]})

    def test_a_frame_that_could_not_be_read_is_told_and_counts(self):
        def refuse(connection):
            connection.greet()
            connection.answer(connection.receive())
            connection.answer_frame(wire.failed(connection.receive(), "jpeg_corrupt", "cut off"))
            connection.serve()

        with stub(refuse) as server:
            status, output, errors = run(str(JPEG), "--port", str(server.port))
        self.assertEqual((status, output), (1, ""))
        self.assertIn("cut off (jpeg_corrupt)", errors)
        self.assertIn("frames: 1 jpeg_corrupt\n", errors)

    def test_what_cannot_be_streamed_is_told(self):
        with stub() as server:
            status, _, errors = run("/no/such/file.jpg", "--port", str(server.port))
        self.assertEqual((status, errors), (1, "glyphwire-client: there is no file /no/such/file.jpg\n"))
        status, _, errors = run(str(JPEG), "--port", "1", "--no-wait")
        self.assertEqual(status, 1)
        self.assertIn("cannot connect to 127.0.0.1:1", errors)

    def test_what_is_no_picture_is_told_and_the_next_is_read(self):
        with stub(read([[], ["EXIT"]])) as server:
            status, output, errors = run("/no/such/file.jpg", str(JPEG), "--port", str(server.port))
        self.assertEqual((status, output), (1, f"{JPEG}\tEXIT\n"))
        self.assertIn("there is no file /no/such/file.jpg\n", errors)

    def test_text_under_the_name_of_a_picture_is_called_text(self):
        for encoding in ("utf-8", "utf-8-sig", "utf-16"):
            with self.subTest(encoding), tempfile.TemporaryDirectory() as folder, stub() as server:
                path = Path(folder) / "sign.jpg"
                path.write_text("Alter Fährsteg\n" * 100, encoding)
                status, output, errors = run(str(path), "--port", str(server.port))
                self.assertEqual((status, output, errors), (1, "", f"glyphwire-client: {path} is text, no picture\n"))

    def test_xml_without_a_drawing_or_a_stream_is_called_text(self):
        with tempfile.TemporaryDirectory() as folder, stub() as server:
            path = Path(folder) / "plan.xml"
            path.write_text('<?xml version="1.0"?>\n<plan/>\n', "utf-8")
            status, output, errors = run(str(path), "--port", str(server.port))
        self.assertEqual((status, output, errors), (1, "", f"glyphwire-client: {path} is text, no picture\n"))

    @unittest.skipIf(cv2, "OpenCV is there")
    def test_text_that_ffmpeg_reads_may_come_from_there(self):
        texts = {
            "yard.m3u8": "#EXTM3U\n#EXTINF:4,\n1.ts\n",
            "yard.sdp": "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\n",
            "the films.txt": "ffconcat version 1.0\nfile 1.mp4\n",
            "yard.mpd": '<?xml version="1.0"?>\n<MPD type="dynamic"/>\n',
            "sign.svg": '\ufeff<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>\n',
        }
        with tempfile.TemporaryDirectory() as folder, stub() as server:
            for name, text in texts.items():
                path = Path(folder) / name
                path.write_text(text, "utf-8")
                status, _, errors = run(str(path), "--port", str(server.port))
                self.assertEqual(status, 1)
                self.assertIn(f"ffmpeg -i {shlex.quote(str(path))} -f mjpeg", errors)

    def test_a_picture_may_be_in_a_folder_of_devices_or_have_digits_as_its_name(self):
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        with tempfile.TemporaryDirectory(dir=memory) as folder, stub(read([["EXIT"]])) as server:
            path = Path(folder) / "2024"
            path.write_bytes(JPEG.read_bytes())
            self.assertEqual(run(str(path), "--port", str(server.port))[:2], (0, f"{path}\tEXIT\n"))

    def test_half_a_surrogate_pair_is_printed_as_another_letter(self):
        def answer(connection):
            connection.greet()
            connection.answer(connection.receive())
            connection.answer_frame(json.dumps(wire.result(connection.receive(), ["A\ud800B"])).encode())
            connection.serve()

        command = [sys.executable, "-m", "glyphwire", str(JPEG), "--host", "127.0.0.1"]
        with stub(answer) as server:
            done = subprocess.run(
                [*command, "--port", str(server.port)], capture_output=True, cwd=ROOT / "clients" / "python"
            )
        self.assertEqual(done.stdout.decode(), f"{JPEG}\tA?B\n", done.stderr)

    def test_texts_are_printed_whatever_the_locale(self):
        command = [sys.executable, "-m", "glyphwire", str(JPEG), "--host", "127.0.0.1"]
        with stub(read([["梧桐里街"]])) as server:
            done = subprocess.run(
                [*command, "--port", str(server.port)], capture_output=True, cwd=ROOT / "clients" / "python",
                env={**os.environ, "PYTHONIOENCODING": "latin-1"},
            )  # fmt: skip
        self.assertEqual(done.stdout.decode(), f"{JPEG}\t梧桐里街\n", done.stderr)

    def test_motion_jpeg_on_standard_input_prints_what_changes(self):
        film = JPEG.read_bytes() * 3
        command = [sys.executable, "-m", "glyphwire", "-", "--host", "127.0.0.1"]
        with stub(read([["EXIT"], ["EXIT"], ["STAIR"]])) as server:
            done = subprocess.run(
                [*command, "--port", str(server.port)], input=film, capture_output=True, check=True,
                cwd=ROOT / "clients" / "python",
            )  # fmt: skip
        self.assertEqual(done.stdout.decode(), "frame 0\tEXIT\nframe 2\tSTAIR\n")
        sent = server.connections[0].frames
        self.assertEqual([one.payload for one in sent], [JPEG.read_bytes()] * 3)
        self.assertTrue(all(one.captured_us for one in sent))

    def test_an_interrupt_ends_a_camera_cleanly(self):
        command = [sys.executable, "-m", "glyphwire", "-", "--host", "127.0.0.1"]
        with stub(read([["EXIT"]]), may_break=True) as server:
            process = subprocess.Popen(
                [*command, "--port", str(server.port)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, cwd=ROOT / "clients" / "python",
                # What a shell runs in the background ignores interrupts, and hands that on.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )  # fmt: skip
            process.stdin.write(JPEG.read_bytes())
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), b"frame 0\tEXIT\n")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(), 0)
            errors = process.stderr.read()
            process.stdin.close()
            process.stdout.close()
            process.stderr.close()
        self.assertRegex(errors, rb"^frames: 1 ok; \d+ ms from sending to result \(median\)\n$")

    @unittest.skipUnless(cv2, "no OpenCV")
    def test_a_video_is_streamed_to_its_end(self):
        import numpy

        with tempfile.TemporaryDirectory() as folder, stub(read([["A"], ["B"], ["C"]])) as server:
            path = str(Path(folder) / "film.avi")
            film = cv2.VideoWriter(path, cv2.VideoWriter_fourcc(*"MJPG"), 10, (64, 48))
            for shade in (0, 100, 200):
                film.write(numpy.full((48, 64, 3), shade, numpy.uint8))
            film.release()
            status, output, _ = run(path, "--port", str(server.port))
        self.assertEqual(status, 0)
        self.assertEqual(output, f"{path} 0.00 s\tA\n{path} 0.10 s\tB\n{path} 0.20 s\tC\n")

    @unittest.skipIf(cv2, "OpenCV is there")
    def test_without_opencv_a_camera_is_told_what_would_do(self):
        with stub() as server:
            status, _, errors = run("0", "--port", str(server.port))
        self.assertEqual(status, 1)
        self.assertIn("ffmpeg -f v4l2 -i /dev/video0", errors)


class MotionJPEGTests(TestCase):
    def test_a_long_picture_in_small_pieces_is_looked_at_once(self):
        picture = b"\xff\xd8\xff\xda\x00\x02" + b"\xff\x00" * (1 << 20) + b"\xff\xd9"
        self.assertEqual(list(split_motion_jpeg(Trickle(picture, 4096))), [picture])

    def test_every_split_gives_the_same_files(self):
        names = ["gray.jpg", "progressive.jpg", "restarts.jpg", "exif-6.jpg", "420.jpg"]
        files = [(FIXTURES / name).read_bytes() for name in names]
        thumbnail = b"\xff\xd8\xff\xe1\x00\x0aEx\xff\xd8\xff\xd9in\xff\xda\x00\x02data\xff\x00\xff\xd9"
        files.append(thumbnail)
        stream = b"noise" + b"\r\n--boundary\r\n".join(files) + b"\xff\xd8\xff\xe0cut off"
        for size in (1, 2, 3, 7, 100, 4096, len(stream)):
            self.assertEqual(list(split_motion_jpeg(Trickle(stream, size))), files, f"pieces of {size} bytes")


class Trickle:
    """A stream that delivers a few bytes at a time."""

    def __init__(self, data, size):
        self._data, self._size = io.BytesIO(data), size

    def read(self, _):
        return self._data.read(self._size)
