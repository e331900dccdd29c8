"""A page of lines in several scripts, which a server reads by Tesseract; make_scripts.py draws it."""

import json
import subprocess
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from glyphwire_program import PROGRAM, read, server

PAGE = Path(__file__).resolve().with_name("scripts.png")
DIACRITICS = PAGE.with_name("diacritics.png")
CZECH, VIETNAMESE = "Vjezd zakázán, loď teď připluje", "Đường phố Hà Nội"
RUSSIAN, UKRAINIAN = "Выход в город через подземный переход", "Київський вокзал і їдальня"
ARABIC, THAI = "مدينة القاهرة الجديدة", "ประเทศไทย"
INSTALLED = all(Path(f"/usr/share/doc/{name}").exists() for name in ["libtesseract5"] + [
    f"tesseract-ocr-{language}" for language in ["rus", "ukr", "ara", "tha", "ces", "vie"]
])  # fmt: skip


@unittest.skipUnless(INSTALLED, "Tesseract and its languages are not installed")
class Scripts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.address = cls.enterClassContext(server())

    def lines(self, query=""):
        request = urllib.request.Request(f"{self.address}/v1/read?{query}".rstrip("?"), PAGE.read_bytes())
        with urllib.request.urlopen(request) as response:
            return json.load(response)["lines"]

    def test_each_script_is_read(self):
        for level in ["fast", "accurate"]:
            with self.subTest(level):
                lines = json.loads(read(PAGE, "--format", "json", "--level", level))["lines"]
                self.assertEqual({line["text"] for line in lines}, {"Platform 9", RUSSIAN, UKRAINIAN, ARABIC, THAI})

    def test_arabic_begins_at_the_right(self):
        (line,) = [line for line in self.lines() if line["script"] == "Arab"]
        self.assertEqual([word["text"] for word in line["words"]], ARABIC.split())
        starts = [word["box"][0] for word in line["words"]]
        self.assertEqual(starts, sorted(starts, reverse=True))
        self.assertGreater(line["box"][0], line["box"][2])
        self.assertLess(line["box"][1], line["box"][7])

    def test_expected_languages_choose(self):
        self.assertIn(UKRAINIAN, {line["text"] for line in self.lines("languages=uk")})
        lines = self.lines("languages=en,th")
        self.assertEqual({line["script"] for line in lines if "reason" in line}, {"Arab", "Cyrl"})
        self.assertEqual({line["text"] for line in lines}, {"Platform 9", THAI, ""})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.lines("languages=xx")
        self.assertEqual(json.load(refused.exception)["code"], "unsupported_language")

    def test_named_languages_have_their_diacritics(self):
        for level in ["fast", "accurate"]:
            for code, text in [("cs", CZECH), ("vi", VIETNAMESE)]:
                with self.subTest(level=level, code=code):
                    lines = json.loads(read(DIACRITICS, "--format", "json", "--level", level, "--languages", code))["lines"]
                    self.assertIn(text, {line["text"] for line in lines})
                    (line,) = [line for line in lines if line["text"] == text]
                    for word in line["words"]:
                        self.assertEqual("".join(each["text"] for each in word["characters"]), word["text"])
        unnamed = json.loads(read(DIACRITICS, "--format", "json"))["lines"]
        self.assertNotIn(VIETNAMESE, {line["text"] for line in unnamed})

    def test_no_package_is_named_for_a_language_that_is_installed(self):
        result = subprocess.run([PROGRAM, "read", PAGE, "--languages", "ru-RU,tlh"], capture_output=True, text=True)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn('"tlh"', result.stderr)
        self.assertNotIn("apt-get", result.stderr)

    def test_the_library_prints_nothing(self):
        result = subprocess.run([PROGRAM, "read", PAGE], capture_output=True, check=True)
        self.assertEqual(result.stderr, b"")
