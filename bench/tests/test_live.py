"""The judge of live streams, and recordings, by streams of a few frames."""

import unittest

from glyphbench.live import judge
from glyphbench.recordings import Stream, tracked


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

    def test_a_track_whose_text_changes_is_a_word_for_each_text(self):
        frames = [[told("12:34", 7)], [told("12:35", 8)]]
        self.assertEqual(judged([[item("12:34", "clock")], [item("12:35", "clock")]], frames)["ids"], 1)

    def test_of_lines_the_bag_of_words_counts(self):
        truth = {"level": "line", "items": [item("WAY OUT", 1)]}
        words = [told("OUT", 1, left=400), told("WAY", 2)]
        self.assertEqual(judge([truth], [{"lines": [{"words": words}]}])["words"], 1)

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


class RecordingTests(unittest.TestCase):
    def test_a_lower_rate_takes_the_frames_that_are_due(self):
        times = [index / 30 for index in range(30)]
        stream = Stream("recording", list(range(30)), list(range(30)), times)
        self.assertEqual(stream.at_rate(5).frames, [0, 6, 12, 18, 24])
        self.assertEqual(stream.at_rate(30).frames, stream.frames)
        self.assertEqual(stream.first(0.1).frames, [0, 1, 2])

    def tracks(self, *frames):
        """The tracks of the items of each frame, which have none."""
        untracked = [[{name: value for name, value in each.items() if name != "track"} for each in items] for items in frames]
        return [[each["track"] for each in truth["items"]] for truth in tracked([{"items": items} for items in untracked])]

    def test_a_word_goes_on_in_its_place_or_else_in_the_nearest_of_its_text(self):
        first, second, third = self.tracks(
            [item("to", 0), item("be", 0, left=50), item("to", 0, left=200)],
            [item("to", 0), item("be", 0, left=100), item("to", 0, left=230)],
            [item("or", 0), item("to", 0, left=230), item("be", 0, left=300)],
        )
        self.assertEqual(len(set(first)), 3)
        self.assertEqual(second, first)
        self.assertEqual(third[1], first[2])
        self.assertEqual(set(third) & set(first), {first[2]})

    def test_tracks_that_are_given_stay(self):
        truths = [{"items": [item("EXIT", 7)]}, {"items": [item("EXIT", 8, left=5)]}]
        self.assertEqual([each["items"][0]["track"] for each in tracked(truths)], [7, 8])


if __name__ == "__main__":
    unittest.main()
