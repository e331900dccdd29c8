"""Google's own client library asks a server for text."""

import base64
import gzip
import json
import shutil
import subprocess
import unittest
import urllib.request

from glyphwire_program import PAGE, SIGN, read, server
from google.api_core import exceptions
from google.api_core.client_options import ClientOptions
from google.auth.credentials import AnonymousCredentials
from google.cloud import vision

WORDS = ["梧桐里街", "WUTONGLI", "STREET", "27-41", "Old", "Ferry", "Pier", "5", "min", "walk"]
BREAKS = vision.TextAnnotation.DetectedBreak.BreakType


def client(address, **options):
    return vision.ImageAnnotatorClient(
        credentials=AnonymousCredentials(),
        client_options=ClientOptions(api_endpoint=address),
        transport="rest",
        **options,
    )


def image(path):
    return vision.Image(content=path.read_bytes())


def corners(poly):
    return [(vertex.x, vertex.y) for vertex in poly.vertices]


def told(annotation):
    """The text as symbols and breaks tell it."""
    text = ""
    for page in annotation.pages:
        for block in page.blocks:
            for paragraph in block.paragraphs:
                for word in paragraph.words:
                    for symbol in word.symbols:
                        text += symbol.text
                        kind = symbol.property.detected_break.type_
                        text += {BREAKS.SPACE: " ", BREAKS.EOL_SURE_SPACE: "\n", BREAKS.LINE_BREAK: "\n"}.get(kind, "")
    return text


class CloudVision(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.address = cls.enterClassContext(server())
        cls.client = client(cls.address)

    def test_text_is_detected(self):
        response = self.client.text_detection(image=image(SIGN))
        self.assertEqual(response.error.code, 0)
        whole, *words = response.text_annotations
        self.assertEqual(whole.description.split(), WORDS)
        self.assertEqual(whole.locale, "und-Latn")
        self.assertEqual([word.description for word in words], WORDS)
        # The sign is seen by a camera on its side: its text runs down the picture, from the right side to the left.
        for word in words:
            (x0, y0), (x1, y1), (x2, y2), (x3, y3) = corners(word.bounding_poly)
            self.assertTrue(y1 > y0 and y2 > y3 and x3 < x0 and x2 < x1, word.description)

    def test_a_document_is_told_in_full(self):
        context = {"language_hints": ["en"]}
        response = self.client.document_text_detection(image=image(PAGE), image_context=context)
        full = response.full_text_annotation
        self.assertEqual(told(full), full.text + "\n")
        self.assertEqual(response.text_annotations[0].description, full.text)
        (page,) = full.pages
        self.assertEqual((page.width, page.height), (850, 1100))
        self.assertEqual([each.language_code for each in page.property.detected_languages], ["en"])
        self.assertGreater(page.confidence, 0.9)
        self.assertEqual(page.blocks[0].block_type, vision.Block.BlockType.TEXT)
        symbols = [s for b in page.blocks for p in b.paragraphs for w in p.words for s in w.symbols]
        self.assertGreater(len(symbols), 1500)
        for symbol in symbols:
            self.assertTrue(0 <= symbol.confidence <= 1 and len(symbol.bounding_box.vertices) == 4)
        # The engine reads the same as on the command line.
        self.assertEqual(full.text, read("--level", "accurate", PAGE).decode().strip())

    def test_what_read_prints_is_the_same_message(self):
        printed = vision.BatchAnnotateImagesResponse.from_json(read("--format", "google", SIGN).decode())
        self.assertEqual(printed.responses[0].context.uri, str(SIGN))
        del printed.responses[0].context
        self.assertEqual(printed.responses[0], self.client.text_detection(image=image(SIGN)))

    def test_a_batch_is_answered_in_order(self):
        feature = {"type_": vision.Feature.Type.TEXT_DETECTION}
        contents = [SIGN.read_bytes(), b"no picture", PAGE.read_bytes(), SIGN.read_bytes()[:-2000]]
        requests = [{"image": {"content": content}, "features": [feature]} for content in contents]
        responses = self.client.batch_annotate_images(requests=requests).responses
        self.assertEqual([response.error.code for response in responses], [0, 3, 0, 3])
        for response in responses[1::2]:
            self.assertTrue(response.error.message.startswith("Bad image data"), response.error.message)
        self.assertIn("Ferry", responses[0].full_text_annotation.text)
        self.assertIn("Harvest", responses[2].full_text_annotation.text)

    def test_what_is_not_offered_is_said(self):
        self.assertEqual(self.client.label_detection(image=image(SIGN)).error.code, 12)
        elsewhere = vision.Image(source=vision.ImageSource(image_uri="http://example.com/a.jpg"))
        self.assertEqual(self.client.text_detection(image=elsewhere).error.code, 12)

    def test_what_else_is_asked_for_does_not_cost_the_text(self):
        features = [{"type_": vision.Feature.Type.TEXT_DETECTION}, {"type_": vision.Feature.Type.LABEL_DETECTION}]
        response = self.client.annotate_image({"image": image(SIGN), "features": features})
        self.assertEqual(response.error.code, 12)
        self.assertIn("LABEL_DETECTION", response.error.message)
        self.assertEqual(response.full_text_annotation.text.split(), WORDS)

    def test_language_hints_are_hints(self):
        for hints in [["tlh"], ["ja"], ["en", "ru"], ["zh-Hans"]]:
            context = {"language_hints": hints}
            response = self.client.text_detection(image=image(SIGN), image_context=context)
            self.assertEqual(response.error.code, 0, hints)
            self.assertIn("Ferry", response.full_text_annotation.text, hints)

    def test_a_body_may_be_packed_and_an_answer_a_part(self):
        content = base64.b64encode(SIGN.read_bytes()).decode()
        body = {"requests": [{"image": {"content": content}, "features": [{"type": "TEXT_DETECTION"}]}]}
        request = urllib.request.Request(
            f"{self.address}/v1p4beta1/images%3Aannotate?fields=responses(fullTextAnnotation/text)",
            data=gzip.compress(json.dumps(body).encode()),
            headers={"Content-Type": "application/json", "Content-Encoding": "gzip"},
        )
        with urllib.request.urlopen(request) as response:
            (answer,) = json.load(response)["responses"]
        self.assertEqual(list(answer), ["fullTextAnnotation"])
        self.assertEqual(list(answer["fullTextAnnotation"]), ["text"])
        self.assertEqual(answer["fullTextAnnotation"]["text"].split(), WORDS)

    def test_too_much_is_refused_as_google_refuses_it(self):
        with self.assertRaises(exceptions.BadRequest) as caught:
            self.client.text_detection(image=vision.Image(content=bytes(32 << 20)))
        self.assertIn("Request payload size exceeds the limit: 41943040 bytes.", str(caught.exception))
        self.assertEqual(caught.exception.code, 400)

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_curl_is_answered(self):
        content = base64.b64encode(SIGN.read_bytes()).decode()
        body = {"requests": [{"image": {"content": content}, "features": [{"type": "TEXT_DETECTION"}]}]}
        command = ["curl", "--silent", "--fail", "--json", "@-", f"{self.address}/v1/images:annotate"]
        output = subprocess.run(command, input=json.dumps(body).encode(), stdout=subprocess.PIPE, check=True).stdout
        (response,) = json.loads(output)["responses"]
        self.assertEqual(response["fullTextAnnotation"]["text"].split(), WORDS)


if __name__ == "__main__":
    unittest.main()
