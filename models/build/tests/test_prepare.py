"""Setup and the loader expect the same files, and the words are one of them."""

import re
import tempfile
import unittest
from pathlib import Path

import prepare


class PinTests(unittest.TestCase):
    """The hashes that are pinned."""

    def test_the_loader_has_the_hashes_of_the_manifest(self):
        built = re.findall(r"^built  (\S+)  models/(\S+)$", prepare.MANIFEST.read_text(), re.MULTILINE)
        pinned = re.findall(r'"(\S+)":\s+"(\w+)"', prepare.HASHES.read_text())
        self.assertEqual([(name, sha256) for sha256, name in built], pinned)
        self.assertEqual(len(built), 19)

    def test_the_words_are_those_of_the_manifest(self):
        with tempfile.TemporaryDirectory() as folder:
            name, sha256 = prepare.prepare_words(Path(folder))
            self.assertEqual([path.name for path in Path(folder).iterdir()], [name])
        self.assertIn(f"built  {sha256}  models/{name}\n", prepare.MANIFEST.read_text())


if __name__ == "__main__":
    unittest.main()
