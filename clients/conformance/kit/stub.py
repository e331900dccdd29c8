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
#: Seconds in which a client sees that a connection has ended though it cannot send what it has in hand.
TIME_TO_NOTICE = 2


class StubServer:
    """Plays a script to every connection, one thread each."""

    def __init__(self, script, port=0, receive_buffer=None, host="127.0.0.1"):
        self.script = script
        self.connections = []
        #: Notified when a client has connected, and when none will any more.
        self.accepted = threading.Condition()
        self.is_stopped = False
        #: Exceptions of scripts, with the connection's number.
        self.failures = []
        self._receive_buffer = receive_buffer
        #: Whether a client cannot get rid of all that it has to send.
        self.holds_back = receive_buffer is not None
        self._threads = []
        self.host = host
        self._listener = self._bound(port)
        self.port = self._listener.getsockname()[1]
        self.listen()

    def _bound(self, port):
        """A socket that has the port, and refuses who connects as long as it does not listen."""
        bound = socket.socket(socket.AF_INET6 if ":" in self.host else socket.AF_INET)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if self._receive_buffer:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._receive_buffer)
        bound.bind((self.host, port))
        return bound

    def listen(self):
        """Listens, on the same port as before."""
        self._listener.listen()
        thread = threading.Thread(target=self._accept, args=(self._listener,), daemon=True)
        thread.start()

    def stop_listening(self):
        """Refuses who connects from now on; the port stays taken, or another stub might get it."""
        self._close_listener()
        self._listener = self._bound(self.port)

    def _close_listener(self):
        try:
            self._listener.shutdown(socket.SHUT_RDWR)  # ends accept()
        except OSError:
            pass
        self._listener.close()

    def stop(self):
        """Stops listening, and waits until every script has come to its end."""
        self._close_listener()
        with self.accepted:
            self.is_stopped = True
            self.accepted.notify_all()
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
        #: The frame of which only the beginning was taken, with so much of its payload, behind those of `received`.
        self.part = None
        #: The line that each frame was answered with, by its place among the frames in `received`.
        self.answers = []
        #: Whether answers may have been lost with the connection.
        self.is_reset = False
        self.was_reset_by_client = False
        #: Bytes that are read at once, bytes that are read in a second, and the time of the next read.
        self._piece, self._rate, self._due = 1 << 20, None, 0
        self._socket = connected
        self._socket.settimeout(PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    # What it receives

    def slow_down(self, piece, rate):
        """Reads at most so many bytes at once, and so many in a second; a read that comes late is made up for."""
        self._piece, self._rate, self._due = piece, rate, time.monotonic()

    def read(self, size):
        """So many bytes; fewer where the client has sent no more."""
        data = bytearray()
        while len(data) < size:
            piece = self._socket.recv(min(size - len(data), self._piece))
            if not piece:
                break
            if self._rate:
                self._due += len(piece) / self._rate
                time.sleep(max(0, self._due - time.monotonic()))
            data += piece
        return bytes(data)

    def receive(self):
        """The next message; None when there are no more, or the client has reset the connection."""
        try:
            received = wire.read_message(self.read)
        except ConnectionResetError:
            received, self.was_reset_by_client = None, True
        if received is not None:
            self.received.append(received)
        return received

    def receive_part(self, size):
        """Takes so many bytes of the next frame's payload, and no more."""
        found = wire.read_head(self.read)
        assert found and found[0].type == wire.FRAME, "what follows is not a frame"
        head, whole = found
        self.part = head._replace(payload=self.read(min(size, whole)))

    def receive_within(self, seconds):
        """The next message, if it begins within some seconds; else None."""
        is_there = bool(select.select([self._socket], [], [], seconds)[0])
        return self.receive() if is_there else None

    def drain(self):
        """Takes whatever the client still sends."""
        while self.receive():
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

        Returns whether the client has ended the stream; raises AssertionError if it did, or left, before so many frames.
        """
        while frames is None or len(self.answers) < frames:
            received = self.receive()
            if received is not None:
                (answer or self.answer)(received)
            if received is None or received.type == wire.END:
                assert frames is None, f"the client sent {len(self.answers)} frames, and not {frames}"
                return received is not None
        return False

    # How it ends

    def finish(self):
        """Closes so that everything that was sent arrives: what the client still sends is taken."""
        self.say_no_more()
        self.take_the_rest()

    def say_no_more(self):
        self._socket.shutdown(socket.SHUT_WR)

    def take_the_rest(self):
        """Takes what the client still sends once it has seen the end, and closes."""
        if self.server.holds_back:
            # Sockets are full meanwhile, and whoever reads sees the end, and connects again.
            self._is_followed_within(TIME_TO_NOTICE)
        self.drain()
        self.close()

    def ignore(self):
        """Reads nothing until the client has connected again."""
        assert self._is_followed_within(PATIENCE), "the client has not connected again"
        self.drain()

    def _is_followed_within(self, seconds):
        """Waits until the client has connected again, or the server is stopped; returns whether it has connected again."""
        server = self.server
        with server.accepted:
            server.accepted.wait_for(lambda: server.is_stopped or len(server.connections) > self.number, seconds)
            return len(server.connections) > self.number

    def reset(self):
        """Closes so that the client's next read or write fails."""
        self.is_reset = True
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        self._socket.close()
