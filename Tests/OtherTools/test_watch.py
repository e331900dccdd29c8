"""`glyphwire watch` with others' cameras, brokers and players: FFmpeg, GStreamer's RTSP server, Mosquitto."""

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
from watching import (
    DEBIAN_PYTHON,
    MOSQUITTO,
    PATIENCE,
    Camera,
    Digest,
    Lines,
    Receiver,
    Watch,
    free_port,
    start,
    start_broker,
    start_rtsp,
)

FIRST = ROOT / "bench/quick/signs/images/00.jpg"
SECOND = ROOT / "bench/quick/signs/images/03.jpg"
TRUTH = ROOT / "bench/quick/signs/gt.jsonl"
# A text that stands alone in its picture, of each.
IN_FIRST, IN_SECOND = "Border School", "Morning Police"
HAS_FFMPEG = shutil.which("ffmpeg") is not None


def region_of(picture, *words):
    """The part of a picture that shows some words, as fractions with a margin."""
    truths = map(json.loads, TRUTH.read_text().splitlines())
    truth = next(truth for truth in truths if truth["image"] == f"images/{picture.name}")
    corners = [corner for item in truth["items"] if item["text"] in words for corner in item["poly"]]
    size, margin = (truth["width"], truth["height"]), 0.03
    least = [max(0, min(c[axis] for c in corners) / size[axis] - margin) for axis in (0, 1)]
    most = [min(1, max(c[axis] for c in corners) / size[axis] + margin) for axis in (0, 1)]
    return [round(number, 4) for number in (*least, most[0] - least[0], most[1] - least[1])]


def has_rtsp():
    """Whether GStreamer's RTSP server is installed."""
    check = "import gi; gi.require_version('GstRtspServer', '1.0')"
    return HAS_FFMPEG and subprocess.run([DEBIAN_PYTHON, "-c", check], stderr=subprocess.DEVNULL).returncode == 0


@unittest.skipUnless(HAS_FFMPEG, "ffmpeg is missing")
class Film(unittest.TestCase):
    """A film of which each second shows something else: the first picture, nothing, the second one."""

    RATE = 5

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name) / "film.mp4"
        inputs = [part for picture in (FIRST, SECOND) for part in ("-loop", "1", "-t", "1", "-i", str(picture))]
        size = "scale=640:480,setsar=1,format=yuv420p"
        graph = (
            f"[0:v]{size}[a];[1:v]{size}[c];color=gray:size=640x480:rate={cls.RATE}:duration=1,format=yuv420p,setsar=1[b];"
            f"[a]fps={cls.RATE}[d];[c]fps={cls.RATE}[e];[d][b][e]concat=n=3"
        )
        command = ["ffmpeg", "-v", "error", *inputs, "-filter_complex", graph, "-r", str(cls.RATE), cls.path]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_events_have_the_positions_of_the_texts(self):
        with Watch(f"holiday={self.path}") as watch:
            appeared = watch.event("appeared", text=IN_FIRST)
            lost = watch.event("lost", text=IN_FIRST)
            other = watch.event("appeared", text=IN_SECOND)
            self.assertEqual(watch.process.wait(PATIENCE), 0)
        self.assertEqual(appeared["source"], "holiday")
        self.assertEqual(lost["id"], appeared["id"])
        self.assertEqual(len(appeared["box"]), 8)
        for event, second in ((appeared, 0), (lost, 1), (other, 2)):
            self.assertLessEqual(abs(event["position_s"] - second), 1 / self.RATE + 0.001, event)

    def test_subtitles_have_each_text_once(self):
        command = [PROGRAM, "watch", "--format", "srt", self.path]
        text = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
        self.assertEqual(text.count(IN_FIRST), 1)
        cue = next(cue for cue in text.split("\n\n") if IN_FIRST in cue)
        times = re.search(r"(\d\d):(\d\d):(\d\d),(\d{3}) --> (\d\d):(\d\d):(\d\d),(\d{3})", cue)
        hours, minutes, seconds, milliseconds = map(int, times.groups()[4:])
        self.assertLessEqual(abs(seconds + milliseconds / 1000 - 1), 1 / self.RATE + 0.001, cue)
        # A player reads them.
        path = Path(self.folder.name) / "film.srt"
        path.write_text(text)
        command = ["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=codec_name,nb_read_packets"]
        probe = subprocess.run([*command, "-of", "json", path], stdout=subprocess.PIPE, check=True).stdout
        stream = json.loads(probe)["streams"][0]
        self.assertEqual(stream["codec_name"], "subrip")
        self.assertEqual(int(stream["nb_read_packets"]), text.count(" --> "))

    def test_a_file_that_is_no_video_is_an_error(self):
        with Watch(ROOT / "README.md") as watch:
            self.assertEqual(watch.process.wait(PATIENCE), 1)
            watch.log.wait(lambda line: "README.md" in line)


