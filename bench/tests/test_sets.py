"""Data sets, and options, that cannot be used: each is refused before anything is measured, with what is wrong."""

import argparse
import json
import tempfile
import unittest
from pathlib import Path

from glyphbench import arguments
from glyphbench.sets import DataSet

QUAD = [[0, 0], [40, 0], [40, 10], [0, 10]]


def truth(image="a.jpg", **item):
    return json.dumps({"image": image, "items": [{"poly": QUAD, "text": "EXIT"} | item]})


class DataSetTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "a.jpg").touch()

    def read(self, *lines):
        (self.folder / "gt.jsonl").write_text("\n".join(lines), encoding="utf-8")
        return DataSet(self.folder)

    def test_lines_are_pictures_and_empty_ones_are_none(self):
        data = self.read(truth(), "", truth(text="WAY OUT"))
        self.assertEqual((len(data.truths), data.word_count), (2, 3))

    def test_a_flaw_is_named_with_its_file_and_line(self):
        flaws = {
            '{"image": "a.jpg", "items": [}': "no JSON: Expecting value",
            '["a.jpg"]': "no object with `image` and `items`",
            '{"image": "a.jpg"}': "no object with `image` and `items`",
            '{"image": "a.jpg", "items": [{"text": "EXIT"}]}': "an item without `poly`",
            truth(image="b.jpg"): "there is no b.jpg",
        }
        for line, flaw in flaws.items():
            with self.subTest(line), self.assertRaises(SystemExit) as refusal:
                self.read(truth(), line)
            self.assertTrue(str(refusal.exception).startswith(f"bench: {self.folder}/gt.jsonl:2: {flaw}"))

    def test_what_is_ignored_needs_no_text(self):
        line = json.dumps({"image": "a.jpg", "items": [{"poly": QUAD, "ignore": True}]})
        self.assertEqual(self.read(line).word_count, 0)


class ArgumentTests(unittest.TestCase):
    def test_counts_are_whole_numbers_from_1(self):
        self.assertEqual(arguments.count("20"), 20)
        for text in ("0", "-1", "1.5", "x", ""):
            with self.subTest(text), self.assertRaises(argparse.ArgumentTypeError):
                arguments.count(text)

    def test_a_core_is_one_that_the_process_may_use(self):
        with self.assertRaisesRegex(argparse.ArgumentTypeError, "this process may use 0"):
            arguments.core("9999")


if __name__ == "__main__":
    unittest.main()
