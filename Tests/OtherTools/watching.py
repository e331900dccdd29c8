"""`glyphwire watch`, and cameras for it."""

import hashlib
import json
import queue
import re
import signal
import socket
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

from glyphwire_program import PROGRAM

DEBIAN_PYTHON = "/usr/bin/python3"
MOSQUITTO = "/usr/sbin/mosquitto"

# Time for what happens within a few seconds, on a busy machine.
PATIENCE = 60


def free_port():
    """A port that no one listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def start(test, command, stream):
    """Starts a server that ends with the test; `stream` is that of its output which is read."""
    process = subprocess.Popen(command, text=True, **{"stdout": subprocess.DEVNULL, stream: subprocess.PIPE})
    test.addCleanup(getattr(process, stream).close)
    test.addCleanup(process.wait)
    test.addCleanup(process.kill)
    return process


def start_rtsp(test, port, picture):
    """GStreamer's RTSP server, which shows a picture at rtsp://127.0.0.1:PORT/camera."""
    command = [DEBIAN_PYTHON, Path(__file__).with_name("rtsp_server.py"), str(port), picture]
    server = start(test, command, "stdout")
    test.assertTrue(server.stdout.readline().startswith("rtsp://"))
    return server


def start_broker(test, configuration):
    """Mosquitto with this configuration, once it runs."""
    broker = start(test, [MOSQUITTO, "-c", configuration, "-v"], "stderr")
    broker.lines = Lines(broker.stderr)
    broker.lines.wait(lambda line: "running" in line)
    return broker


class Lines:
    """Lines of a stream, which arrive while others are waited for."""

    def __init__(self, stream):
        self.seen = []
        self.queue = queue.Queue()
        threading.Thread(target=self.read, args=(stream,), daemon=True).start()

    def read(self, stream):
        for line in stream:
            self.queue.put(line.rstrip("\n"))
        self.queue.put(None)

    def wait(self, fits, timeout=PATIENCE):
        """The next line that fits; those before it are passed over."""
        while True:
            try:
                line = self.queue.get(timeout=timeout)
            except queue.Empty:
                raise AssertionError(f"nothing fits among {self.seen[-20:]}") from None
            if line is None:
                raise AssertionError(f"the stream has ended after {self.seen[-20:]}")
            self.seen.append(line)
            if fits(line):
                return line

    def count(self, fits):
        """The number of lines seen so far that fit."""
        return len(list(filter(fits, self.seen)))

    def wait_for_each(self, conditions, count=1):
        """Waits until so many lines in all have fitted each condition, in any order."""
        for fits in conditions:
            while self.count(fits) < count:
                self.wait(fits)


class Size(NamedTuple):
    """What a process holds."""

    resident: int
    threads: int
    files: int
    children: int


