"""The page that makes a device's camera a stream, in a real browser whose camera shows a film of known text.

With GLYPHWIRE_SCREENSHOTS=FOLDER, what was seen is kept there.
"""

import base64
import json
import os
import tempfile
import unittest

from browser import CHROMIUM, browser, ink, keep, misfit
from running import ROOT, get, server, wait_for

LINES = ("Departure 14:35", "Gate 27", "Please keep this exit clear")
SCREENS = (("phone", 390, 844, False), ("phone-dark", 390, 844, True), ("phone-on-its-side", 844, 390, False),
           ("laptop", 1280, 800, False))


def film():
    """A film of the lines as JPEGs one after the other, drawn by the browser."""
    draw = f"""(() => {{
        const canvas = new OffscreenCanvas(1280, 720), context = canvas.getContext("2d");
        context.fillStyle = "#fff";
        context.fillRect(0, 0, 1280, 720);
        context.fillStyle = "#111";
        context.font = "64px sans-serif";
        {json.dumps(LINES)}.forEach((line, index) => context.fillText(line, 180, 220 + 140 * index));
        return canvas.convertToBlob({{ type: "image/jpeg", quality: 0.95 }}).then((blob) => new Promise((resolve) => {{
            const reader = new FileReader();
            reader.onload = () => resolve(reader.result.split(",")[1]);
            reader.readAsDataURL(blob);
        }}));
    }})()"""
    with browser() as artist:
        return 4 * base64.b64decode(artist.run(draw))


def camera_arguments(film):
    """Arguments of a browser whose camera shows a film, and which lets pages have it."""
    return ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={film}"]


