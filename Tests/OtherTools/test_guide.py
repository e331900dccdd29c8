"""The guide "A server for years" of docs/deploying.md: its certificate, its files and its services, with a camera and Prometheus."""

import json
import re
import shutil
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

from glyphwire_program import PROGRAM, ROOT
from test_watch import FIRST, IN_FIRST
from watching import PATIENCE, Camera, Lines, Watch, free_port, start

PAGE = ROOT / "docs/deploying.md"


class Guide(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.text = PAGE.read_text().split("\n## A server for years\n")[1].split("\n## ")[0]
        self.ports = {"7411": str(free_port()), "7412": str(free_port())}

    def place(self, text):
        """A text of the guide with the folder and the ports of this test."""
        for folder in ("/etc/glyphwire", "/etc/prometheus"):
            text = text.replace(folder, str(self.folder))
        for old, new in self.ports.items():
            text = text.replace(f":{old}", f":{new}").replace(f": {old}", f": {new}")
        return text

    def block(self, name):
        """A file of the guide, which begins with its name."""
        return self.place(re.search(rf"```yaml\n# (?:\S+/)?{name}\n(.*?)```", self.text, re.S).group(1))

    def command(self, word):
        """The first command of the guide that has a word."""
        commands = re.findall(r"^\$ ((?:.*\\\n)*.*)$", self.text, re.M)
        return self.place(next(command for command in commands if word in command).replace("sudo ", ""))

    def shell(self, word):
        command = self.command(word).replace("glyphwire config", f"{PROGRAM} config")
        run = subprocess.run(["bash", "-c", command], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(run.returncode, 0, run.stdout)
        return run.stdout

    def serve(self):
        """The server as the service starts it, with the port of the test."""
        (self.folder / "token").write_text("0123456789abcdef0123456789abcdef\n")
        (self.folder / "token").chmod(0o600)
        self.shell("openssl req")
        (self.folder / "glyphwire.yaml").write_text(self.block("glyphwire.yaml") + f"port: {self.ports['7411']}\n")
        self.assertIn("would listen", self.shell("config check"))
        unit = (ROOT / "deploy/glyphwire.service").read_text()
        start_line = re.search(r"^ExecStart=/usr/bin/glyphwire (.*)$", unit, re.M).group(1)
        arguments = self.place(start_line).replace("${CREDENTIALS_DIRECTORY}", str(self.folder)).split()
        server = start(self, [PROGRAM, *arguments, "--log-level", "error"], "stdout")
        Lines(server.stdout).wait(lambda line: "answering HTTP on https://" in line)

    def test_the_services_do_what_it_says(self):
        self.serve()
        self.shell("curl")
        camera = Camera(FIRST.read_bytes())
        self.addCleanup(camera.unplug)
        cameras = self.block("cameras.yaml").replace("rtsp://user:secret@10.0.0.7/1", f"http://127.0.0.1:{camera.port}/a.mjpg")
        cameras = cameras.replace("http://10.0.0.9/", f"http://127.0.0.1:{camera.port}/")
        (self.folder / "cameras.yaml").write_text(cameras)
        unit = (ROOT / "deploy/glyphwire-watch.service").read_text()
        start_line = self.place(re.search(r"^ExecStart=/usr/bin/glyphwire watch (.*)$", unit, re.M).group(1))
        options = self.place(re.search(r'^Environment="OPTIONS=(.*)"$', self.text, re.M).group(1))
        arguments = start_line.replace("${CREDENTIALS_DIRECTORY}", str(self.folder)).replace("$OPTIONS", options)
        with Watch(*arguments.split()) as watch:
            for source in ("gate", "meter"):
                if not watch.seen("appeared", source=source, text=IN_FIRST):
                    watch.event("appeared", source=source, text=IN_FIRST)
            self.assertEqual(watch.stop(), 0)
        if shutil.which("prometheus"):
            self.scrape()

    def scrape(self):
        """Has Prometheus collect the metrics, with the files of the guide."""
        shutil.copy(self.folder / "token", self.folder / "glyphwire-token")
        shutil.copy(self.folder / "server.pem", self.folder / "glyphwire.pem")
        shutil.copy(ROOT / "deploy/prometheus/glyphwire.rules.yml", self.folder)
        (self.folder / "prometheus.yml").write_text(self.block("prometheus.yml").replace("15s", "1s"))
        listen = f"127.0.0.1:{free_port()}"
        command = [f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/data"]
        prometheus = start(self, ["prometheus", *command, f"--web.listen-address={listen}"], "stderr")
        Lines(prometheus.stderr).wait(lambda line: "Server is ready" in line)
        query = f"http://{listen}/api/v1/query?" + urllib.parse.urlencode({"query": 'sum(glyphwire_frames_total{status="ok"}) > 0'})
        for _ in range(PATIENCE):
            with urllib.request.urlopen(query) as answer:
                if json.load(answer)["data"]["result"]:
                    return
            # Prometheus tells no one that it has collected something.
            threading.Event().wait(0.5)
        self.fail("Prometheus has no frames of the server")


if __name__ == "__main__":
    unittest.main()
