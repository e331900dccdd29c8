"""TLS against a stub server with a TLS front, whose certificate the test makes."""

import asyncio
import io
import queue
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import unittest
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from glyphwire import Frame, FrameFormat, GlyphwireError, connect, connect_async
from glyphwire.__main__ import main

from .support import JPEG, PATIENCE, TestCase, stub
from .test_readme import TLS

FRAMES = [Frame(bytes([i]) * (1 << 18), FrameFormat.GRAY, 512, 512) for i in range(40)]
#: More than all buffers between the two ends hold.
LARGE = Frame(bytes(24 << 20), FrameFormat.GRAY, 4096, 6144)


def make_certificate(folder, name):
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    command += ["-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    command += ["-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"]
    subprocess.run(command, check=True, capture_output=True)


@contextmanager
def front(folder, port):
    """A port that speaks TLS and hands what comes to another port, as stunnel does."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    listener = socket.create_server(("127.0.0.1", 0))
    ends = queue.SimpleQueue()

    handled = []

    async def handle(reader, writer):
        handled.append(asyncio.current_task())
        try:
            inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", port)

            async def copy(source, target):
                while data := await source.read(1 << 16):
                    target.write(data)
                    await target.drain()
                if target.can_write_eof():
                    target.write_eof()

            forth = asyncio.ensure_future(copy(reader, inner_writer))
            try:
                await copy(inner_reader, writer)
            finally:
                forth.cancel()
                await asyncio.gather(forth, return_exceptions=True)
            inner_writer.close()
            writer.close()
        except OSError:
            writer.close()

    async def main():
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        ends.put(lambda: loop.call_soon_threadsafe(ended.set))
        async with await asyncio.start_server(handle, sock=listener, ssl=context):
            await ended.wait()
            await asyncio.gather(*handled)

    thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        ends.get()()
        thread.join()


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class TLSTests(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        for name in ["server", "other"]:
            make_certificate(cls.folder, name)

    def context(self, name="server"):
        return ssl.create_default_context(cafile=self.folder / f"{name}.pem")

    def test_frames_go_in_and_results_come_out(self):
        for host in ["localhost", "127.0.0.1"]:
            with stub() as server, front(self.folder, server.port) as port:
                with connect(host, port, tls=self.context()) as connection:
                    self.assertEqual([result.status for result in connection.read(FRAMES)], ["ok"] * len(FRAMES))

    def test_so_they_do_with_asyncio(self):
        async def run(port):
            async with await connect_async("localhost", port, tls=self.context()) as connection:
                return [result.status async for result in connection.read(FRAMES)]

        with stub() as server, front(self.folder, server.port) as port:
            self.assertEqual(asyncio.run(run(port)), ["ok"] * len(FRAMES))

    def test_lines_are_read_while_a_frame_is_held_back(self):
        def answer_first(connection):
            connection.greet()
            first = connection.receive()
            for _ in range(12):
                connection.send_line({"type": "weather", "text": "x" * (4 << 20)})
            connection.answer(first)
            connection.serve()

        with stub(answer_first) as server, front(self.folder, server.port) as port:
            with connect("localhost", port, tls=self.context()) as connection:
                results = [result.status for result in connection.read([FRAMES[0], LARGE])]
        self.assertEqual(results, ["ok", "ok"])

    def test_a_server_that_falls_silent_while_a_frame_is_held_back_counts_as_lost(self):
        is_over = threading.Event()

        def take_no_more(connection):
            connection.greet()
            connection.receive()
            connection.send_line({"type": "weather"})
            is_over.wait(PATIENCE)

        with stub(take_no_more, may_break=True) as server, front(self.folder, server.port) as port:
            with connect("localhost", port, tls=self.context(), answer_timeout=0.5) as connection:
                with self.assertRaisesRegex(GlyphwireError, "has sent nothing for 0.5 s"):
                    list(connection.read([FRAMES[0], LARGE]))
            is_over.set()

    def test_the_example_of_the_readme_runs(self):
        example = TLS.replace('"server.pem"', repr(str(self.folder / "server.pem")))
        with stub() as server, front(self.folder, server.port) as port, redirect_stdout(io.StringIO()) as output:
            exec(compile(example.replace('"camera-server.local"', f'"localhost", {port}'), "README.md", "exec"), {})
        self.assertEqual(output.getvalue(), "glyphwire\n")

    def test_a_server_that_nobody_vouches_for_is_not_believed(self):
        with stub(may_break=True) as server, front(self.folder, server.port) as port:
            for tls in [True, self.context("other")]:
                self.assert_refused("trust the certificate or its authority", port, tls)

    def test_a_server_without_tls_is_told(self):
        def talk(connection):
            connection.greet()
            connection.drain()

        with stub(talk, may_break=True) as server:
            self.assert_refused("check that the server speaks TLS", server.port, self.context())

    def assert_refused(self, advice, port, tls):
        for attempt in (connect, lambda *to, **settings: asyncio.run(connect_async(*to, **settings))):
            with self.assertRaisesRegex(GlyphwireError, advice) as raised:
                attempt("localhost", port, tls=tls)
            self.assertEqual((raised.exception.code, raised.exception.is_permanent), ("cannot_connect", True))

    def test_the_command_does_not_wait_for_another_certificate(self):
        with stub(may_break=True) as server, front(self.folder, server.port) as port:
            with redirect_stderr(io.StringIO()) as errors:
                status = main(["--host", "localhost", "--port", str(port), "--tls", str(JPEG)])
        self.assertEqual(status, 1)
        self.assertIn("--tls-ca FILE", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
