"""What poppler and PDFium find in the PDF that `read` prints."""

import html
import re
import shutil
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

import cv2
import numpy
import pypdfium2
from glyphwire_program import PAGE, ROOT, SIGN, read

LEVEL = ROOT / "Tests/IntegrationTests/Fixtures/page.png"
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


def exif(orientation):
    """A segment of a JPEG with the orientation."""
    directory = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    return struct.pack(">HH6s", 0xFFE1, 8 + len(directory), b"Exif\0\0") + directory


def boxes(page, word):
    """The boxes of a word on a page, in pixels from the upper left, as PDFium highlights them."""
    text = page.get_textpage()
    searcher = text.search(word, match_case=True)
    while match := searcher.get_next():
        rectangles = numpy.array([text.get_rect(index) for index in range(text.count_rects(*match))])
        left, bottom = rectangles[:, :2].min(axis=0)
        right, top = rectangles[:, 2:].max(axis=0)
        height = page.get_height()
        yield [number / POINTS_PER_PIXEL for number in (left, height - top, right, height - bottom)]


class PDFium(unittest.TestCase):
    """PDFium is the reader in Chrome and Edge."""

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.picture = cv2.imread(str(LEVEL))

    def check(self, path):
        """Each word is found where the table has it."""
        (page,) = pypdfium2.PdfDocument(read("--format", "pdf", path))
        (wanted,) = expected(path)
        long = [(word, box) for word, box in wanted if len(word) > 3]
        self.assertGreater(len(long), 9)
        for word, truth in long:
            nearest = min((distance(box, truth) for box in boxes(page, word)), default=None)
            self.assertIsNotNone(nearest, f"{word} is not found")
            self.assertLessEqual(nearest, 3, word)
        return page

    def test_level_and_turned_words_are_found_in_their_boxes(self):
        for turns in range(4):
            with self.subTest(quarter_turns=turns):
                path = self.folder / f"{turns}.png"
                cv2.imwrite(str(path), numpy.rot90(self.picture, turns))
                self.check(path)

    def test_pages_are_upright_however_their_pictures_are_stored(self):
        stored = {
            2: numpy.fliplr, 3: lambda picture: numpy.rot90(picture, 2), 4: numpy.flipud,
            5: lambda picture: picture.transpose(1, 0, 2), 6: numpy.rot90,
            7: lambda picture: numpy.rot90(picture, 2).transpose(1, 0, 2), 8: lambda picture: numpy.rot90(picture, 3),
        }  # fmt: skip
        for orientation, store in stored.items():
            with self.subTest(orientation=orientation):
                path = self.folder / f"{orientation}.jpg"
                _, jpeg = cv2.imencode(".jpg", numpy.ascontiguousarray(store(self.picture)))
                jpeg = jpeg.tobytes()
                path.write_bytes(jpeg[:2] + exif(orientation) + jpeg[2:])
                page = self.check(path)
                shown = page.render(scale=1 / POINTS_PER_PIXEL).to_numpy()[..., :3]
                self.assertEqual(shown.shape, self.picture.shape)
                self.assertLess(numpy.abs(shown.astype(int) - self.picture).mean(), 8)


if __name__ == "__main__":
    unittest.main()
