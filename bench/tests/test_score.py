"""The scorer, by what it must say of pictures that are small enough to count by hand."""

import unittest
from collections import Counter

from glyphbench.geometry import Box, pairs
from glyphbench.score import bare, edits, figures, interval, tally


def quad(left, top, right, bottom):
    return [[left, top], [right, top], [right, bottom], [left, bottom]]


def word(text, *box):
    return {"quad": quad(*box), "text": text}


def item(text, *box, ignore=False, chars=()):
    return {"poly": quad(*box), "text": text, "ignore": ignore, "chars": list(chars)}


def scored(items, words, characters=None, level="word"):
    return figures(tally({"level": level, "items": items}, words, characters))


class GeometryTests(unittest.TestCase):
    def test_boxes_that_overlap_by_half_their_width_share_a_third_of_their_union(self):
        self.assertAlmostEqual(Box(quad(0, 0, 10, 10)).iou(Box(quad(5, 0, 15, 10))), 1 / 3)

    def test_a_box_turned_by_an_eighth_shares_an_octagon_with_itself_unturned(self):
        turned = Box([[0, -(2**0.5)], [2**0.5, 0], [0, 2**0.5], [-(2**0.5), 0]])
        self.assertAlmostEqual(turned.shared(Box(quad(-1, -1, 1, 1))), 8 * (2**0.5 - 1))

    def test_the_direction_of_the_corners_does_not_matter(self):
        self.assertAlmostEqual(Box(quad(0, 0, 4, 2)[::-1]).iou(Box(quad(0, 0, 4, 2))), 1)

    def test_a_box_without_area_overlaps_nothing(self):
        self.assertEqual(Box(quad(3, 3, 3, 9)).iou(Box(quad(0, 0, 10, 10))), 0)

    def test_boxes_are_paired_once_each_and_the_best_first(self):
        told = [Box(quad(0, 0, 10, 10)), Box(quad(1, 0, 11, 10)), Box(quad(50, 0, 60, 10))]
        self.assertEqual(pairs(told, [Box(quad(1, 0, 11, 10)), Box(quad(100, 0, 110, 10))]), [(1, 0)])

    def test_a_wide_box_is_found_by_one_that_begins_far_behind_its_left_side(self):
        self.assertEqual(pairs([Box(quad(40, 0, 100, 10))], [Box(quad(0, 0, 100, 10))]), [(0, 0)])


