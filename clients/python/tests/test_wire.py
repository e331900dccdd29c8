import json
import re
import unittest

from glyphwire import Frame, FrameFormat, GlyphwireError, Orientation, _wire

from .support import ROOT


def documented_messages():
    """The examples of Protocol.md, byte by byte."""
    text = (ROOT / "Protocol.md").read_text("utf-8")
    for block in re.findall(r"```hex\n(.*?)```", text, re.DOTALL):
        lines = [line[:48].split("   ")[0] for line in block.splitlines()]
        yield bytes.fromhex("".join(lines))


class MessageTests(unittest.TestCase):
    def test_messages_are_those_of_the_protocol(self):
        frame = Frame((b"\xff" * 8 + b"\0\0") * 3 + b"\xff" * 8, FrameFormat.GRAY, 8, 4, 10)
        body = _wire.configure_body({"characters": False, "candidates": 2}).options.replace(b" ", b"")
        messages = {
            "configure": _wire.header(_wire.CONFIGURE, len(body), sequence=1) + body,
            "camera": _wire.header(
                1,
                48213,
                sequence=2,
                format=FrameFormat.JPEG,
                orientation=Orientation.RIGHT,
                captured_us=1763704800126144,
            ),
            "gray": _wire.frame_header(frame, 3) + bytes(frame.payload),
            "ping": _wire.header(_wire.PING, 0, sequence=5, captured_us=1763704801150942),
            "stats": _wire.header(_wire.STATS, 0, sequence=6),
            "end": _wire.header(_wire.END, 0, sequence=8),
        }
        documented = list(documented_messages())
        for name, message in messages.items():
            self.assertIn(message, documented, name)

    def test_options_keep_their_names_and_text(self):
        self.assertEqual(json.loads(_wire.configure_body({"client": "Tür 7"}).options), {"client": "Tür 7"})
        self.assertIn("Tür".encode(), _wire.configure_body({"client": "Tür 7"}).options)


class LineSplitterTests(unittest.TestCase):
    data = "eins\n\nzwölf\nrest".encode()

    def test_every_split_gives_the_same_lines(self):
        for cut in range(len(self.data) + 1):
            splitter = _wire.LineSplitter(100)
            lines = splitter.feed(self.data[:cut]) + splitter.feed(self.data[cut:])
            self.assertEqual(lines, [b"eins", b"", "zwölf".encode()])
            self.assertEqual(splitter.feed(b"\n"), [b"rest"])

    def test_a_line_may_be_as_long_as_the_limit_and_no_longer(self):
        self.assertEqual(_wire.LineSplitter(4).feed(b"1234\n"), [b"1234"])
        for pieces in ([b"12345\n"], [b"123", b"45"]):
            splitter = _wire.LineSplitter(4)
            with self.assertRaises(GlyphwireError) as raised:
                for piece in pieces:
                    splitter.feed(piece)
            self.assertEqual(raised.exception.code, "line_too_long")
