import contextlib
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from kit import server_check, wire
from kit.stub import StubServer


def flaws(script, only):
    """What is wrong with a server that follows a script, by the vectors' names."""
    stub = StubServer(script)
    found = {}
    server_check.check("127.0.0.1", stub.port, server_check.vectors(only), False, found.__setitem__)
    stub.stop()
    return found


def serve(connection):
    connection.greet()
    connection.serve()


def run(*arguments):
    """How `conformance server` ends, and all that it says."""
    kit = Path(__file__).resolve().parents[1] / "conformance"
    command = [sys.executable, kit, "server", *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


@contextlib.contextmanager
def tls_server():
    """The port of a server that gives up who says nothing, and shakes hands with the next."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listener:
        key, certificate = f"{folder}/key", f"{folder}/certificate"
        make = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=server"
        subprocess.run([*make.split(), "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)

        def serve():
            listener.accept()[0].close()
            context.wrap_socket(listener.accept()[0], server_side=True).close()

        server = threading.Thread(target=serve)
        server.start()
        yield listener.getsockname()[1]
        server.join()


class ServerCheckTests(unittest.TestCase):
    def test_right_answers_pass(self):
        only = ["001", "002", "003", "311"]
        self.assertEqual(set(flaws(serve, only).values()), {None})

    def test_a_wrong_answer_is_told_with_its_place(self):
        found = flaws(serve, ["123"])  # a frame, which the stub does not read
        self.assertIn("whole: lines[0].", found["123-gray-lz4-block"])

    def test_a_message_without_an_answer_is_named(self):
        def forgetful(connection):
            connection.greet()
            first = connection.receive()
            while (received := connection.receive()) is not None and received.sequence == first.sequence:
                pass
            connection.answer(received)

        only = next(one.name for one in server_check.vectors() if len({m.sequence for m in wire.messages(one.data)}) > 2)
        self.assertRegex(flaws(forgetful, [only])[only], r"message \d+ has no answer: line 1 answers message \d+")

    def test_an_answer_too_few_and_one_too_many_are_told(self):
        def mute(connection):
            connection.greet()
            connection.receive()

        def talkative(connection):
            connection.greet()
            connection.send_line({"type": "weather"})
            connection.serve()

        self.assertIn("0 lines instead of 1", flaws(mute, ["001"])["001-end"])
        self.assertIn("2 lines instead of 1", flaws(talkative, ["001"])["001-end"])

    def test_a_server_that_minds_where_the_bytes_are_cut_is_told(self):
        def impatient(connection):
            connection.greet()
            if len(connection._socket.recv(1 << 16)) < 32:
                return
            connection.send_line({"type": "end", "sequence": 9, "frames": 0})

        self.assertIn("byte by byte", flaws(impatient, ["001"])["001-end"])

    def test_what_is_no_greeting_is_told(self):
        for greeting in (b"", b"HTTP/1.1 400 Bad Request\n", wire.dump({**wire.HELLO, "protocol": 2}) + b"\n"):
            found = flaws(lambda connection, greeting=greeting: connection.send(greeting), ["001"])
            self.assertIsNotNone(found["001-end"])

    def test_a_server_that_cannot_be_checked_is_told_once(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
        status, said = run("127.0.0.1", port)
        self.assertEqual((status, said), (1, f"conformance: no server can be reached at 127.0.0.1:{port}: Connection refused\n"))
        for script, reason in {
            lambda connection: connection.greet(auth="token"): "asks for a token",
            lambda connection: connection.send(b"HTTP/1.1 400 Bad Request\r\n"): "greets with no hello of version 1",
            lambda connection: None: "greets nobody",
        }.items():
            stub = StubServer(script)
            status, said = run("127.0.0.1", stub.port)
            stub.stop()
            self.assertRegex(said, f"^conformance: [^\n]*{reason}[^\n]*\n$")
            self.assertEqual(status, 1)

    @unittest.skipUnless(shutil.which("openssl"), "no openssl")
    def test_a_server_that_speaks_tls_is_told_so(self):
        with tls_server() as port:
            self.assertRegex(run("127.0.0.1", port)[1], "^conformance: [^\n]* speaks TLS[^\n]*\n$")

    def test_a_program_that_is_no_server_is_told_in_a_line(self):
        for program, reason in {"/bin/true": "did not say where it listens", __file__: "cannot be run"}.items():
            status, said = run("--start", program)
            self.assertRegex(said, f"^conformance: [^\n]*{reason}[^\n]*\n$")
            self.assertEqual(status, 1)

    def test_a_vector_that_there_is_not_is_told(self):
        self.assertEqual(run("--start", "/bin/true", "--only", "zzz"), (1, "conformance: no vector's name begins with zzz\n"))

    def test_vectors_that_need_a_special_server_say_so(self):
        needed = {one.name[:3]: one.arguments for one in server_check.vectors(["004", "406", "611"])}
        self.assertEqual(needed, {"004": [], "406": ["--levels", "fast"], "611": ["--token-file", "token.txt"]})
