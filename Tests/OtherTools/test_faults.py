"""`glyphwire watch` while what it needs breaks and comes back: it goes on, holds no more than before, and tells it once."""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

try:
    import cv2
    import numpy
except ImportError:
    cv2 = None

from glyphwire_program import PROGRAM, SIGN
from test_watch import FIRST, HAS_FFMPEG, IN_SECOND, SECOND, has_rtsp
from watching import MOSQUITTO, PATIENCE, Camera, Receiver, Watch, free_port, start_broker, start_rtsp

MEGABYTE = 1 << 20


def told(*words):
    """Whether a line of a log has these words."""
    return lambda line: all(word in line for word in words)


@unittest.skipUnless(cv2, "OpenCV is missing")
class Cycles(unittest.TestCase):
    """Everything is taken away and given back, again and again. Pictures are blank, since text has networks compiled."""

    #: Cycles before what the process holds is noted, and after that.
    WARM, COUNT = 3, 3
    #: Memory that the allocator may have kept in between; a decoded frame of each source and cycle would be 22 MB.
    ALLOWED = 6 * MEGABYTE

    def test_nothing_grows_and_each_loss_is_told_once(self):
        picture = Path(self.enterContext(tempfile.TemporaryDirectory())) / "blank.jpg"
        cv2.imwrite(str(picture), numpy.full((480, 640), 255, numpy.uint8))
        names = [f"web{number}" for number in range(4)]
        cameras = {name: Camera(picture.read_bytes()) for name in names}
        ports = {name: camera.port for name, camera in cameras.items()}
        arguments = [f"{name}=http://127.0.0.1:{port}/stream.mjpg" for name, port in ports.items()]
        rtsp = []
        if has_rtsp():
            port = free_port()
            start_rtsp(self, port, picture)
            rtsp = ["rtsp0", "rtsp1"]
            arguments += [f"{name}=rtsp://127.0.0.1:{port}/camera" for name in rtsp]
        receiver = Receiver()
        hook = receiver.server.server_address[1]
        arguments += ["--webhook", receiver.address, "--rate", "5"]
        broker, configuration = None, None
        if Path(MOSQUITTO).exists():
            folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
            configuration, port = folder / "mosquitto.conf", free_port()
            configuration.write_text(f"user root\nlistener {port} 127.0.0.1\nallow_anonymous true\n")
            broker = start_broker(self, configuration)
            arguments += ["--mqtt", f"mqtt://127.0.0.1:{port}"]

        sources = names + rtsp
        gone = [told("source is offline", f"source={name}") for name in sources] + [told("webhook does not accept")]
        gone += [told("broker not connected")] if broker else []
        there = [told("source is online", f"source={name}") for name in sources] + [told("MQTT broker connected")] * bool(broker)
        with Watch(*arguments) as watch:
            watch.log.wait_for_each(there)
            sizes = []
            for cycle in range(1, self.WARM + self.COUNT + 1):
                receiver.close()
                if broker:
                    broker.kill()
                    broker.wait()
                for camera in cameras.values():
                    camera.unplug()
                for child in watch.children():
                    os.kill(child, signal.SIGKILL)
                watch.log.wait_for_each(gone, cycle)
                receiver = Receiver(port=hook)
                cameras = {name: Camera(picture.read_bytes(), port=port) for name, port in ports.items()}
                if broker:
                    broker = start_broker(self, configuration)
                watch.log.wait_for_each([told("webhook accepts events again")], cycle)
                watch.log.wait_for_each(there, cycle + 1)
                sizes.append(watch.size())
            before, after = sizes[self.WARM - 1], sizes[-1]
            self.assertLessEqual(after.resident - before.resident, self.ALLOWED, sizes)
            warm = sizes[self.WARM - 1 :]
            self.assertLessEqual(max(size.threads for size in warm), before.threads + 2, sizes)
            self.assertLessEqual(max(size.files for size in warm), before.files + 2, sizes)
            self.assertEqual({size.children for size in sizes}, {len(rtsp)})
            for condition in gone:
                self.assertEqual(watch.log.count(condition), self.WARM + self.COUNT)
            self.assertEqual(watch.stop(), 0)
        receiver.close()
        for camera in cameras.values():
            camera.unplug()


