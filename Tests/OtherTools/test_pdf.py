"""What poppler finds in the PDF that `read` prints."""

import html
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from glyphwire_program import PAGE, SIGN, read

POINTS_PER_PIXEL = 72 / 150


def words(pdf):
    """The words of each page with their boxes in pixels."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "document.pdf"
        file.write_bytes(pdf)
        run = subprocess.run(["pdftotext", "-bbox", str(file), "-"], capture_output=True, check=True, text=True)
    pattern = r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>'
    return run.stderr, [
        [
            (html.unescape(match[4]), [float(number) / POINTS_PER_PIXEL for number in match[:4]])
            for match in re.findall(pattern, page)
        ]
        for page in run.stdout.split("<page ")[1:]
    ]


def expected(*pictures):
    """The words of each page and their boxes, upright, by the table."""
    pages = {}
    for row in read("--format", "tsv", "--coordinates", "upright", *pictures).decode().splitlines()[1:]:
        level, page, *_, left, top, width, height, _, text, _ = row.split("\t")
        if level == "5":
            left, top, width, height = map(int, (left, top, width, height))
            pages.setdefault(int(page), []).append((text, [left, top, left + width, top + height]))
    return list(pages.values())


def distance(a, b):
    """The largest distance of sides of two boxes."""
    return max(abs(x - y) for x, y in zip(a, b))


@unittest.skipUnless(shutil.which("pdftotext"), "poppler-utils is not installed")
class PDF(unittest.TestCase):
    def test_each_word_is_found_in_its_box(self):
        complaints, pages = words(read("--format", "pdf", PAGE, SIGN))
        self.assertEqual(complaints, "")
        for found, wanted in zip(pages, expected(PAGE, SIGN), strict=True):
            # Poppler has an order of its own.
            self.assertEqual(sorted(text for text, _ in found), sorted(text for text, _ in wanted))
            for text, truth in wanted:
                nearest = min(distance(box, truth) for other, box in found if other == text)
                self.assertLessEqual(nearest, max(3, 0.1 * (truth[3] - truth[1])), (text, truth))

    def test_the_picture_is_kept_and_the_text_is_invisible(self):
        if not shutil.which("pdftoppm"):
            self.skipTest("poppler-utils is not installed")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "document.pdf"
            file.write_bytes(read("--format", "pdf", SIGN))
            kept = subprocess.run(["pdfimages", "-list", str(file)], capture_output=True, check=True, text=True).stdout
            self.assertRegex(kept, r"640\s+480\s+rgb\s+3\s+8\s+jpeg")
            self.assertEqual(subprocess.run(["pdffonts", str(file)], capture_output=True, text=True).stderr, "")
            self.assertIn(SIGN.read_bytes(), file.read_bytes())


if __name__ == "__main__":
    unittest.main()
