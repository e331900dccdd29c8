import unittest

from kit.matching import mismatch


class MatchingTests(unittest.TestCase):
    def assert_matches(self, expected, found):
        self.assertIsNone(mismatch(expected, found))

    def assert_differs(self, expected, found, where):
        self.assertIn(where, mismatch(expected, found) or "nothing is wrong")

    def test_members_that_are_not_named_do_not_count(self):
        self.assert_matches({"a": 1}, {"a": 1.0, "b": 2})
        self.assert_differs({"a": 1, "b": 2}, {"a": 1}, "line.b: nothing instead of 2")

    def test_arrays_match_element_by_element(self):
        self.assert_matches([1, [2]], [1, [2]])
        self.assert_differs([1, [2]], [1, [3]], "line[1][0]: 3 instead of 2")
        self.assert_differs([1], [1, 2], "[1, 2] instead of [1]")

    def test_types_count(self):
        for expected, found in ((1, True), ("1", 1), (None, False), (False, 0), ({}, [])):
            self.assert_differs(expected, found, "instead of")

    def test_whole_numbers_are_compared_with_all_their_bits(self):
        self.assert_matches(2**64 - 1, 2**64 - 1)
        self.assert_differs(2**64 - 1, 2**64 - 2, "instead of")

    def test_rules(self):
        for rule, right, wrong in (
            ({"$contains": "b"}, "abc", "xyz"),
            ({"$type": "integer"}, 7, 7.5),
            ({"$type": "integer"}, 0, -1),
            ({"$type": "number"}, 7.5, True),
            ({"$type": "string"}, "", 7),
            ({"$near": [1, 2], "within": 0.5}, [1.5, 1.5], [1, 2.6]),
            ({"$near": [1, 2], "within": 0.5}, [1, 2], [1, 2, 3]),
            ({"$prefix": [1, {"$type": "string"}]}, [1, "a", 3], [1, 2, 3]),
        ):
            self.assert_matches({"a": rule}, {"a": right})
            self.assert_differs({"a": rule}, {"a": wrong}, "line.a")
        self.assert_matches({"a": {"$absent": True}}, {"b": 1})
        self.assert_differs({"a": {"$absent": True}}, {"a": None}, "line.a")
