"""The signs of the drawn streams in several scripts, where what draws them is installed."""

import unittest
from pathlib import Path

try:
    from glyphbench import cameras
except ImportError:
    cameras = None


@unittest.skipUnless(cameras and Path(cameras.DEJAVU).exists(), "needs numpy, Pillow and DejaVu Sans")
class StationTests(unittest.TestCase):
    def test_words_follow_each_other_in_the_direction_of_their_script(self):
        for script, is_rightward in (("latin", True), ("cyrillic", True), ("arabic", False)):
            with self.subTest(script):
                picture, words = cameras.station(script)
                self.assertEqual([word.text for word in words], " ".join(cameras.STATION[script]).split())
                first, second = (word.poly for word in words[:2])
                self.assertEqual(first[:, 0].max() < second[:, 0].min(), is_rightward)
                self.assertEqual(len({word.track for word in words}), len(words))
                corners = [corner for word in words for corner in word.poly]
                self.assertTrue(all((corner > 0).all() and (corner < picture.size).all() for corner in corners))


if __name__ == "__main__":
    unittest.main()
