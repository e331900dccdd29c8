"""Setup and the loader expect the same files."""

import re
import unittest

import prepare


class PinTests(unittest.TestCase):
    """The hashes that are pinned."""

    def test_the_loader_has_the_hashes_of_the_manifest(self):
        built = re.findall(r"^built  (\S+)  models/(\S+)$", prepare.MANIFEST.read_text(), re.MULTILINE)
        pinned = re.findall(r'"(\S+)":\s+"(\w+)"', prepare.HASHES.read_text())
        self.assertEqual([(name, sha256) for sha256, name in built], pinned)
        self.assertEqual(len(built), 18)


if __name__ == "__main__":
    unittest.main()