class Watch:
    """A running `glyphwire watch`."""

    def __init__(self, *arguments, environment=None, output=subprocess.PIPE):
        """With another `output` than a pipe, the events are not read."""
        self.process = subprocess.Popen(
            [PROGRAM, "watch", *map(str, arguments)],
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.lines = Lines(self.process.stdout) if self.process.stdout else None
        self.log = Lines(self.process.stderr)

    def event(self, kind, **members):
        """The next event of this type with these members."""

        def fits(line):
            event = json.loads(line)
            return event["type"] == kind and all(event.get(name) == value for name, value in members.items())

        return json.loads(self.lines.wait(fits))

    def seen(self, kind, **members):
        """The events of this type among those seen."""
        events = map(json.loads, self.lines.seen)
        return [e for e in events if e["type"] == kind and all(e.get(n) == v for n, v in members.items())]

    def event_of(self, source):
        """The first text of a source, now or among the events seen."""
        return (self.seen("appeared", source=source) or [self.event("appeared", source=source)])[0]

    def children(self):
        """The numbers of the child processes."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]

    def size(self):
        """What the process holds: resident bytes of its own, threads, open files and child processes."""
        folder = Path(f"/proc/{self.process.pid}")
        resident = int(re.search(r"RssAnon:\s+(\d+) kB", (folder / "status").read_text()).group(1)) * 1024
        threads, files = len(list((folder / "task").iterdir())), len(list((folder / "fd").iterdir()))
        return Size(resident, threads, files, len(self.children()))

    def stop(self, number=signal.SIGTERM):
        """Ends it; its exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        if self.process.stdout:
            self.process.stdout.close()
        self.process.stderr.close()


class Digest:
    """Digest authentication by RFC 7616, with nonces that hold for a few requests."""

    def __init__(self, algorithm, user="user", password="secret", uses=3):
        self.algorithm, self.user, self.password, self.uses = algorithm, user, password, uses
        self.nonces = {}
        #: The values of `Authorization` that were sent.
        self.seen = []

    def hash(self, *parts):
        return hashlib.new(self.algorithm.replace("-", "").lower(), ":".join(parts).encode()).hexdigest()

    def challenge(self, is_stale=False):
        nonce = f"nonce, number {len(self.nonces)}"
        self.nonces[nonce] = 0
        stale = ", stale=true" if is_stale else ""
        return f'Digest realm="cameras", nonce="{nonce}", qop="auth,auth-int", algorithm={self.algorithm}, opaque="x"{stale}'

    def refusal(self, method, path, header):
        """The challenge with which a request is refused; None if it is right."""
        self.seen.append(header)
        if not (header or "").startswith("Digest "):
            return self.challenge()
        fields = re.findall(r'(\w+)=(?:"([^"]*)"|([^",\s]+))', header)
        given = {name: quoted or plain for name, quoted, plain in fields}
        secret = self.hash(self.user, "cameras", self.password)
        request = self.hash(method, path)
        counted = (given["nonce"], given["nc"], given["cnonce"], "auth")
        right = given["username"] == self.user and given["uri"] == path and given["opaque"] == "x"
        if not right or given["response"] != self.hash(secret, *counted, request) or given["nonce"] not in self.nonces:
            return self.challenge()
        self.nonces[given["nonce"]] += 1
        count = self.nonces[given["nonce"]]
        return None if int(given["nc"], 16) == count <= self.uses else self.challenge(is_stale=True)


class Camera:
    """A camera on the web, which shows one picture until it is shown another: /stream.mjpg and /snapshot.jpg."""

    def __init__(self, picture, port=0, digest=None):
        self.change = threading.Condition()
        self.picture = picture
        self.is_plugged = True
        camera = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                refusal = digest and digest.refusal("GET", self.path, self.headers["Authorization"])
                if refusal:
                    self.send_response(401)
                    self.send_header("WWW-Authenticate", 'Basic realm="cameras"')
                    self.send_header("WWW-Authenticate", refusal)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self.send_response(200)
                if self.path.startswith("/snapshot"):
                    self.send_header("Content-Type", "image/jpeg")
                    self.send_header("Content-Length", str(len(camera.picture)))
                    self.end_headers()
                    self.wfile.write(camera.picture)
                    return
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                with camera.change:
                    while camera.is_plugged:
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(camera.picture)}\r\n\r\n"
                        try:
                            self.wfile.write(head.encode() + camera.picture + b"\r\n")
                        except ConnectionError:
                            return
                        camera.change.wait(0.2)

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def show(self, picture):
        """Shows another picture."""
        with self.change:
            self.picture = picture
            self.change.notify_all()

    def unplug(self):
        """Ends all connections, and accepts none."""
        with self.change:
            self.is_plugged = False
            self.change.notify_all()
        self.server.shutdown()
        self.server.server_close()


class Receiver:
    """A web address that takes events; it answers with the codes given first, then with 200."""

    def __init__(self, *codes, port=0):
        self.events = queue.Queue()
        codes = list(codes)
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                event = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                code = codes.pop(0) if codes else 200
                if code == 200:
                    receiver.events.put(event)
                self.send_response(code)
                self.send_header("Content-Length", "0")
                self.end_headers()

        self.server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/events"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