@unittest.skipUnless(HAS_FFMPEG, "ffmpeg is missing")
class Device(unittest.TestCase):
    """A video device. Where there is none, a program in place of ffmpeg gives it a picture for the device."""

    def test_is_opened_by_video4linux(self):
        demuxers = subprocess.run(["ffmpeg", "-hide_banner", "-demuxers"], check=True, stdout=subprocess.PIPE, text=True)
        self.assertRegex(demuxers.stdout, r"\bv4l2\b")
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        stand_in = folder / "ffmpeg"
        stand_in.write_text(
            "#!/bin/bash\n"
            f'printf "%s\\n" "$*" >> {folder}/commands\n'
            'command=" $* "\n'
            f'exec {shutil.which("ffmpeg")} ${{command/ -f v4l2 -i \\/dev\\/video7 / -re -loop 1 -i {FIRST} }}\n'
        )
        stand_in.chmod(0o755)
        environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        with Watch("desk=/dev/video7", "--rate", "5", environment=environment) as watch:
            watch.event("online", source="desk")
            watch.event("appeared", source="desk", text=IN_FIRST)
            self.assertEqual(watch.stop(), 0)
        command = (folder / "commands").read_text().splitlines()[-1]
        self.assertIn(" -fpsprobesize 0 -analyzeduration 100000 -f v4l2 -i /dev/video7 -map 0:v:0 -vf select=", command)

    def test_a_missing_device_is_named(self):
        with Watch("desk=/dev/video97") as watch:
            reason = watch.event("offline", source="desk")["reason"]
            self.assertRegex(reason, r"/dev/video97: No such file or directory \((there is /dev/video|no camera is connected)")


class WithoutFFmpeg(unittest.TestCase):
    def test_says_what_to_install(self):
        command = [PROGRAM, "watch", "rtsp://127.0.0.1/camera"]
        run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": "/nonexistent"})
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("apt-get install ffmpeg", run.stderr)


