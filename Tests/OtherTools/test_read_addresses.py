"""`glyphwire read` of addresses: pictures of a web server, and what becomes of answers that are none."""

import base64
import json
import subprocess
import tempfile
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from glyphwire_program import PROGRAM, SIGN
from watching import free_port

TEXT = "Old Ferry Pier"
LIMIT = 64 << 20


class Handler(BaseHTTPRequestHandler):
    """Answers by the path."""

    def log_message(self, *_):
        pass

    def do_GET(self):
        login = "Basic " + base64.b64encode(b"user:secret").decode()
        if self.path.startswith("/private") and self.headers["Authorization"] != login:
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="pictures"')
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if self.path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", "/sign.jpg")
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if self.path.startswith("/missing"):
            return self.send_error(404)
        self.send_response(200)
        self.end_headers()
        try:
            if self.path.startswith("/endless"):
                for _ in range(LIMIT // (1 << 20) + 1):
                    self.wfile.write(bytes(1 << 20))
            elif self.path.startswith("/silent"):
                self.server.ended.wait()
            elif self.path.startswith("/page"):
                self.wfile.write(b"<!DOCTYPE html><title>No picture</title>")
            else:
                self.wfile.write(SIGN.read_bytes())
        except ConnectionError:
            pass


class Addresses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        cls.server.daemon_threads = True
        cls.server.ended = threading.Event()
        threading.Thread(target=cls.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        cls.base = f"http://127.0.0.1:{cls.server.server_address[1]}"

    @classmethod
    def tearDownClass(cls):
        cls.server.ended.set()
        cls.server.shutdown()
        cls.server.server_close()

    def test_pictures_are_read_and_passwords_are_not_shown(self):
        private = self.base.replace("//", "//user:secret@") + "/private.jpg?size=2"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "list"
            path.write_text(f"{self.base}/sign.jpg\n{self.base}/moved\n")
            arguments = ["--format", "json", f"@{path}", private, "--overlay", Path(folder) / "boxes"]
            run = subprocess.run([PROGRAM, "read", *arguments], capture_output=True, text=True)
            self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertEqual(len(list((Path(folder) / "boxes").iterdir())), 3)
        for line in run.stdout.splitlines():
            self.assertIn(TEXT, [line["text"] for line in json.loads(line)["lines"]])
        table = subprocess.run([PROGRAM, "read", "--format", "tsv", private], check=True, stdout=subprocess.PIPE).stdout
        self.assertIn(f"{self.base}/private.jpg?size=2".encode(), table)
        self.assertNotIn(b"secret", table)

    def test_what_is_no_picture_is_explained_and_bounded(self):
        port = free_port()
        reasons = {
            f"{self.base}/missing.jpg": "answers 404 Not Found.",
            f"{self.base}/private.jpg": "answers 401 Unauthorized.",
            f"{self.base}/endless.jpg": f"more than {LIMIT} bytes, which is the limit.",
            f"{self.base}/silent.jpg": "longer than 3.0 seconds.",
            f"{self.base}/page.html": "page.html",
            f"http://127.0.0.1:{port}/sign.jpg": "Connection refused.",
            f"https://127.0.0.1:{self.server.server_address[1]}/sign.jpg": "TLS failed: wrong version number.",
            "http://host.invalid/sign.jpg": "no such host.",
        }
        command = [PROGRAM, "read", "--timeout", "3s", *reasons, f"{self.base}/sign.jpg"]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn(TEXT, run.stdout)
        lines = run.stderr.splitlines()
        self.assertEqual(len(lines), len(reasons), run.stderr)
        for line, (address, reason) in zip(lines, reasons.items()):
            self.assertTrue(line.startswith(f"glyphwire: {address} ") and reason in line, line)


if __name__ == "__main__":
    unittest.main()