@unittest.skipUnless(CHROMIUM, "no Chromium is installed")
class CameraTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.film = os.path.join(cls.folder, "film.mjpeg")
        with open(cls.film, "wb") as file:
            file.write(film())

    def start(self, *arguments):
        self.server = self.enterContext(server("--workers", "1", *arguments))
        self.browser = self.enterContext(browser(*camera_arguments(self.film)))
        self.run_script = self.browser.run

    def open(self, width=390, height=844, query="", **options):
        self.browser.size(width, height, **options)
        self.browser.open(f"{self.server.http}camera{query}")
        wait_for("the page", lambda: self.run_script("document.readyState === 'complete' && typeof state !== 'undefined'"))

    def click(self, name):
        self.run_script(f"element('{name}').click()")

    def click_match(self, pressed=lambda: None):
        """Clicks the box of the word that is searched for, and calls `pressed` in between; whether there is a box."""
        place = self.run_script("""(() => {
            const box = document.querySelector("#boxes .match")?.getBoundingClientRect();
            return box ? [box.x + box.width / 2, box.y + box.height / 2] : null;
        })()""")
        if not place:
            return False
        self.browser.mouse_down(*place)
        pressed()
        self.browser.mouse_up(*place)
        return True

    def held_word(self):
        return self.run_script("element('word-text').textContent")

    def text(self):
        return self.run_script("element('text').textContent")

    def start_camera(self):
        self.click("start")
        wait_for("text", lambda: self.text() == "\n".join(LINES))

    def test_boxes_lie_on_the_text_on_every_screen(self):
        self.start()
        for name, width, height, is_dark in SCREENS:
            with self.subTest(name):
                self.open(width, height, is_dark=is_dark)
                self.start_camera()
                keep("camera-" + name, self.browser.screenshot())
                speed = wait_for("the time of a frame", lambda: self.run_script("element('speed').textContent"))
                self.assertRegex(speed, r"^read in [\d.]+ ms, \d+ ms old$")
                picture, quads = self.boxes()
                self.assertLessEqual(misfit(picture, quads, margin=6), 3, "the boxes fit the text")
                inside, share = ink(picture, quads)
                self.assertGreater(share, 0.01, "there is text on the picture")
                self.assertGreater(inside, 0.97, "the boxes lie on it")
                fits = "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
                self.assertTrue(self.run_script(fits), "the page fits the screen")
        self.assertEqual(self.browser.errors, [])

    def boxes(self):
        """The picture as it is seen, without the boxes, and where those of the words lie in it.

        A machine that is behind shows none for a moment: boxes of old frames are removed.
        """
        count = len(" ".join(LINES).split())
        place = wait_for("all boxes", lambda: self.run_script("""(() => {
            if (document.querySelectorAll("#boxes .word").length !== %d) return null;
            const boxes = element("boxes"), matrix = boxes.getScreenCTM(), view = boxes.viewBox.baseVal;
            const seen = (x, y) => { const at = new DOMPoint(x, y).matrixTransform(matrix); return [at.x, at.y]; };
            const [x, y] = seen(0, 0), [right, bottom] = seen(view.width, view.height);
            const quads = [...document.querySelectorAll("#boxes .word")].map((polygon) =>
                [...polygon.points].map((point) => { const at = seen(point.x, point.y); return [at[0] - x, at[1] - y]; }));
            boxes.style.visibility = "hidden";
            for (const name of ["state", "speed"]) element(name).style.visibility = "hidden";
            return { x, y, width: right - x, height: bottom - y, quads };
        })()""" % count))
        quads = place.pop("quads")
        return self.browser.screenshot(place), quads

    def test_words_keep_their_ids_are_found_tapped_and_copied(self):
        self.start()
        self.open()
        self.start_camera()
        # There is no result for a moment where the machine is behind.
        ids = "state.result && JSON.stringify(state.result.lines.flatMap((line) => line.words.map((word) => word.id)))"
        first = wait_for("ids", lambda: self.run_script(ids))
        count = wait_for("a frame", lambda: self.run_script("state.result?.sequence"))
        wait_for("more frames", lambda: self.run_script("(state.result?.sequence ?? 0)") > count + 5)
        self.assertEqual(wait_for("ids", lambda: self.run_script(ids)), first)
        self.run_script("element('search').value = 'EXIT'; element('search').oninput()")
        self.assertEqual(self.run_script("element('found').textContent"), "1")
        self.assertEqual(self.run_script("document.querySelectorAll('#boxes .match').length"), 1)
        wait_for("the word", lambda: self.click_match() and self.held_word() == "exit")
        self.assertEqual(self.run_script("element('line-text').textContent"), LINES[2])
        keep("camera-word", self.browser.screenshot())
        x, y = self.run_script("""(() => {
            const place = element("copy-line").getBoundingClientRect();
            return [place.x + place.width / 2, place.y + place.height / 2];
        })()""")
        self.browser.click(x, y)
        wait_for("a copy", lambda: self.run_script("element('flash').textContent") == "copied")
        self.assertEqual(self.browser.errors, [])

    def test_a_word_is_held_though_results_come_while_it_is_pressed(self):
        self.start()
        self.open()
        self.start_camera()
        self.run_script("element('search').value = 'EXIT'; element('search').oninput()")

        def more_results():
            captured = self.run_script("state.captured")
            for _ in range(3):
                captured = wait_for("a result", lambda: self.run_script(f"state.captured > {captured} && state.captured"))

        wait_for("the word", lambda: self.click_match(more_results) and self.held_word() == "exit")
        wait_for("boxes that follow", lambda: self.run_script("document.querySelectorAll('#boxes .held').length") == 1)
        self.assertFalse(self.run_script("press.isDown"))
        self.assertEqual(self.browser.errors, [])

    def test_the_stream_is_shown_to_operators_and_ends_with_the_page(self):
        self.start()
        self.open()
        self.start_camera()

        def streams():
            return json.loads(get(self.server.http + "streams"))["streams"]

        [stream] = streams()
        self.assertEqual((stream["client"], stream["peer"], stream["delivery"]), ("camera page", "HTTP", "live"))
        first = self.run_script("state.captured")
        wait_for("boxes of a newer frame", lambda: self.run_script("state.captured") > first)
        self.click("start")
        self.assertIsNone(self.run_script("element('video').srcObject"))
        self.assertEqual(self.run_script("document.querySelectorAll('#boxes polygon').length"), 0)
        wait_for("the end of the stream", lambda: not streams())

    def test_scanned_pages_become_one_document(self):
        self.start()
        self.open()
        self.start_camera()
        for count in (1, 2):
            self.click("scan")
            wait_for("a page", lambda: self.run_script("state.pages.length") == count)
        self.assertEqual(self.run_script("state.pages.map((page) => page.text)"), 2 * ["\n".join(LINES)])
        keep("camera-pages", self.browser.screenshot())
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.folder)
        for button, name, sign in (("save-text", "scan.txt", LINES[1].encode()), ("save-hocr", "scan.hocr.html", b"ocr_page"),
                                   ("save-pdf", "scan.pdf", b"%PDF-1.5")):
            self.click(button)
            path = os.path.join(self.folder, name)
            wait_for(name, lambda: os.path.exists(path))
            with open(path, "rb") as file:
                self.assertIn(sign, file.read())
        self.assertEqual(self.browser.errors, [])

    def open_with_pages(self, count):
        """Opens the page with photos as pages; without a camera, so that no frames are sent."""
        self.start()
        self.open()
        self.downloads = self.enterContext(tempfile.TemporaryDirectory())
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=self.downloads)
        for number in range(1, count + 1):
            self.choose_photo()
            wait_for("a page", lambda: self.run_script(f"state.pages.length === {number} && state.work === null"))

    def choose_photo(self, path=os.path.join(ROOT, "demo/sign.jpg")):
        document = self.browser.call("DOM.getDocument")["root"]["nodeId"]
        node = self.browser.call("DOM.querySelector", nodeId=document, selector="#photo")["nodeId"]
        self.browser.call("DOM.setFileInputFiles", nodeId=node, files=[path])

    def test_saving_has_no_limit_of_time_and_can_be_cancelled(self):
        self.open_with_pages(1)
        # Whoever sets a limit finds that it has passed already.
        self.run_script("AbortSignal.timeout = () => AbortSignal.abort(new DOMException('', 'TimeoutError')), 0")
        self.click("save-pdf")
        wait_for("a document", lambda: os.path.exists(os.path.join(self.downloads, "scan.pdf")))
        self.run_script("""window.fetch = (url, { signal }) => new Promise((_, reject) => {
            signal.onabort = () => reject(signal.reason);
        }), 0""")
        self.click("save-hocr")
        self.assertEqual(self.run_script("element('state').textContent"), "saving")
        self.assertTrue(self.run_script("element('save-pdf').disabled && !element('cancel').hidden"))
        self.click("cancel")
        wait_for("the end of it", lambda: self.run_script("state.work === null"))
        self.assertTrue(self.run_script("element('cancel').hidden && element('notice').hidden"))
        self.assertFalse(self.run_script("element('save-pdf').disabled"))
        self.assertEqual(self.browser.errors, [])

    def test_a_page_can_be_removed_and_one_that_does_not_fit_is_refused(self):
        self.open_with_pages(2)
        self.run_script("state.pages[0].text = 'first'; state.pages[1].text = 'second'; showPages()")
        keep("camera-remove", self.browser.screenshot())
        self.run_script("document.querySelector('#page-list [aria-label=\"Remove page 1\"]').click()")
        self.assertEqual(self.run_script("state.pages.map((page) => page.text)"), ["second"])
        self.assertEqual(self.run_script("element('page-list').textContent"), "second×")
        add = "addPage(new Blob([new Uint8Array(%d)]), { text: 'large' }), element('notice').textContent"
        self.assertEqual(self.run_script(add % (30 << 20)), "")
        self.assertIn("does not fit into the document", self.run_script(add % (10 << 20)))
        self.assertEqual(self.run_script("state.pages.length"), 2)
        self.click("save-text")
        path = os.path.join(self.downloads, "scan.txt")
        wait_for("the text", lambda: os.path.exists(path) and os.path.getsize(path))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "==> page-1.jpg <==\nsecond\n\n==> page-2.jpg <==\nlarge\n")
        self.click("clear")
        self.assertTrue(self.run_script("element('pages').hidden"))
        self.assertEqual(self.browser.errors, [])

    def test_a_token_of_the_address_goes_with_the_frames_and_a_wrong_one_is_explained(self):
        tokens = os.path.join(self.folder, "tokens")
        with open(tokens, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write("0123456789abcdef+secret")
        self.start("--token-file", tokens)
        self.open()
        self.click("start")
        expected = "requires a token: open this page with #token=TOKEN"
        wait_for("an explanation", lambda: expected in self.run_script("element('state').textContent"))
        for query in ("?token=0123456789abcdef%2Bsecret", "#token=0123456789abcdef%2Bsecret"):
            self.browser.open("about:blank")
            self.open(query=query)
            self.start_camera()
        with open(tokens, "w") as file:
            file.write("another-0123456789abcdef")
        self.server.reload()
        state = "element('state').textContent"
        wait_for("an explanation", lambda: "the token is not valid" in self.run_script(state))
        self.assertIn("trying again", self.run_script(state))

    def test_a_file_that_is_no_picture_is_explained_to_a_person(self):
        self.start()
        self.open()
        path = os.path.join(self.folder, "letter.jpg")
        with open(path, "w") as file:
            file.write("Dear Sir or Madam")
        self.choose_photo(path)
        notice = wait_for("a notice", lambda: self.run_script("element('notice').textContent"))
        self.assertEqual(notice, "The photo was not read: it is none of the pictures that can be read; "
                         "save it as a JPEG or PNG first.")

    def test_a_photo_that_is_cut_off_is_explained_to_a_person(self):
        self.start()
        self.open()
        path = os.path.join(self.folder, "cut.jpg")
        with open(os.path.join(ROOT, "demo", "sign.jpg"), "rb") as whole, open(path, "wb") as file:
            file.write(whole.read()[:-2000])
        self.choose_photo(path)
        notice = wait_for("a notice", lambda: self.run_script("element('notice').textContent"))
        self.assertEqual(notice, "The photo was not read: it is a damaged or cut off JPEG; "
                         "choose the undamaged file, or take the photo again.")

    def test_lines_are_in_their_own_languages_and_directions(self):
        self.start()
        self.open()
        self.start_camera()
        script = "[...document.querySelectorAll('#text span')].map((line) => line.lang)"
        # There is no text for a moment where the machine is behind.
        self.assertEqual(wait_for("text", lambda: self.run_script(script)), 3 * ["und-Latn"])
        self.run_script("stop(), hold({ word: { text: 'السلام' }, line: { text: 'السلام عليكم', script: 'Arab' } })")
        self.assertEqual(self.run_script("element('line-text').lang"), "und-Arab")
        self.assertEqual(self.run_script("getComputedStyle(element('line-text')).direction"), "rtl")
        self.assertEqual(self.browser.errors, [])

    def test_a_light_that_cannot_be_switched_is_reported(self):
        self.start()
        self.open()
        self.run_script("""(() => {
            const track = { applyConstraints: () => Promise.reject(new Error("it is in use")), stop() {} };
            state.media = { getVideoTracks: () => [track], getTracks: () => [track] };
            return element("torch").onclick();
        })()""")
        self.assertEqual(self.run_script("element('flash').textContent"), "the light cannot be switched on")
        self.assertEqual(self.run_script("element('torch').getAttribute('aria-pressed')"), "false")

    def test_a_photo_is_read_upright(self):
        self.start()
        self.open()
        self.choose_photo()
        wait_for("text", lambda: "27-41" in self.text())
        keep("camera-photo", self.browser.screenshot())
        self.assertTrue(self.run_script("state.result.lines.some((line) => line.text === '27-41' && line.box[2] > line.box[0])"))
        self.assertEqual(self.run_script("state.pages.length"), 1)
        self.assertEqual(self.browser.errors, [])


if __name__ == "__main__":
    unittest.main()