class WebCameras(unittest.TestCase):
    """Motion JPEG and snapshots, without ffmpeg, in one process with all outputs."""

    def test_pictures_in_events_out(self):
        stream, snapshot = Camera(FIRST.read_bytes()), Camera(FIRST.read_bytes())
        receiver = Receiver(503)
        port = stream.port
        arguments = [
            f"gate=http://127.0.0.1:{port}/stream.mjpg",
            f"meter=http://user:secret@127.0.0.1:{snapshot.port}/snapshot.jpg",
            "--every", "300ms", "--find", IN_FIRST, "--find", IN_SECOND,
            "--webhook", receiver.address, "--http", "127.0.0.1:0",
        ]  # fmt: skip
        with Watch(*arguments, environment={**os.environ, "PATH": "/nonexistent"}) as watch:
            page = watch.log.wait(lambda line: "address=http" in line or "http://127" in line)
            for source in ("gate", "meter"):
                watch.event_of(source)
            first = watch.seen("appeared", source="gate", text=IN_FIRST)
            self.assertEqual(first[0]["pattern"], IN_FIRST)
            self.assertRegex(first[0]["time"], r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")

            address = re.search(r"http://127\.0\.0\.1:\d+/", page).group()
            streams = json.load(urllib.request.urlopen(address + "streams"))
            self.assertIn("gate", json.dumps(streams))

            snapshot.show(SECOND.read_bytes())
            watch.event("appeared", source="meter", text=IN_SECOND)

            stream.unplug()
            watch.event("offline", source="gate")
            stream = Camera(SECOND.read_bytes(), port=port)
            watch.event("online", source="gate")
            watch.event("appeared", source="gate", text=IN_SECOND)
            self.assertEqual(len(watch.seen("offline", source="gate")), 1)
            self.assertEqual(watch.stop(), 0)
            self.assertNotIn("secret", "".join(watch.lines.seen + watch.log.seen))
            # The webhook has the same events in the same order, though it refused the first one once.
            written = [json.loads(line) for line in watch.lines.seen]
            posted = [receiver.events.get(timeout=PATIENCE) for _ in written]
            self.assertEqual(posted, written)
        stream.unplug()
        snapshot.unplug()
        receiver.close()

    def test_a_file_gives_each_source_its_options(self):
        first, second = Camera(FIRST.read_bytes()), Camera(SECOND.read_bytes())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cameras.yaml"
            path.write_text(
                f"sources:\n"
                f"  - name: gate\n    address: http://127.0.0.1:{first.port}/snapshot.jpg\n    every: 300ms\n"
                f"    options: {{find: ['{IN_FIRST}']}}\n"
                f"  - {{name: door, address: 'http://127.0.0.1:{second.port}/stream.mjpg', rate: 2}}\n"
            )
            with Watch("--config", path) as watch:
                watch.event_of("gate")
                watch.event_of("door")
                self.assertEqual({event["pattern"] for event in watch.seen("appeared", source="gate")}, {IN_FIRST})
                self.assertNotIn("pattern", watch.seen("appeared", source="door")[0])
                self.assertEqual(watch.stop(), 0)
            path.write_text("sources: [{name: gate, addres: x}]")
            with Watch("--config", path) as watch:
                watch.log.wait(lambda line: 'no member "addres"' in line)
                self.assertNotEqual(watch.process.wait(PATIENCE), 0)
        first.unplug()
        second.unplug()


    def test_regions_are_told_apart(self):
        camera = Camera(FIRST.read_bytes())
        self.addCleanup(camera.unplug)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cameras.yaml"
            name = {"name": "school", "regionOfInterest": region_of(FIRST, "Border", "School")}
            music = {"name": "music", "regionOfInterest": region_of(FIRST, "MUSIC"), "find": ["/M.*C/"]}
            source = {"name": "street", "address": f"http://127.0.0.1:{camera.port}/stream.mjpg"}
            path.write_text(json.dumps({"sources": [source | {"options": {"regions": [name, music]}}]}))
            with Watch("--config", path) as watch:
                watch.event("appeared", region="school", text=IN_FIRST)
                found = (watch.seen("appeared", region="music") or [watch.event("appeared", region="music")])[0]
                self.assertEqual((found["text"], found["pattern"]), ("MUSIC", "/M.*C/"))
                camera.show(SECOND.read_bytes())
                watch.event("lost", region="music")
                self.assertEqual({e["region"] for e in watch.seen("appeared")}, {"school", "music"})

    def test_the_configuration_is_read_again(self):
        first, second, third = (Camera(FIRST.read_bytes()) for _ in range(3))
        for camera in (first, second, third):
            self.addCleanup(camera.unplug)

        def source(name, camera, **more):
            return {"name": name, "address": f"http://127.0.0.1:{camera.port}/stream.mjpg"} | more

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cameras.yaml"
            path.write_text(json.dumps({"sources": [source("kept", first), source("removed", second)]}))
            with Watch("--config", path) as watch:
                kept = watch.event("appeared", source="kept", text=IN_FIRST)
                gone = (watch.seen("appeared", source="removed", text=IN_FIRST)
                        or [watch.event("appeared", source="removed", text=IN_FIRST)])[0]  # fmt: skip

                path.write_text("sources: [{name: kept, addres: x}]")
                watch.process.send_signal(signal.SIGHUP)
                mistake = watch.log.wait(lambda line: "stay as they are" in line)
                self.assertIn("addres", mistake)

                added = source("added", third, options={"find": [IN_FIRST]})
                path.write_text(json.dumps({"sources": [source("kept", first), added]}))
                watch.process.send_signal(signal.SIGHUP)
                self.assertEqual(watch.event("lost", source="removed", text=IN_FIRST)["id"], gone["id"])
                watch.event("offline", source="removed")
                watch.event("appeared", source="added", pattern=IN_FIRST)
                self.assertEqual(len(watch.seen("online", source="kept")), 1)

                # Other options: the texts that are still reported keep their ids.
                changed = source("kept", first, options={"minimumTextHeight": 0.01})
                path.write_text(json.dumps({"sources": [changed, added]}))
                watch.process.send_signal(signal.SIGHUP)
                watch.event("online", source="kept")
                first.show(SECOND.read_bytes())
                self.assertEqual(watch.event("lost", source="kept", text=IN_FIRST)["id"], kept["id"])
                self.assertEqual(len(watch.seen("appeared", source="kept", text=IN_FIRST)), 1)
                self.assertEqual(len([line for line in watch.log.seen if "stay as they are" in line]), 1)
                self.assertEqual(watch.stop(), 0)

    def test_digest_authentication(self):
        for algorithm in ("MD5", "SHA-256"):
            with self.subTest(algorithm=algorithm):
                digest = Digest(algorithm)
                camera = Camera(FIRST.read_bytes(), digest=digest)
                self.addCleanup(camera.unplug)
                login = f"http://user:secret@127.0.0.1:{camera.port}"
                with Watch(f"a={login}/snapshot.jpg?x=1", f"b={login}/stream.mjpg", "--every", "100ms") as watch:
                    for source in ("a", "b"):
                        watch.event_of(source)
                    camera.show(SECOND.read_bytes())
                    watch.event("appeared", source="a", text=IN_SECOND)
                    self.assertEqual(watch.seen("offline"), [])
                self.assertTrue(any("nc=00000003" in (header or "") for header in digest.seen), digest.seen)
                self.assertFalse(any((header or "").startswith("Basic") for header in digest.seen))
        camera = Camera(FIRST.read_bytes(), digest=Digest("MD5", password="another"))
        self.addCleanup(camera.unplug)
        with Watch(f"a=http://user:secret@127.0.0.1:{camera.port}/snapshot.jpg") as watch:
            self.assertIn("401", watch.event("offline", source="a")["reason"])


@unittest.skipUnless(has_rtsp(), "ffmpeg or GStreamer's RTSP server is missing")
class RTSPCamera(unittest.TestCase):
    def serve(self, port):
        return start_rtsp(self, port, FIRST)

    def test_comes_back_after_all_that_breaks(self):
        port = free_port()
        server = self.serve(port)
        with Watch(f"door=rtsp://127.0.0.1:{port}/camera", "--rate", "5") as watch:
            watch.event("online")
            watch.event("appeared", text=IN_FIRST)

            os.kill(watch.children()[0], signal.SIGKILL)
            watch.event("offline")
            watch.event("online")

            server.kill()
            server.wait()
            reason = watch.event("offline")["reason"]
            self.assertNotEqual(reason, "")
            self.serve(port)
            watch.event("online")
            # The text was there all the time.
            self.assertEqual(len(watch.seen("appeared", text=IN_FIRST)), 1)
            self.assertEqual(len(watch.seen("lost", text=IN_FIRST)), 0)
            child = watch.children()[0]
            self.assertEqual(watch.stop(), 0)
            self.assertFalse(Path(f"/proc/{child}").exists())


@unittest.skipUnless(shutil.which("mosquitto_sub") and Path(MOSQUITTO).exists(), "Mosquitto is missing")
class MQTT(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
        files = ["-keyout", self.folder / "key.pem", "-out", self.folder / "certificate.pem"]
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject, *files]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        passwords = self.folder / "passwords"
        passwords.touch(mode=0o600)
        subprocess.run(["mosquitto_passwd", "-b", passwords, "glyphwire", "open sesame"], check=True)
        (self.folder / "password").write_text("open sesame\n")
        (self.folder / "password").chmod(0o600)
        self.port = free_port()
        (self.folder / "mosquitto.conf").write_text(
            f"user root\nlistener {self.port} 127.0.0.1\nallow_anonymous false\npassword_file {passwords}\n"
            f"certfile {self.folder}/certificate.pem\nkeyfile {self.folder}/key.pem\n"
        )
        self.options = [
            "--mqtt", f"mqtts://glyphwire@localhost:{self.port}",
            "--mqtt-password-file", self.folder / "password", "--mqtt-ca", self.folder / "certificate.pem",
        ]  # fmt: skip
        self.broker = self.start()

    def start(self):
        return start_broker(self, self.folder / "mosquitto.conf")

    def subscribe(self, *topics):
        """The messages of topics, those that are retained first."""
        options = ["-h", "localhost", "-p", str(self.port), "-u", "glyphwire", "-P", "open sesame", "-q", "1"]
        command = ["mosquitto_sub", *options, "--cafile", self.folder / "certificate.pem", "-F", "%r %q %t %p"]
        command += [part for topic in topics for part in ("-t", topic)]
        return Lines(start(self, command, "stdout").stdout)

    def test_home_assistant_finds_the_text(self):
        camera = Camera(FIRST.read_bytes())
        self.addCleanup(camera.unplug)
        arguments = [
            f"Front gate=http://127.0.0.1:{camera.port}/stream.mjpg",
            "--find", "/(?:Border|Evening) School|Morning \\w+/", *self.options,
        ]  # fmt: skip
        with Watch(*arguments) as watch:
            watch.event("appeared", text=IN_FIRST)
            state = "glyphwire/front_gate/find/0"
            messages = self.subscribe("glyphwire/#")
            messages.wait(lambda line: line == "1 1 glyphwire/status online")
            watch.log.wait(lambda line: "broker connected" in line)
            config = self.subscribe("homeassistant/#").wait(lambda line: "config" in line)
            retained, quality, topic, payload = config.split(" ", 3)
            self.assertEqual((retained, quality), ("1", "1"))
            self.assertEqual(topic, "homeassistant/sensor/glyphwire_front_gate/find_0/config")
            sensor = json.loads(payload)
            self.assertEqual(sensor["state_topic"], state)
            self.assertEqual(sensor["device"]["name"], "Front gate")
            available = [entry["topic"] for entry in sensor["availability"]]
            self.assertEqual(available, ["glyphwire/status", "glyphwire/front_gate/status"])
            self.subscribe(state).wait(lambda line: IN_FIRST in line)

            # A broker that has lost everything has it all again.
            self.broker.kill()
            self.broker.wait()
            watch.log.wait(lambda line: "not connected" in line)
            self.broker = self.start()
            watch.log.wait(lambda line: "broker connected" in line)
            messages = self.subscribe("glyphwire/#")
            messages.wait(lambda line: f" {state} " in line and IN_FIRST in line)

            camera.show(SECOND.read_bytes())
            messages.wait(lambda line: " glyphwire/front_gate/event " in line and '"appeared"' in line)
            self.subscribe(state).wait(lambda line: IN_SECOND in line)

            # Without a farewell, the broker publishes the last will.
            watch.stop(signal.SIGKILL)
            messages.wait(lambda line: line.endswith(" glyphwire/status offline"))

    def test_a_source_that_is_no_longer_watched_leaves_nothing(self):
        camera = Camera(FIRST.read_bytes())
        self.addCleanup(camera.unplug)
        gate, meter = (f"{name}=http://127.0.0.1:{camera.port}/stream.mjpg" for name in ("gate", "meter"))
        with Watch(gate, meter, *self.options) as watch:
            watch.event_of("meter")
            watch.log.wait_for_each([lambda line: "broker connected" in line])
            self.assertEqual(watch.stop(), 0)
        messages = self.subscribe("glyphwire/#", "homeassistant/#")
        messages.wait(lambda line: line.startswith("1 1 glyphwire/meter/text "))
        with Watch(gate, *self.options):
            config = "homeassistant/sensor/glyphwire_meter/text/config"
            topics = ["glyphwire/meter/status", config, "glyphwire/meter/text"]
            messages.wait_for_each([f"0 1 {topic} ".__eq__ for topic in topics])

    def test_what_is_lost_when_the_file_is_read_again_is_published(self):
        camera = Camera(FIRST.read_bytes())
        self.addCleanup(camera.unplug)
        path = self.folder / "cameras.json"

        def write(pattern):
            source = {"name": "gate", "address": f"http://127.0.0.1:{camera.port}/stream.mjpg"}
            path.write_text(json.dumps({"sources": [source | {"options": {"find": [pattern]}}]}))

        write(IN_FIRST)
        with Watch("--config", path, *self.options) as watch:
            watch.event("appeared", pattern=IN_FIRST)
            messages = self.subscribe("glyphwire/#")
            messages.wait(lambda line: line == "1 1 glyphwire/status online")
            write(IN_SECOND)
            watch.process.send_signal(signal.SIGHUP)
            messages.wait(lambda line: " glyphwire/gate/event " in line and '"type":"lost"' in line)
            self.assertEqual(watch.stop(), 0)


if __name__ == "__main__":
    unittest.main()
