"""One connection that keeps account of what it sent and what came back."""

import asyncio
import json
import time
from collections import Counter, deque

from .frames import CONFIGURE, END, FRAME, PING, STATS, message

ANSWERS = {FRAME: "result", CONFIGURE: "configured", PING: "pong", END: "end", STATS: "stats"}
#: A line of a large page with all its characters.
LONGEST_LINE = 16 << 20


class Wrong(Exception):
    """The server did what it must not."""


class Account:
    """What became of the frames of many connections."""

    def __init__(self):
        self.counts = Counter()
        self.wrong = []

    def add(self, what, number=1):
        self.counts[what] += number

    def complain(self, text):
        self.counts["wrong"] += 1
        if len(self.wrong) < 20:
            self.wrong.append(text)


class Stream:
    """A connection whose every message is answered once and in its order, or it complains."""

    def __init__(self, reader, writer, account):
        self.reader = reader
        self.writer = writer
        self.account = account
        self.unanswered = deque()
        self.sequence = 0
        self.frames = 0
        self.hello = None

    @classmethod
    async def connect(cls, port, account, options=None, host="127.0.0.1", preamble=b""):
        """Connects, sends the bytes of `preamble`, and waits for `hello` and what answers the options."""
        reader, writer = await asyncio.open_connection(host, port, limit=LONGEST_LINE)
        writer.write(preamble)
        stream = cls(reader, writer, account)
        stream.hello = json.loads(await reader.readline() or b"{}")
        if stream.hello.get("type") != "hello":
            raise Wrong(f"greeted with {stream.hello}")
        account.add("connections")
        if options is not None:
            await stream.send(CONFIGURE, json.dumps(options).encode())
            await stream.answer()
        return stream

    async def send(self, type, payload=b"", captured_us=0):
        self.sequence += 1
        self.unanswered.append((type, self.sequence, None))
        self.writer.write(message(type, payload, sequence=self.sequence, captured_us=captured_us))
        await self.writer.drain()

    async def send_picture(self, picture, payload=None, note=None):
        """Sends a frame; `note` comes back with its answer."""
        self.sequence += 1
        self.frames += 1
        self.unanswered.append((FRAME, self.sequence, note))
        self.account.add("frames sent")
        self.writer.write(picture.message(self.sequence, int(time.time() * 1e6), payload))
        await self.writer.drain()

    async def answer(self):
        """The next line, and the note of the message it answers; None at the end of the stream."""
        text = await self.reader.readline()
        if not text:
            return None
        line = json.loads(text)
        if line["type"] == "error" and line["fatal"]:
            return line, None
        if not self.unanswered:
            raise Wrong(f"a line that nobody asked for: {text[:200]!r}")
        type, sequence, note = self.unanswered.popleft()
        if line["type"] not in (ANSWERS[type], "error") or line["sequence"] != sequence:
            raise Wrong(f"the answer to message {sequence} of type {type} is {text[:200]!r}")
        if type == FRAME:
            self.account.add(f"frames {line['status']}")
        return line, note

    async def finish(self):
        """Ends the stream properly: everything is answered, the frames are counted, nothing comes behind."""
        await self.send(END)
        line = None
        while self.unanswered:
            answered = await self.answer()
            if answered is None:
                raise Wrong(f"closed with {len(self.unanswered)} messages unanswered")
            yield answered
            line = answered[0]
        if line["type"] != "end" or line["frames"] != self.frames:
            raise Wrong(f"{self.frames} frames were sent, the last line is {line}")
        if await self.reader.read(1):
            raise Wrong("there is something behind the end")
        self.account.add("connections ended properly")

    def abort(self):
        """Goes away without a word; what is unanswered stays so, and is the client's own doing."""
        self.account.add("frames given up by the client", sum(type == FRAME for type, _, _ in self.unanswered))
        self.account.add("connections cut by the client")
        self.writer.transport.abort()

    def close(self):
        self.writer.close()


def reading(line):
    """What a result says of its frame, without what differs from one reading to the next."""
    return {name: value for name, value in line.items() if name not in ("sequence", "captured_us", "timings_us", "age_ms")}