@contextlib.contextmanager
def small_disk(size):
    """A folder on a disk of its own, which is soon full."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], check=True, stderr=subprocess.DEVNULL)
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def can_mount():
    """Whether this process may mount a disk."""
    try:
        with small_disk("64k"):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


def fill(path):
    """Fills the disk with a file, whose blocks are so small that nothing else fits."""
    with open(path, "ab", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass


class Output(unittest.TestCase):
    """Standard output that takes no more."""

    def camera(self):
        camera = Camera(FIRST.read_bytes())
        self.addCleanup(camera.unplug)
        return camera, f"gate=http://127.0.0.1:{camera.port}/stream.mjpg"

    @unittest.skipUnless(can_mount(), "only root mounts a small disk")
    def test_lines_stay_whole_on_a_full_disk(self):
        camera, source = self.camera()
        disk = self.enterContext(small_disk("64k"))
        path, ballast = disk / "events", disk / "ballast"
        # What is left of its block takes an event, and part of one.
        path.write_text("{}\n" * 1300)
        begun = path.stat().st_size
        fill(ballast)
        with open(path, "ab") as output, Watch(source, output=output) as watch:
            watch.log.wait(told("standard output takes no events", "No space left"))
            camera.show(SECOND.read_bytes())
            full = path.stat().st_size
            self.assertEqual(full % 4096, 0)
            self.assertGreater(full, begun)
            ballast.unlink()
            camera.unplug()
            watch.log.wait_for_each([told("standard output takes events again", "lost="), told("source is offline")])
            self.assertEqual(watch.stop(), 0)
            self.assertEqual(watch.log.count(told("standard output takes no events")), 1)
        events = list(map(json.loads, path.read_text().splitlines()))
        self.assertIn("offline", [event.get("type") for event in events])

    def test_a_full_disk_is_an_error_of_documents(self):
        with open("/dev/full", "w") as full:
            run = subprocess.run([PROGRAM, "read", SIGN], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((run.returncode, run.stderr.count("No space left on device")), (1, 1), run.stderr)

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is missing")
    def test_a_full_disk_is_an_error_of_a_film(self):
        film = Path(self.enterContext(tempfile.TemporaryDirectory())) / "film.mp4"
        picture = ["-loop", "1", "-t", "0.4", "-i", FIRST, "-vf", "scale=640:480,format=yuv420p", "-r", "5"]
        subprocess.run(["ffmpeg", "-v", "error", *picture, film], check=True, stdin=subprocess.DEVNULL)
        for form, words in (("srt", ["No space left on device"]), ("events", ["did not take all events", "lost="])):
            with self.subTest(form), open("/dev/full", "w") as full, Watch(film, "--format", form, output=full) as watch:
                watch.log.wait(told(*words))
                self.assertEqual(watch.process.wait(PATIENCE), 1)

    def test_an_output_that_does_not_block_gets_everything(self):
        reading, writing = os.pipe()
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
        os.set_blocking(writing, False)
        process = subprocess.Popen([PROGRAM, "read", "--format", "pdf", SIGN], stdout=writing)
        os.close(writing)
        with open(reading, "rb") as output:
            self.assertTrue(output.read().endswith(b"%%EOF\n"))
        self.assertEqual(process.wait(PATIENCE), 0)

    def test_ends_with_the_reader_of_its_lines_unless_there_is_another_output(self):
        camera, source = self.camera()
        receiver = Receiver()
        self.addCleanup(receiver.close)
        for others in ([], ["--webhook", receiver.address]):
            camera.show(FIRST.read_bytes())
            reading, writing = os.pipe()
            with Watch(source, *others, output=writing) as watch:
                os.close(writing)
                self.assertIn(b'"online"', os.read(reading, 1 << 16))
                os.close(reading)
                camera.show(SECOND.read_bytes())
                watch.log.wait(told("standard output is closed"))
                if others:
                    while receiver.events.get(timeout=PATIENCE).get("text") != IN_SECOND:
                        pass
                    self.assertEqual(watch.log.count(told("standard output")), 1)
                    watch.process.terminate()
                self.assertEqual(watch.process.wait(PATIENCE), 1)

    def test_a_reader_that_stops_holds_nothing_up(self):
        camera, source = self.camera()
        receiver = Receiver()
        self.addCleanup(receiver.close)
        reading, writing = os.pipe()
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
        # Nobody reads the pipe, and the first events fill it.
        os.set_blocking(writing, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(writing, b"\n" * 512)
        os.set_blocking(writing, True)
        sources = [source] + [f"{name}=http://127.0.0.1:{self.camera()[0].port}/stream.mjpg" for name in ("left", "right")]
        with Watch(*sources, "--webhook", receiver.address, output=writing) as watch:
            os.close(writing)
            self.addCleanup(os.close, reading)
            wanted = {("appeared", name) for name in ("gate", "left", "right")}
            while wanted:
                event = receiver.events.get(timeout=PATIENCE)
                wanted.discard((event["type"], event["source"]))
            camera.show(SECOND.read_bytes())
            while receiver.events.get(timeout=PATIENCE).get("text") != IN_SECOND:
                pass
            self.assertEqual(watch.stop(), 0)


if __name__ == "__main__":
    unittest.main()
