"""The judge of live streams, by streams of a few frames."""

import unittest

from glyphbench.live import judge


def item(text, track, left=0, ignore=False):
    corners = [[left, 0], [left + 40, 0], [left + 40, 10], [left, 10]]
    return {"text": text, "track": track, "poly": corners, "ignore": ignore}


def told(text, id, left=0):
    return {"text": text, "id": id, "box": [left, 0, left + 40, 0, left + 40, 10, left, 10]}


def judged(items, words):
    """What is said of a stream, by the items and the told words of each frame."""
    return judge([{"items": each} for each in items], [{"lines": [{"words": each}]} for each in words])


class JudgeTests(unittest.TestCase):
    def test_a_word_that_keeps_its_id_has_one(self):
        self.assertEqual(judged([[item("EXIT", 1)]] * 3, [[told("EXIT", 7)]] * 3), {"words": 1, "ids": 1, "late": None})

    def test_each_new_id_of_a_word_counts(self):
        frames = [[told("EXIT", 7)], [told("EXIT", 8)], [told("EXIT", 7)]]
        self.assertEqual(judged([[item("EXIT", 1)]] * 3, frames)["ids"], 2)

    def test_what_is_ignored_counts_neither_way(self):
        items = [item("EXIT", 1), item("###", 2, left=100, ignore=True)]
        self.assertEqual(judged([items], [[told("EXIT", 1), told("nonsense", 2, left=100)]])["words"], 1)

    def test_a_text_that_changed_is_late_by_the_frames_that_do_not_tell_it(self):
        texts = ["1", "2", "2", "2"]
        items = [[item(text, f"now/{text}")] for text in texts]
        for answers, late in ((texts, 0), (["1", "1", "2", "2"], 1), (["1", "1", "1", "1"], 3)):
            with self.subTest(answers):
                self.assertEqual(judged(items, [[told(text, 1)] for text in answers])["late"], late)

    def test_a_text_that_was_told_once_may_be_missed_afterwards(self):
        items = [[item("1", "now/1")]] * 3
        self.assertEqual(judged(items, [[told("1", 1)], [], []])["late"], 0)


if __name__ == "__main__":
    unittest.main()
