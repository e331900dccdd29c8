"""A server that answers as it is told, without reading a picture."""

import json
import select
import socket
import struct
import threading
import time

from . import wire

#: Longer than any client should need for anything here.
PATIENCE = 15


class StubServer:
    """Plays a script to every connection, one thread each."""

    def __init__(self, script, port=0, receive_buffer=None, host="127.0.0.1"):
        self.script = script
        self.connections = []
        #: Notified when a client has connected.
        self.accepted = threading.Condition()
        #: Exceptions of scripts, with the connection's number.
        self.failures = []
        self._receive_buffer = receive_buffer
        #: Whether a client cannot get rid of all that it has to send.
        self.holds_back = receive_buffer is not None
        self._threads = []
        self._listener = None
        self.host = host
        self.port = port
        self.listen()

    def listen(self):
        """Listens, on the same port as before."""
        self._listener = socket.socket(socket.AF_INET6 if ":" in self.host else socket.AF_INET)
        self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if self._receive_buffer:
            self._listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._receive_buffer)
        self._listener.bind((self.host, self.port))
        self._listener.listen()
        self.port = self._listener.getsockname()[1]
        thread = threading.Thread(target=self._accept, args=(self._listener,), daemon=True)
        thread.start()

    def stop_listening(self):
        """Refuses who connects from now on."""
        try:
            self._listener.shutdown(socket.SHUT_RDWR)  # ends accept()
        except OSError:
            pass
        self._listener.close()

    def stop(self):
        """Stops listening, and waits until every script has come to its end."""
        self.stop_listening()
        for thread in self._threads:
            thread.join(PATIENCE)

    def _accept(self, listener):
        while True:
            try:
                connected, _ = listener.accept()
            except OSError:
                return
            connection = StubConnection(self, connected, len(self.connections) + 1)
            with self.accepted:
                self.connections.append(connection)
                self.accepted.notify_all()
            thread = threading.Thread(target=self._play, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _play(self, connection):
        try:
            self.script(connection)
        except Exception as error:
            self.failures.append((connection.number, error))
        finally:
            connection.close()


class StubConnection:
    """One client of a stub."""

    def __init__(self, server, connected, number):
        self.server = server
        #: 1 for the first that was accepted.
        self.number = number
        self.accepted_at = time.monotonic()
        #: Every whole message, in order.
        self.received = []
        #: The line that each frame was answered with, by its place among the frames in `received`.
        self.answers = []
        #: Bytes that are read at once, and seconds that each read takes.
        self._piece, self._pause = 1 << 20, 0
        self._socket = connected
        self._socket.settimeout(PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    # What it receives

    def slow_down(self, piece, pause):
        """Reads at most so many bytes at once, and none for so many seconds after each read."""
        self._piece, self._pause = piece, pause

    def read(self, size):
        """So many bytes; fewer where the client has sent no more."""
        data = bytearray()
        while len(data) < size:
            piece = self._socket.recv(min(size - len(data), self._piece))
            if not piece:
                break
            time.sleep(self._pause)
            data += piece
        return bytes(data)

    def receive(self):
        """The next message; None when there are no more."""
        received = wire.read_message(self.read)
        if received is not None:
            self.received.append(received)
        return received

    def receive_within(self, seconds):
        """The next message, if it begins within some seconds; else None."""
        is_there = bool(select.select([self._socket], [], [], seconds)[0])
        return self.receive() if is_there else None

    def drain(self):
        """Takes whatever the client still sends."""
        try:
            while self.receive():
                pass
        except ConnectionResetError:
            pass

    @property
    def frames(self):
        return [one for one in self.received if one.type == wire.FRAME]

    # What it sends

    def send(self, data):
        self._socket.sendall(data)

    def send_line(self, line):
        """Sends a line, given as bytes or as an object; returns what was sent, without the line feed."""
        line = line if isinstance(line, bytes) else wire.dump(line)
        self.send(line + b"\n")
        return line

    def greet(self, **changes):
        self.send_line({**wire.HELLO, **changes})

    def complain(self, what):
        """Has the check fail, and goes on."""
        self.server.failures.append((self.number, AssertionError(what)))

    def answer_frame(self, line, send=None):
        """Answers the next frame that has no answer; `send` says how its bytes are sent."""
        line = line if isinstance(line, bytes) else wire.dump(line)
        self.answers.append(line)
        (send or self.send)(line + b"\n")

    def answer(self, received, **how):
        """Answers any message as a good server would."""
        if received.type == wire.FRAME:
            self.answer_frame(wire.result(received), **how)
        else:
            line = wire.dump(self._reply(received))
            how.get("send", self.send)(line + b"\n")

    def _reply(self, received):
        sequence = received.sequence
        if received.type == wire.CONFIGURE:
            options = {**wire.OPTIONS, **json.loads(received.payload or b"{}")}
            options.pop("token", None)
            options.setdefault("temporal", options["delivery"] == "live")
            window = {"window": wire.WINDOW} if options["delivery"] == "every" else {}
            return {"type": "configured", "sequence": sequence, **window, "options": options}
        if received.type == wire.PING:
            return {
                "type": "pong",
                "sequence": sequence,
                "captured_us": received.captured_us,
                "received_us": 1763704801151305,
                "sent_us": 1763704801151320,
            }
        if received.type == wire.STATS:
            stage = {"count": 1, "p50": 18, "p90": 41, "p99": 41, "max": 41}
            part = {"frames": {"ok": len(self.answers), "error": 0}, "timings_us": dict.fromkeys(wire.TIMINGS, stage)}
            return {"type": "stats", "sequence": sequence, "connection": part, "server": part}
        if received.type == wire.END:
            return {"type": "end", "sequence": sequence, "frames": len(self.answers)}
        return wire.error(sequence, "unknown_type", False)

    def serve(self, frames=None, answer=None):
        """Answers messages until the end of the stream, or until so many frames were answered.

        Returns whether the client has ended the stream.
        """
        while frames is None or len(self.answers) < frames:
            received = self.receive()
            if received is None:
                return False
            (answer or self.answer)(received)
            if received.type == wire.END:
                return True
        return False

    # How it ends

    def finish(self):
        """Closes so that everything that was sent arrives: what the client still sends is taken."""
        self._socket.shutdown(socket.SHUT_WR)
        if self.server.holds_back:
            time.sleep(0.2)  # sockets are full meanwhile, and whoever reads has seen the end
        self.drain()
        self.close()

    def ignore(self):
        """Reads nothing until the client has connected again."""
        with self.server.accepted:
            if not self.server.accepted.wait_for(lambda: len(self.server.connections) > self.number, PATIENCE):
                raise AssertionError("the client waits for ever")
        self.drain()

    def reset(self):
        """Closes so that the client's next read or write fails."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        self._socket.close()
