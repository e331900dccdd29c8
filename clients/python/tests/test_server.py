import time

import glyphwire
from glyphwire import Frame, FrameFormat, GlyphwireError, Options, Orientation

from .support import JPEG, ServerProgram, TestCase, server_program, wire

try:
    import numpy
except ImportError:
    numpy = None


class ServerTests(TestCase):
    """The real server, as it is built."""

    @classmethod
    def setUpClass(cls):
        cls.server = ServerProgram(server_program())
        cls.addClassCleanup(cls.server.stop)

    def test_every_format_is_read(self):
        names = [
            "101-jpeg-420",
            "111-bgra-lz4-block",
            "113-bgra",
            "115-bgra-lz4-frame",
            "121-gray",
            "123-gray-lz4-block",
        ]
        sent = [next(one for one in wire.vector(name) if one.type == wire.FRAME) for name in names]
        frames = [Frame(one.payload, one.format, one.width, one.height, one.bytes_per_row) for one in sent]
        self.assertEqual([frame.format for frame in frames], list(FrameFormat))
        with glyphwire.connect("localhost", self.server.port, options={"delivery": "every"}) as connection:
            texts = [result.text for result in connection.read(frames)]
        self.assertEqual([text.split()[0] for text in texts], ["EXIT"] * 6)

    def test_options_requests_and_refusals(self):
        with glyphwire.connect("localhost", self.server.port, options={"characters": False}) as connection:
            connection.send(Frame.open(JPEG))
            with self.assertRaises(GlyphwireError) as raised:
                connection.configure({"level": "turbo"})
            self.assertEqual(raised.exception.wire_code, "bad_option")
            self.assertEqual(connection.stats().connection["frames"]["ok"], 1)
            self.assertGreater(connection.ping().sent_us, 0)
            connection.finish()
            (result,) = connection.results()
        self.assertIn("Old Ferry Pier", result.text)
        self.assertTrue(all(not word.characters for word in result.words))

    def test_every_option_is_taken_and_what_it_asks_for_is_told(self):
        options: Options = {
            "client": "the tests",
            "level": "fast",
            "recognize": True,
            "characters": False,
            "coordinates": "upright",
            "minimumTextHeight": 0.01,
            "regionOfInterest": (0, 0, 1, 1),
            "upright": "auto",
            "languages": ["en"],
            "customWords": ["Ferry"],
            "characterSet": "A-Za-z0-9-",
            "languageCorrection": False,
            "report": "all",
            "unreadable": "omit",
            "damaged": "read",
            "candidates": 3,
            "delivery": "every",
            "deadline_ms": 60000,
            "clock_offset_us": 0,
            "temporal": True,
            "refresh_ms": 1000,
            "regions": [
                {
                    "name": "sign",
                    "regionOfInterest": [0, 0, 1, 1],
                    "find": [],
                    "characterSet": "",
                    "minimumTextHeight": 0,
                }
            ],
            "find": ["ferry", r"/\d+-\d+/"],
        }
        self.assertEqual(set(Options.__annotations__) - set(options), {"token"})
        with glyphwire.connect("localhost", self.server.port) as connection:
            in_force = connection.configure(options)
            self.assertEqual({name: in_force[name] for name in options}, {**options, "regionOfInterest": [0, 0, 1, 1]})
            # Its own tag says that it lies; the header says that it does not, and the server finds out.
            frame = Frame.open(JPEG, orientation=Orientation.UP, captured_us=time.time_ns() // 1000)
            first, second = connection.read([frame, frame])
        self.assertEqual([match.text for match in first.matches], ["27-41", "Ferry"])
        match = first.matches[1]
        self.assertEqual(first.lines[match.line].words[match.words[0]].text, "Ferry")
        self.assertTrue(all(line.scores and line.candidates and line.state == "new" for line in first.lines))
        self.assertEqual({line.region for line in first.lines} | {match.region for match in first.matches}, {"sign"})
        self.assertEqual({line.script for line in first.lines}, {"Latn", None})
        self.assertTrue(second.reused and all(line.state == "kept" for line in second.lines))
        self.assertEqual([word.id for word in second.words], [word.id for word in first.words])
        self.assertEqual((first.orientation, first.coordinates), (Orientation.LEFT, "upright"))
        self.assertGreaterEqual(first.age_ms or -1, 0)
        self.assertEqual((second.lost, second.truncated, second.matches_complete), ([], False, True))

    def test_a_stream_reports_changes(self):
        with glyphwire.connect("localhost", self.server.port, options={"report": "changes", "delivery": "every"}) as connection:
            first, second = connection.read([Frame.open(JPEG), Frame.open(JPEG)])
        self.assertIn(("appeared", "Old Ferry Pier"), [(change.type, change.text) for change in first.changes])
        self.assertEqual((first.text, first.lines, second.changes), ("", [], []))
        self.assertEqual(len({change.id for change in first.changes}), len(first.changes))
        self.assertEqual(len(first.changes[0].box), 8)

    def test_arrays_are_read(self):
        if numpy is None:
            self.skipTest("no numpy")
        (sign,) = (one for one in wire.vector("121-gray") if one.type == wire.FRAME)
        gray = numpy.frombuffer(sign.payload, numpy.uint8).reshape(sign.height, sign.width)
        frames = [Frame.from_array(gray), Frame.from_array(numpy.dstack([gray] * 3))]
        with glyphwire.connect("localhost", self.server.port, options={"delivery": "every"}) as connection:
            self.assertEqual([result.text for result in connection.read(frames)], ["EXIT", "EXIT"])
