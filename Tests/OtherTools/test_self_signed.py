"""`glyphwire serve --tls-self-signed`: its certificate for OpenSSL, and the QR code on its terminal for OpenCV."""

import os
import pty
import re
import signal
import socket
import ssl
import stat
import subprocess
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

from glyphwire_program import PROGRAM

try:
    import cv2
    import numpy
except ImportError:
    cv2 = None


class Server:
    """A server on a terminal."""

    def __init__(self, state, *arguments):
        self.terminal, end = pty.openpty()
        arguments = ["serve", "--port", "0", "--http", "127.0.0.1:0", "--levels", "fast", "--tls-self-signed", *arguments]
        environment = {**os.environ, "XDG_STATE_HOME": state}
        self.process = subprocess.Popen([PROGRAM, *arguments], stdout=end, stderr=subprocess.DEVNULL, env=environment)
        os.close(end)

    def read_code(self):
        """The address, and the lines of the code behind it."""
        output, rows = b"", []
        # A square: two rows of modules in each line, as many as a line has characters.
        while not rows or 2 * len(rows) < len(rows[0]):
            output += os.read(self.terminal, 65536)
            text = output.decode(errors="replace").replace("\r\n", "\n")
            rows = re.findall(r"\x1b\[38;5;16m\x1b\[48;5;231m(.*)\x1b\[0m\n", text)
        address = re.search(r"https://127\.0\.0\.1:(\d+)/camera[^\n]*", text)
        return address, rows

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.terminal)


def certificate(port, authority):
    """The certificate, as OpenSSL accepts it for the address."""
    context = ssl.create_default_context(cafile=authority)
    with socket.create_connection(("127.0.0.1", port)) as plain:
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as secured:
            return secured.getpeercert()


class SelfSigned(unittest.TestCase):
    def test_the_metrics_state_when_the_certificate_expires(self):
        with tempfile.TemporaryDirectory() as state, Server(state) as server:
            address, _ = server.read_code()
            path = Path(state) / "glyphwire/self-signed.pem"
            expiry = ssl.cert_time_to_seconds(certificate(int(address.group(1)), path)["notAfter"])
            context = ssl.create_default_context(cafile=path)
            metrics = urllib.request.urlopen(f"https://127.0.0.1:{address.group(1)}/metrics", context=context)
            name = "glyphwire_tls_certificate_expiry_seconds "
            values = [float(line.removeprefix(name)) for line in metrics.read().decode().splitlines() if line.startswith(name)]
        self.assertEqual(values, [expiry])

    def test_the_certificate_is_kept_and_names_this_machine(self):
        with tempfile.TemporaryDirectory() as state:
            path = Path(state) / "glyphwire/self-signed.pem"
            serials = []
            for _ in range(2):
                with Server(state) as server:
                    address, _ = server.read_code()
                    found = certificate(int(address.group(1)), path)
                names = found["subjectAltName"]
                self.assertIn(("IP Address", "127.0.0.1"), names)
                self.assertIn(("DNS", socket.gethostname()), names)
                self.assertIn(("DNS", "localhost"), names)
                serials.append(found["serialNumber"])
                self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
            self.assertEqual(serials[0], serials[1])

    def test_a_check_makes_no_certificate(self):
        with tempfile.TemporaryDirectory() as state:
            command = [PROGRAM, "config", "check", "--tls-self-signed"]
            check = subprocess.run(
                command, env={**os.environ, "XDG_STATE_HOME": state}, capture_output=True, text=True, check=True
            )
            self.assertEqual(list(Path(state).iterdir()), [])
        self.assertIn(", TLS", check.stdout)

    def test_the_certificate_is_replaced_at_a_signal_before_it_ends(self):
        with tempfile.TemporaryDirectory() as state, Server(state) as server:
            port = int(server.read_code()[0].group(1))
            path = Path(state) / "glyphwire/self-signed.pem"
            found = certificate(port, path)
            first = ssl.get_server_certificate(("127.0.0.1", port))
            names = ",".join(f"{'DNS' if kind == 'DNS' else 'IP'}:{name.strip()}" for kind, name in found["subjectAltName"])
            key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{state}/key"]
            request = ["openssl", "req", "-x509", "-subj", "/CN=box", "-days", "5", "-addext", f"subjectAltName={names}"]
            subprocess.run([*request, *key, "-out", f"{state}/old"], check=True, stderr=subprocess.DEVNULL)
            path.write_text(Path(f"{state}/old").read_text() + Path(f"{state}/key").read_text())
            server.process.send_signal(signal.SIGHUP)
            while ssl.get_server_certificate(("127.0.0.1", port)) == first:
                pass
            days = (ssl.cert_time_to_seconds(certificate(port, path)["notAfter"]) - time.time()) / 86400
        self.assertGreater(days, 800)

    @unittest.skipUnless(cv2, "OpenCV is missing")
    def test_a_phone_reads_the_code_with_the_token(self):
        with tempfile.TemporaryDirectory() as state:
            token = Path(state) / "token"
            token.write_text("a+b/0123456789abcdef0123456789==\n")
            token.chmod(0o600)
            with Server(state, "--token-file", str(token)) as server:
                address, rows = server.read_code()
                context = ssl.create_default_context(cafile=Path(state) / "glyphwire/self-signed.pem")
                page = urllib.request.urlopen(address.group().split("#")[0], context=context)
                self.assertIn(b"Glyphwire camera", page.read())
        self.assertTrue(address.group().endswith("#token=a%2Bb%2F0123456789abcdef0123456789%3D%3D"), address.group())
        dark = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
        modules = [[dark[character][half] for character in row] for row in rows for half in (0, 1)]
        picture = numpy.kron(255 * (1 - numpy.array(modules, dtype=numpy.uint8)), numpy.ones((8, 8), numpy.uint8))
        text, _, _ = cv2.QRCodeDetector().detectAndDecode(picture)
        self.assertEqual(text, address.group())


if __name__ == "__main__":
    unittest.main()