class ScoreTests(unittest.TestCase):
    def test_case_and_outer_punctuation_are_forgiven_and_inner_punctuation_is_not(self):
        self.assertEqual(bare("“Exit!”"), "exit")
        self.assertNotEqual(bare("12.45"), bare("1245"))

    def test_punctuation_alone_is_read_only_where_it_is_the_same(self):
        items = [item("$", 0, 0, 40, 10), item("#", 50, 0, 90, 10), item("&", 100, 0, 140, 10)]
        words = [word("...", 0, 0, 40, 10), word("#:", 50, 0, 90, 10), word("&", 100, 0, 140, 10)]
        self.assertAlmostEqual(scored(items, words)["e2e_f"], 1 / 3)

    def test_an_accented_letter_is_the_same_in_one_code_point_or_two(self):
        items = [item("caf\u00e9", 0, 0, 40, 10, chars=[{"box": [0, 0, 40, 10], "c": "\u00e9"}])]
        letter = {"quad": quad(0, 0, 40, 10), "text": "E\u0301"}
        figure = scored(items, [word("Cafe\u0301", 0, 0, 40, 10)], [letter])
        self.assertEqual((figure["e2e_f"], figure["bow_f"], figure["char_f"]), (1, 1, 1))
        self.assertAlmostEqual(figure["cer"], 1 / 4)

    def test_edits_count_what_must_change(self):
        self.assertEqual([edits("kitten", "sitting"), edits("", "abc"), edits("same", "same")], [3, 3, 0])

    def test_a_word_counts_as_read_where_box_and_text_are_right(self):
        items = [item("Exit", 0, 0, 40, 10), item("Stairs", 50, 0, 110, 10)]
        figure = scored(items, [word("EXIT.", 0, 0, 41, 10), word("Stars", 50, 0, 110, 10)])
        self.assertEqual((figure["det_f"], figure["e2e_f"]), (1, 0.5))
        self.assertAlmostEqual(figure["cer"], (4 + 1) / 10)

    def test_a_word_without_text_is_found_and_not_read(self):
        items = [item("Exit", 0, 0, 40, 10), item("خروج", 50, 0, 90, 10), item("-", 95, 0, 99, 10)]
        unread = [{"quad": quad(50, 0, 90, 10)}, {"quad": quad(95, 0, 99, 10)}]
        figure = scored(items, [word("Exit", 0, 0, 40, 10), *unread])
        self.assertEqual(figure["det_f"], 1)
        self.assertAlmostEqual(figure["e2e_f"], 1 / 3)
        self.assertAlmostEqual(figure["cer"], (4 + 1) / 9)

    def test_what_was_made_up_and_what_was_missed_both_cost(self):
        figure = scored([item("a", 0, 0, 10, 10)] * 3, [word("a", 0, 0, 10, 10), word("b", 90, 0, 99, 9)])
        self.assertAlmostEqual(figure["e2e_f"], 2 / 5)

    def test_words_on_what_is_to_be_ignored_count_neither_way(self):
        items = [item("###", 0, 0, 40, 10, ignore=True), item("Exit", 50, 0, 90, 10)]
        figure = scored(items, [word("blur", 1, 1, 39, 9), word("Exit", 50, 0, 90, 10)])
        self.assertEqual((figure["det_p"], figure["det_r"], figure["bow_f"]), (1, 1, 1))

    def test_a_bag_of_words_asks_neither_for_places_nor_for_case(self):
        figure = scored(
            [item("Total due", 0, 0, 9, 9)], [word("DUE", 90, 0, 99, 9), word("total", 70, 0, 80, 9)], level="line"
        )
        self.assertEqual(figure, {"bow_f": 1})

    def test_characters_count_by_box_and_by_letter(self):
        chars = [{"box": [0, 0, 10, 10], "c": "A"}, {"poly": quad(10, 0, 20, 10), "c": "B"}]
        told = [{"quad": quad(0, 0, 10, 10), "text": "a"}, {"quad": quad(10, 0, 20, 10), "text": "8"}]
        figure = scored([item("AB", 0, 0, 20, 10, chars=chars)], [word("A8", 0, 0, 20, 10)], told)
        self.assertEqual((figure["char_box_f"], figure["char_f"]), (1, 0.5))

    def test_an_engine_without_characters_gets_no_figure_for_them(self):
        chars = [{"box": [0, 0, 10, 10], "c": "A"}]
        self.assertNotIn("char_box_f", scored([item("A", 0, 0, 10, 10, chars=chars)], [word("A", 0, 0, 10, 10)]))

    def test_an_engine_that_tells_nothing_gets_nothing(self):
        figure = scored([item("A", 0, 0, 10, 10)], [])
        self.assertEqual((figure["det_f"], figure["e2e_f"], figure["bow_f"]), (0, 0, 0))

    def test_tallies_add_up_over_pictures(self):
        right = tally({"items": [item("a", 0, 0, 10, 10)]}, [word("a", 0, 0, 10, 10)], None)
        missed = tally({"items": [item("a", 0, 0, 10, 10)]}, [], None)
        self.assertAlmostEqual(figures(sum([right, missed], Counter()))["e2e_f"], 2 / 3)
        low, high = interval([right, missed] * 20, "e2e_f")
        self.assertTrue(0 < low < 2 / 3 < high < 1)


if __name__ == "__main__":
    unittest.main()
