"""`glyphwire watch --server`: TLS with a certificate of OpenSSL, tokens, and what changes of them while it runs."""

import os
import re
import signal
import socket
import ssl
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from glyphwire_program import PROGRAM
from test_watch import FIRST, IN_FIRST, IN_SECOND, SECOND
from watching import Camera, Watch, start


def make_certificate(folder, name):
    """A certificate of the loopback address that signs itself, and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    subject = ["-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*command, "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
    return certificate, key


class Server(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.token = self.folder / "token"
        self.token.write_text("the-first-token-0123456789\n")
        self.token.chmod(0o600)
        self.camera = Camera(FIRST.read_bytes())
        self.addCleanup(self.camera.unplug)
        self.source = f"gate=http://127.0.0.1:{self.camera.port}/stream.mjpg"

    def serve(self, certificate, key, clients, port=0):
        """A server with this certificate, which requires one of clients and the token; and its port."""
        files = ["--tls-certificate", certificate, "--tls-key", key, "--tls-client-ca", clients, "--token-file", self.token]
        command = [PROGRAM, "serve", "--port", port, "--levels", "fast", "--workers", "1", "--log-level", "error", *files]
        server = start(self, list(map(str, command)), "stdout")
        return server, int(re.search(r":(\d+) \(", server.stdout.readline()).group(1))

    def remote(self, port, trusted, certificate):
        """The arguments of a `watch` that uses this server, with this certificate of its own."""
        return [
            "--server", f"127.0.0.1:{port}", "--tls-ca", trusted, "--token-file", self.token,
            "--tls-certificate", certificate[0], "--tls-key", certificate[1],
        ]

    def test_files_are_read_again_and_ids_go_on(self):
        first, second = make_certificate(self.folder, "first"), make_certificate(self.folder, "second")
        trusted = self.folder / "trusted.pem"
        trusted.write_bytes(first[0].read_bytes())
        server, port = self.serve(*first, clients=first[0])
        with Watch(self.source, *self.remote(port, trusted, first)) as watch:
            text = watch.event("appeared", text=IN_FIRST)

            # Another certificate and another token at the server. What the client trusts is not changed by a broken file.
            server.kill()
            server.wait()
            self.token.write_text("another-token-0123456789\n")
            watch.log.wait(lambda line: "waiting for the server" in line)
            trusted.write_text("no certificate")
            watch.process.send_signal(signal.SIGHUP)
            watch.log.wait(lambda line: "stay as they are" in line and "trusted.pem" in line)
            server, _ = self.serve(*second, clients=first[0], port=port)
            trusted.write_bytes(second[0].read_bytes())
            watch.process.send_signal(signal.SIGHUP)
            watch.log.wait(lambda line: "the sources were read again" in line)
            self.camera.show(SECOND.read_bytes())
            watch.event("appeared", text=IN_SECOND)
            lost = watch.seen("lost", text=IN_FIRST) or [watch.event("lost", text=IN_FIRST)]
            self.assertEqual([event["id"] for event in lost], [text["id"]])
            self.assertEqual(len(watch.seen("appeared", text=IN_FIRST)), 1)
            # The server's absence is told once, and so is the broken file.
            self.assertEqual(watch.log.count(lambda line: "warning" in line or "error" in line), 2, watch.log.seen)
            self.assertEqual(watch.stop(), 0)

    def test_an_absent_server_is_logged_once_and_so_is_its_return(self):
        certificate = make_certificate(self.folder, "server")
        server, port = self.serve(*certificate, clients=certificate[0])
        with Watch(self.source, *self.remote(port, certificate[0], certificate)) as watch:
            watch.event("appeared", text=IN_FIRST)
            for absence in range(1, 3):
                server.kill()
                server.wait()
                watch.log.wait(lambda line: "waiting for the server" in line and "source=gate" in line)
                server, _ = self.serve(*certificate, clients=certificate[0], port=port)
                watch.log.wait(lambda line: "the server is back" in line)
                warnings = watch.log.count(lambda line: "warning" in line or "error" in line)
                self.assertEqual(warnings, absence, watch.log.seen)
            self.camera.show(SECOND.read_bytes())
            watch.event("appeared", text=IN_SECOND)
            self.assertEqual(watch.stop(), 0)

    def test_a_certificate_that_is_renewed_late_is_awaited(self):
        certificate, other = make_certificate(self.folder, "server"), make_certificate(self.folder, "other")
        server, port = self.serve(*certificate, clients=certificate[0])
        with Watch(self.source, *self.remote(port, certificate[0], certificate)) as watch:
            watch.event("appeared", text=IN_FIRST)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*other)
            server.kill()
            server.wait()
            with socket.create_server(("127.0.0.1", port)) as listener:
                connection, _ = listener.accept()
                with self.assertRaises(OSError), connection:
                    context.wrap_socket(connection, server_side=True)
            self.serve(*certificate, clients=certificate[0], port=port)
            watch.log.wait(lambda line: "the server is back" in line)
            self.camera.show(SECOND.read_bytes())
            # It may be what another text has become.
            watch.lines.wait(lambda line: IN_SECOND in line)
            self.assertEqual(watch.stop(), 0)

    def test_a_page_for_other_machines_has_https_and_a_token(self):
        environment = {**os.environ, "XDG_STATE_HOME": str(self.folder)}
        page = ["--http", "0.0.0.0:0", "--tls-self-signed", "--token-file", self.token]
        with Watch(self.source, *page, environment=environment) as watch:
            shown = watch.log.wait(lambda line: "streams are shown" in line)
            watch.event("appeared", text=IN_FIRST)
            port = re.search(r"https://0\.0\.0\.0:(\d+)/", shown).group(1)
            context = ssl.create_default_context(cafile=self.folder / "glyphwire/self-signed.pem")

            def streams(token):
                headers = {"Authorization": f"Bearer {token}"}
                request = urllib.request.Request(f"https://127.0.0.1:{port}/streams", headers=headers)
                try:
                    return urllib.request.urlopen(request, context=context).read().decode()
                except urllib.error.HTTPError as error:
                    error.close()
                    return error.code

            old, new = self.token.read_text().strip(), "another-token-0123456789"
            self.assertIn("gate", streams(old))
            self.assertEqual(streams(new), 401)
            # Another token for browsers; the sources go on undisturbed.
            self.token.write_text(new)
            watch.process.send_signal(signal.SIGHUP)
            watch.log.wait(lambda line: "the sources were read again" in line)
            self.assertEqual(streams(old), 401)
            self.assertIn("gate", streams(new))
            self.camera.show(SECOND.read_bytes())
            watch.event("appeared", text=IN_SECOND)
            self.assertEqual(len(watch.seen("online")), 1)
            self.assertEqual(watch.stop(), 0)

    def test_mistakes_are_explained(self):
        for arguments, reason in (
            (["--tls"], "name it with --server"),
            (["--token-file", "token"], "name one of them"),
            (["--http", "0.0.0.0:0"], "--token-file"),
            (["--server", "127.0.0.1:1", "--tls-certificate", "a.pem"], "both --tls-certificate and --tls-key"),
            (["--server", "127.0.0.1:1", "--tls-ca", "/nonexistent.pem"], "check that /nonexistent.pem"),
        ):
            with self.subTest(reason):
                run = subprocess.run([PROGRAM, "watch", self.source, *arguments], capture_output=True, text=True)
                self.assertNotEqual(run.returncode, 0)
                self.assertIn(reason, run.stderr)


if __name__ == "__main__":
    unittest.main()
