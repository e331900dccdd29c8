import json
import unittest

from glyphwire import (
    Configured, End, ErrorLine, FrameWarning, Goaway, GlyphwireError, Hello, Line, Result, TextMatch, TextScores,
)
from glyphwire._lines import parse

from .support import wire


def line_of(fields):
    return parse(wire.dump(fields), 1.0)


class ResultTests(unittest.TestCase):
    frame = wire.message(wire.FRAME, b"x", sequence=4, captured_us=9, orientation=6)

    def test_words_and_characters_keep_their_places(self):
        result = line_of(wire.result(self.frame, ["EXIT 42"]))
        self.assertIsInstance(result, Result)
        self.assertEqual((result.sequence, result.captured_us, result.is_ok, result.code), (4, 9, True, None))
        self.assertEqual((result.text, result.orientation, result.level), ("EXIT 42", 6, "fast"))
        (line,) = result.lines
        self.assertEqual([word.text for word in line.words], ["EXIT", "42"])
        self.assertEqual(result.words, list(line.words))
        self.assertEqual([one.text for one in line.words[1].characters], ["4", "2"])
        self.assertEqual(len(line.words[0].box), 8)
        self.assertIsNone(line.words[0].id)
        self.assertEqual(result.timings_us["total"], 13954)

    def test_a_change_names_its_region(self):
        change = {"type": "changed", "id": 3, "text": "0042", "box": [0] * 8, "previous": "0041", "region": "meter"}
        result = line_of({**wire.result(self.frame, []), "changes": [change]})
        self.assertEqual([(one.text, one.previous, one.region) for one in result.changes], [("0042", "0041", "meter")])

    def test_a_greeting_may_name_languages(self):
        self.assertEqual(line_of({**wire.HELLO, "languages": ["th", "hi"]}).languages, ["th", "hi"])
        self.assertEqual(line_of(wire.HELLO).languages, [])

    def test_what_is_compared_and_found_is_told(self):
        result = line_of(wire.full_result(self.frame))
        first, second = result.lines
        self.assertEqual((first.script, first.scores), ("Latn", TextScores(0.902, 0.981)))
        self.assertEqual([one.text for one in first.candidates], ["EXIT 42", "EX1T 42"])
        self.assertEqual((first.state, second.state), ("kept", "read"))
        self.assertEqual([word.id for word in result.words], [0, 1, 10, 11, 12, 13])
        self.assertEqual(result.matches, [TextMatch(1, "42", 0, (1,), first.words[1].box)])
        self.assertEqual((result.reused, result.truncated, result.matches_complete), (True, True, False))
        self.assertEqual((result.lost, result.age_ms), ([3, 2**64 - 1], -7))
        self.assertEqual(
            result.warnings,
            [FrameWarning("jpeg_no_end"), FrameWarning("jpeg_damaged", row=312), FrameWarning("newer", scale=0.5)],
        )

    def test_what_is_not_told_is_not_there(self):
        fields = wire.result(self.frame, ["EXIT"])
        del fields["lines"][0]["scores"], fields["lines"][0]["script"]
        result = line_of(fields)
        (line,) = result.lines
        self.assertEqual((line.script, line.scores, line.state), (None, None, None))
        self.assertEqual((result.reused, result.truncated, result.matches_complete), (False, False, True))
        self.assertEqual((result.lost, result.matches, result.warnings), ([], [], []))
        self.assertEqual((result.age_ms, result.reason, result.by), (None, None, None))

    def test_matches_and_lost_words_that_are_none_are_told_as_a_bad_line(self):
        for name, wrong in (("matches", [{"pattern": 0}]), ("matches", 7), ("lost", ["a"]), ("lost", [True]), ("warnings", [{}]), ("warnings", ["a"])):
            result = line_of({**wire.result(self.frame, ["EXIT"]), name: wrong})
            with self.assertRaises(GlyphwireError) as raised:
                getattr(result, name)
            self.assertEqual(raised.exception.code, "bad_line")

    def test_an_error_has_a_code_and_no_text(self):
        result = line_of(wire.failed(self.frame, "jpeg_corrupt", "cut off"))
        self.assertEqual((result.status, result.code, result.message), ("error", "jpeg_corrupt", "cut off"))
        self.assertEqual((result.text, result.lines, result.words, result.width), ("", [], [], None))

    def test_an_unknown_status_is_a_frame_that_was_not_read(self):
        fields = {"type": "result", "sequence": 8, "captured_us": 0, "status": "dropped", "by": 9, "odd": [1]}
        result = line_of({**fields, "reason": "superseded"})
        self.assertEqual((result.is_ok, result.status, result.code, result.by), (False, "dropped", None, 9))
        self.assertEqual(result.reason, "superseded")
        self.assertEqual((result.words, result.fields["odd"]), ([], [1]))

    def test_boxes_that_are_none_are_told_as_a_bad_line(self):
        for wrong in ([1, 2], None, ["a"] * 8):
            fields = wire.result(self.frame, ["EXIT"])
            fields["lines"][0]["words"][0]["box"] = wrong
            with self.assertRaises(GlyphwireError) as raised:
                line_of(fields).words  # noqa: B018
            self.assertEqual(raised.exception.code, "bad_line")


class LineTests(unittest.TestCase):
    def test_each_type_has_its_class(self):
        hello = line_of(wire.HELLO)
        self.assertIsInstance(hello, Hello)
        self.assertEqual((hello.server, hello.protocol, hello.auth), ("glyphwire", 1, "none"))
        self.assertIsInstance(line_of({"type": "end", "sequence": 1, "frames": 2}), End)
        goaway = line_of({"type": "goaway", "grace_ms": 9000})
        self.assertIsInstance(goaway, Goaway)
        self.assertEqual(goaway.grace_ms, 9000)
        error = line_of(wire.error(None, "message_too_large", True))
        self.assertIsInstance(error, ErrorLine)
        self.assertEqual((error.sequence, error.code, error.fatal), (None, "message_too_large", True))

    def test_a_window_is_told_where_there_is_one(self):
        fields = {"type": "configured", "sequence": 1, "options": {}}
        self.assertIsInstance(line_of(fields), Configured)
        self.assertIsNone(line_of(fields).window)
        self.assertEqual(line_of({**fields, "window": 4}).window, 4)

    def test_a_type_that_is_not_known_is_a_line_all_the_same(self):
        line = line_of({"type": "weather", "sun": True})
        self.assertIs(type(line), Line)
        self.assertEqual((line.type, line.fields["sun"]), ("weather", True))

    def test_what_is_no_line_is_told(self):
        for wrong in (
            b"",
            b"7",
            b"[]",
            b"{}",
            b'{"type":7}',
            b'{"type":"end"',
            b"\xff",
            b"[" * 100000,
            b'{"type":"e","n":NaN}',
        ):
            with self.assertRaises(GlyphwireError) as raised:
                parse(wrong, 0.0)
            self.assertEqual(raised.exception.code, "bad_line", wrong[:20])

    def test_members_of_the_wrong_type_are_told(self):
        with self.assertRaises(GlyphwireError) as raised:
            line_of({"type": "pong", "sequence": True}).sequence  # noqa: B018
        self.assertEqual(raised.exception.code, "bad_line")

    def test_numbers_of_64_bits_are_exact(self):
        self.assertEqual(line_of({"type": "end", "sequence": 2**64 - 1, "frames": 0}).sequence, 2**64 - 1)

    def test_the_line_is_kept_as_it_came(self):
        text = json.dumps({"type": "end", "sequence": 1, "frames": 0}, indent=None, separators=(" , ", " : ")).encode()
        self.assertEqual(parse(text, 0.0).line, text)
