"""The demo session and its summary: what is said of a scene in a script that may have no reader."""

import json
import sys
import unittest
from pathlib import Path

DEMO = Path(__file__).resolve().parents[2] / "demo"
sys.path.insert(0, str(DEMO))
import summary  # noqa: E402

#: What each version of the session may add to the history, in bytes.
LARGEST = 4_500_000


def corners(left):
    return [[left, 0], [left + 40, 0], [left + 40, 10], [left, 10]]


def truth(sequence, scene, words, **more):
    items = [{"text": word, "poly": corners(60 * place), "ignore": False} for place, word in enumerate(words)]
    return {"sequence": sequence, "scene": scene, "width": 640, "height": 480, "orientation": 1, "items": items} | more


def line(texts, left=0, **more):
    boxes = [sum(corners(left + 60 * place), []) for place in range(len(texts))]
    return {"text": " ".join(texts), "words": [{"text": text, "box": box} for text, box in zip(texts, boxes)]} | more


TRUTHS = [truth(1, "door", ["EXIT"]), truth(2, "pharmacy", ["Вход", "со", "двора"], language="ru")]
UNREAD = {"script": "Cyrl", "reason": "script_unavailable"}


def scenes(lines, **hello):
    results = [[line(["EXIT"])], lines]
    told = [
        {"type": "result", "status": "ok", "sequence": number, "lines": each} for number, each in enumerate(results, 1)
    ]
    return summary.scenes_of(TRUTHS, [{"type": "hello"} | hello, *told])


class SummaryTests(unittest.TestCase):
    def test_a_scene_whose_reader_is_there_counts_as_others(self):
        read = scenes([line(["Вход", "со", "двора"], script="Cyrl")], languages=["el", "ru"])
        self.assertIsNone(read[1].note)
        self.assertTrue(read[1].heading.endswith("words 1.000"))
        self.assertTrue(summary.total(read).startswith("Words read, in all: 1.000"))
        missed = scenes([line(["", "", ""], **UNREAD)], languages=["ru"])
        self.assertTrue(missed[1].heading.endswith("words 0.000"))

    def test_a_scene_without_a_reader_is_left_out_and_what_was_made_up_is_said(self):
        for hello in ({}, {"languages": ["el"]}):
            with self.subTest(hello):
                found = scenes([line(["", ""], **UNREAD), line(["ABOpa"], left=120, script="Latn")], **hello)
                self.assertIn("2 of 3 words; made up: 1.", found[1].note)
                self.assertTrue(found[1].heading.endswith("words not counted"))
                self.assertTrue(summary.total(found).startswith("Words read, in all but pharmacy: 1.000"))

    def test_a_line_without_text_says_why(self):
        self.assertEqual(summary.text_of(line(["", ""], **UNREAD) | {"text": ""}), "[Cyrl: script_unavailable]")


class SessionTests(unittest.TestCase):
    def test_it_has_a_scene_in_another_script_and_stays_small(self):
        truths = [json.loads(each) for each in (DEMO / "session.jsonl").read_text().splitlines()]
        self.assertEqual([each["sequence"] for each in truths], list(range(1, len(truths) + 1)))
        self.assertEqual({each["language"] for each in truths if "language" in each}, {"ru"})
        self.assertLess((DEMO / "session.gws").stat().st_size, LARGEST)
        self.assertIn(f"plays {len(truths)} frames", (DEMO.parent / "README.md").read_text())


if __name__ == "__main__":
    unittest.main()
