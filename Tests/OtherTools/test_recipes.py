"""The commands of docs/recipes.md, as they stand there, with cameras, brokers and pages of the tests for their addresses."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest
import urllib.request
from pathlib import Path

from glyphwire_program import PROGRAM, ROOT
from test_watch import FIRST, HAS_FFMPEG, IN_FIRST, has_rtsp, region_of
from watching import PATIENCE, Camera, Lines, Receiver, free_port, start, start_broker, start_rtsp

PAGE = ROOT / "docs/recipes.md"


def recipes():
    """The lines behind each prompt of each recipe, a command with the lines that continue it."""
    page = {}
    for section in PAGE.read_text().split("\n## ")[1:]:
        title, text = section.split("\n", 1)
        block = re.search(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL).group(1)
        page[title] = [part.rstrip("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return page


def command(part):
    """The command of a prompt, without what it prints."""
    lines = part.split("\n")
    end = next(index for index, line in enumerate(lines) if not line.endswith(("\\", "|")))
    return "\n".join(lines[: end + 1])


class Recipe(unittest.TestCase):
    """Runs recipes in a folder of their own, in which `glyphwire` is found."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/glyphwire").symlink_to(Path(PROGRAM).absolute())

    def start(self, title, **addresses):
        """Runs the last command of a recipe; its lines of output and of log, and the process.

        Addresses of the page are replaced by those that are given.
        """
        text = command(recipes()[title][-1])
        for old, new in addresses.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        process = subprocess.Popen(
            ["bash", "-o", "pipefail", "-c", text],
            cwd=self.folder,
            env={**os.environ, "PATH": path, "XDG_STATE_HOME": str(self.folder)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

        def stop():
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()
            process.stderr.close()

        self.addCleanup(stop)
        return Lines(process.stdout), Lines(process.stderr), process

    def camera(self):
        camera = Camera(FIRST.read_bytes())
        self.addCleanup(camera.unplug)
        return f"127.0.0.1:{camera.port}"

    def rtsp(self):
        port = free_port()
        start_rtsp(self, port, FIRST)
        return f"rtsp://127.0.0.1:{port}/camera"

    def broker(self):
        """The address of a Mosquitto that lets everyone in."""
        port = free_port()
        configuration = self.folder / "mosquitto.conf"
        configuration.write_text(f"user root\nlistener {port} 127.0.0.1\nallow_anonymous true\n")
        start_broker(self, configuration)
        return port

    def message(self, port, topic, text):
        """Waits for a text on a topic."""
        subscriber = start(self, ["mosquitto_sub", "-p", str(port), "-t", topic, "-F", "%p"], "stdout")
        Lines(subscriber.stdout).wait(lambda line: text in line)

    def board(self, address):
        """The configuration of the page, with a camera and regions of the test's picture."""
        text = recipes()["A scoreboard, or a meter and a sign"][0]
        self.assertTrue(text.startswith("cat board.yaml\n"))
        text = text.split("\n", 1)[1].replace("rtsp://192.168.4.3/stream1", address)
        school = json.dumps(region_of(FIRST, "Border", "School"))
        text = text.replace("[0.1, 0.3, 0.2, 0.2], characterSet: 0-9", f"{school}, characterSet: A-Za-z")
        self.assertIn("A-Za-z", text)
        (self.folder / "board.yaml").write_text(text)

    @staticmethod
    def shows(text):
        return lambda line: text in line

    def test_motion_jpeg(self):
        lines, _, _ = self.start(
            "An ESP32-CAM, or another camera with a motion JPEG address", **{"192.168.4.1:81": self.camera()}
        )
        lines.wait(self.shows('"online"'))
        lines.wait(self.shows(IN_FIRST))

    def test_single_pictures(self):
        x, y, width, height = region_of(FIRST, "Border", "School")
        lines, _, _ = self.start(
            "A camera that gives single pictures",
            **{
                "192.168.4.2": self.camera(),
                "0.2,0.4,0.5,0.2": f"{x},{y},{width},{height}",
                "0-9.": "A-Za-z",
            },
        )
        lines.wait(self.shows(IN_FIRST))

    def test_a_program_on_the_web(self):
        receiver = Receiver()
        self.addCleanup(receiver.close)
        self.start(
            "A program of your own on the web",
            **{
                "rtsp://192.168.4.3/stream1": f"http://{self.camera()}/stream.mjpg",
                "https://example.org/texts": receiver.address,
            },
        )
        while receiver.events.get(timeout=PATIENCE).get("text") != IN_FIRST:
            pass

    def test_a_browser(self):
        (self.folder / "cameras.yaml").write_text(f"sources: [{{name: gate, address: 'http://{self.camera()}/stream.mjpg'}}]")
        _, log, _ = self.start("Several cameras, looked at in a browser", **{"127.0.0.1:7412": "127.0.0.1:0"})
        line = log.wait(lambda line: re.search(r"http://127\.0\.0\.1:\d+/", line))
        address = re.search(r"http://127\.0\.0\.1:\d+/", line).group()
        self.assertIn(b"<html", urllib.request.urlopen(address).read())

    @unittest.skipUnless(shutil.which("jq"), "jq is missing")
    def test_a_program_that_reads_lines(self):
        lines, _, _ = self.start(
            "A program that reads lines", **{"rtsp://192.168.4.3/stream1": f"http://{self.camera()}/stream.mjpg"}
        )
        lines.wait(lambda line: line == IN_FIRST)

    def test_a_program_in_python(self):
        title = "A webcam, and a program of your own in Python"
        head, program = recipes()[title][0].split("\n", 1)
        self.assertEqual(head, "cat program.py")
        (self.folder / "program.py").write_text(program)
        lines, _, _ = self.start(title, **{"/dev/video0": f"http://{self.camera()}/stream.mjpg"})
        lines.wait(lambda line: line.startswith(f"{IN_FIRST} ["))

    @unittest.skipUnless(shutil.which("jq"), "jq is missing")
    def test_obs(self):
        self.board(f"http://{self.camera()}/stream.mjpg")
        # A pipe in place of the file, so that the test can wait for what is written; opened for both, it blocks no one.
        os.mkfifo(self.folder / "home.txt")
        pipe = open(os.open(self.folder / "home.txt", os.O_RDWR))
        self.start("A scoreboard in OBS")
        Lines(pipe).wait(lambda line: line == IN_FIRST)

    @unittest.skipUnless(has_rtsp() and shutil.which("mosquitto_sub"), "RTSP's server or Mosquitto is missing")
    def test_home_assistant(self):
        (self.folder / "password").write_text("secret\n")
        (self.folder / "password").chmod(0o600)
        port = self.broker()
        self.start(
            "An RTSP camera and Home Assistant",
            **{
                "rtsp://192.168.4.3/stream1": self.rtsp(),
                "mqtts://glyphwire@homeassistant.local": f"mqtt://glyphwire@localhost:{port}",
                r"/[A-Z]{1,3} ?[A-Z]{2} ?\d{1,4}/": IN_FIRST,
            },
        )
        self.message(port, "glyphwire/front_gate/find/0", IN_FIRST)
        self.message(port, "homeassistant/sensor/glyphwire_front_gate/find_0/config", "Front gate")

    @unittest.skipUnless(shutil.which("mosquitto_sub"), "Mosquitto is missing")
    def test_a_scoreboard(self):
        self.board(f"http://{self.camera()}/stream.mjpg")
        port = self.broker()
        lines, _, _ = self.start(
            "A scoreboard, or a meter and a sign", **{"mqtt://homeassistant.local": f"mqtt://localhost:{port}"}
        )
        lines.wait(lambda line: '"region":"home"' in line and IN_FIRST in line)
        self.message(port, "glyphwire/board/#", IN_FIRST)
        self.message(port, "homeassistant/#", "home")

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is missing")
    def test_a_film(self):
        picture = ["-loop", "1", "-t", "1", "-i", str(FIRST)]
        film = ["-vf", "scale=640:480,setsar=1,format=yuv420p", "-r", "5", self.folder / "film.mp4"]
        subprocess.run(["ffmpeg", "-v", "error", *picture, *film], check=True, stdin=subprocess.DEVNULL)
        x, y, width, height = region_of(FIRST, "Border", "School")
        _, _, process = self.start("A film", **{"0,0.75,1,0.25": f"{x},{y},{width},{height}"})
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertIn(IN_FIRST, (self.folder / "film.srt").read_text())

    @unittest.skipUnless(shutil.which("pdftotext"), "poppler is missing")
    def test_a_folder_of_scans(self):
        (self.folder / "scans").mkdir()
        shutil.copy(FIRST, self.folder / "scans/1.jpg")
        _, _, process = self.start("A folder of scans")
        self.assertEqual(process.wait(PATIENCE), 0)
        text = subprocess.run(["pdftotext", self.folder / "scans.pdf", "-"], check=True, stdout=subprocess.PIPE).stdout
        self.assertIn("Border", text.decode())

    def test_a_phone(self):
        subprocess.run(["bash", "-c", command(recipes()["A phone"][0])], cwd=self.folder, check=True)
        lines, _, _ = self.start("A phone", **{"0.0.0.0:7412": "127.0.0.1:0 --port 0"})
        # No terminal: what is printed may be kept, and has no token.
        lines.wait(lambda line: re.search(r"https://\S+/camera$", line))


class Page(unittest.TestCase):
    def test_every_recipe_has_a_test(self):
        tests = Path(__file__).read_text()
        self.assertEqual([title for title in recipes() if f'"{title}"' not in tests], [])
        self.assertGreaterEqual(len(recipes()), 10)


if __name__ == "__main__":
    unittest.main()
