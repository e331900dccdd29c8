"""The live page in a real browser: what it shows, where the boxes lie, how it is used.

With GLYPHWIRE_SCREENSHOTS=FOLDER, what was seen is kept there.
"""

import glob
import http.client
import json
import os
import struct
import unittest
import urllib.parse

from browser import CHROMIUM, browser, ink, keep
from running import ROOT, connect, folder, lines, messages, server, wait_for

VECTORS = os.path.join(ROOT, "Tests/Vectors")
HEADER_BYTES = 32  # of a message, with its length
TOKENS = ("0123456789abcdef", "another-0123456789abcdef")
PAGES = 16  # that may be open at a time
ALL_SHOWN = "[...page.cards.values()].filter((card) => card.shown?.result.status === 'ok').length"


@unittest.skipUnless(CHROMIUM, "no Chromium is installed")
class PageTests(unittest.TestCase):
    def setUp(self):
        self.clients = []
        started = server("--workers", "2")
        self.server = started.__enter__()
        self.addCleanup(started.__exit__, None, None, None)
        opened = browser()
        self.browser = opened.__enter__()
        self.addCleanup(opened.__exit__, None, None, None)
        self.addCleanup(lambda: [client.close() for client in self.clients])

    def tearDown(self):
        self.assertEqual(self.browser.errors, [], "the page fails, or asks for what it may not load")

    def open(self, width=1280, height=900, address=None, **options):
        self.browser.size(width, height, **options)
        self.browser.open(address or self.server.http)
        wait_for("the page", lambda: self.browser.run("typeof feed !== 'undefined' && feed.isOpen"))

    def send(self, number, first=0, count=2):
        """Sends messages of a vector on a connection of its own, which stays open."""
        (path,) = glob.glob(f"{VECTORS}/{number}-*.bin")
        client = connect(self.server)
        sent = list(messages(path))[first:first + count]
        client.sendall(b"".join(sent))
        lines(client, 1 + len(sent))
        self.clients.append(client)

    def wait_until_shown(self, count):
        wait_for(f"{count} streams", lambda: self.browser.run(ALL_SHOWN) == count)

    def wait_for_text(self, part, text):
        wait_for(text, lambda: text in self.browser.run(f"document.querySelector('{part}').textContent"))

    def press_button(self, button):
        """Clicks on a button; again if the page has moved it between the question where it is and the click."""
        self.browser.run(f"""{{
            window.wasPressed = false;
            {button}.addEventListener("click", () => {{ window.wasPressed = true; }}, {{ once: true }});
        }}""")

        def is_pressed():
            x, y = self.browser.run(f"""(async () => {{
                {button}.scrollIntoView({{ block: "center" }});
                await new Promise(requestAnimationFrame);
                const place = {button}.getBoundingClientRect();
                return [place.x + place.width / 2, place.y + place.height / 2];
            }})()""")
            self.browser.click(x, y)
            return self.browser.run("window.wasPressed")

        wait_for("a click on the button", is_pressed)

    def forget_refusals(self):
        """Takes the requests that were refused, as they should be, for no errors."""
        self.browser.run("0")
        self.browser.errors = [error for error in self.browser.errors if error.get("source") != "network"]

    def ink(self, card):
        """How much of the dark of a card's picture, as it is on the screen, lies in its word boxes; and how much there is."""
        place = self.browser.run(f"""(() => {{
            const card = [...page.cards.values()][{card}];
            card.root.scrollIntoView();
            const view = card.part("view").getBoundingClientRect();
            const matrix = card.boxes.getScreenCTM();
            const quads = [...card.boxes.querySelectorAll(".whole")].map((polygon) =>
                [...polygon.points].map((point) => {{
                    const seen = point.matrixTransform(matrix);
                    return [seen.x - view.x, seen.y - view.y];
                }}));
            return {{ x: view.x + scrollX, y: view.y + scrollY, width: view.width, height: view.height, quads }};
        }})()""")
        quads = place.pop("quads")
        self.browser.run("document.body.classList.add('no-words', 'no-characters')")
        picture = self.browser.screenshot(place)
        self.browser.run("document.body.classList.remove('no-words', 'no-characters')")
        self.assertTrue(quads)
        return ink(picture, quads)

    def test_boxes_lie_on_the_text_in_every_orientation(self):
        self.open()
        for number in range(201, 209):
            self.send(number)
        self.wait_until_shown(8)
        keep("orientations", self.browser.screenshot())
        self.check_ink(8)

    def test_boxes_lie_on_the_text_in_every_coordinate_space(self):
        self.open()
        for first in (2, 4):
            for number in (201, 206, 207):
                self.send(number, first=first)
        self.wait_until_shown(6)
        self.check_ink(6)

    def test_boxes_lie_on_the_text_of_pictures_with_an_exif_tag(self):
        self.open()
        for number in (211, 213, 216, 218):
            self.send(number)
        self.wait_until_shown(4)
        self.check_ink(4)

    def check_ink(self, count):
        # The figures of a stream may need another line at any moment, and would move what is below.
        self.browser.run("feed.close()")
        for card in range(count):
            inside, share = self.ink(card)
            with self.subTest(card=card):
                self.assertGreater(share, 0.01, "there is text on the picture")
                self.assertGreater(inside, 0.97, "the boxes lie on it")

    def test_words_are_found_held_and_selected(self):
        self.open()
        self.send(201)
        self.wait_until_shown(1)
        run = self.browser.run
        words = run("[...document.querySelectorAll('.boxes text')].map((text) => text.textContent.trim())")
        self.assertTrue(words)
        word = words[0]

        self.browser.press("/", "/")
        for letter in word[:3].lower():
            self.browser.press(letter, letter)
        self.assertGreaterEqual(run("document.querySelectorAll('.word.match').length"), 1)
        self.assertEqual(run("document.querySelector('mark').textContent"), word)
        keep("search", self.browser.screenshot())
        self.browser.press("Escape")
        self.assertEqual(run("document.querySelectorAll('.match, mark').length"), 0)

        x, y = run("""(() => { const box = document.querySelector('.boxes text').getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; })()""")
        self.browser.move(x, y)
        self.assertEqual(run("tip.root.hidden"), False)
        self.assertEqual(run("tip.root.querySelector('strong').textContent"), word)
        self.browser.click(x, y)
        self.assertTrue(run("[...page.cards.values()][0].isHeld"))
        keep("held", self.browser.screenshot())
        self.browser.press("Escape")
        self.assertFalse(run("[...page.cards.values()][0].isHeld"))
        run("getSelection().selectAllChildren(document.querySelector('.boxes'))")
        self.assertEqual(run("getSelection().toString()").split(), words)

    def test_each_line_of_text_runs_as_its_own_script_does(self):
        self.open()
        self.send(201)
        self.wait_until_shown(1)
        # Distances of each line's text from the left and the right edge of its place.
        gaps = self.browser.run("""(() => {
            const place = document.querySelector(".card .text");
            place.textContent = "Platform 9\\nמגדל השעון 9\\nالمدينة القديمة\\n";
            const [box, node] = [place.getBoundingClientRect(), place.firstChild];
            let start = 0;
            return place.textContent.trimEnd().split("\\n").map((line) => {
                const range = document.createRange();
                range.setStart(node, start);
                range.setEnd(node, start + line.length);
                start += line.length + 1;
                const seen = range.getBoundingClientRect();
                return [seen.left - box.left, box.right - seen.right];
            });
        })()""")
        self.assertEqual([left < right for left, right in gaps], [True, False, False])

    def test_the_last_frames_can_be_stepped_over(self):
        self.open()
        client = connect(self.server)
        self.clients.append(client)
        (path,) = glob.glob(f"{VECTORS}/201-*.bin")
        configure, frame = list(messages(path))[:2]
        client.sendall(configure)
        shown = "[...page.cards.values()][0]?.shown?.result.sequence"
        for sequence in range(3):
            client.sendall(frame[:8] + sequence.to_bytes(8, "big") + frame[16:])
            wait_for("a frame", lambda: self.browser.run(shown) == sequence)
        self.browser.press(" ", " ")
        self.assertTrue(self.browser.run("page.paused"))
        for key, sequence in (("ArrowLeft", 1), ("ArrowLeft", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("End", 2), ("Home", 0)):
            self.browser.press(key)
            wait_for(f"frame {sequence}", lambda: self.browser.run(shown) == sequence)
        client.sendall(frame[:8] + (9).to_bytes(8, "big") + frame[16:])
        wait_for("its times", lambda: self.browser.run("[...page.cards.values()][0].charted.length") == 4)
        self.assertEqual(self.browser.run(shown), 0, "what is looked at stays")
        self.browser.press(" ", " ")
        client.sendall(frame[:8] + (10).to_bytes(8, "big") + frame[16:])
        wait_for("the newest", lambda: self.browser.run(shown) == 10)

    def test_a_word_is_held_though_frames_come_while_it_is_pressed(self):
        self.open()
        client = connect(self.server)
        self.clients.append(client)
        (path,) = glob.glob(f"{VECTORS}/201-*.bin")
        configure, frame = list(messages(path))[:2]

        def show(sequence):
            client.sendall(frame[:8] + sequence.to_bytes(8, "big") + frame[16:])
            wait_for("a frame", lambda: self.browser.run("[...page.cards.values()][0]?.charted.length") == sequence + 1)

        client.sendall(configure)
        show(0)
        self.wait_until_shown(1)
        x, y = self.browser.run("""(() => { const box = document.querySelector('.boxes text').getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]; })()""")
        self.browser.mouse_down(x, y)
        show(1)
        show(2)
        self.browser.mouse_up(x, y)
        self.assertEqual(self.browser.run("document.querySelectorAll('.boxes .held').length"), 1)
        self.browser.press("Escape")
        wait_for("the newest frame", lambda: self.browser.run("[...page.cards.values()][0].shown.result.sequence") == 2)

    def test_boxes_never_lie_on_the_picture_of_another_frame(self):
        self.open()
        client = connect(self.server)
        self.clients.append(client)
        (path,) = glob.glob(f"{VECTORS}/211-*.bin")
        frame = next(messages(path))
        head, jpeg = frame[4:HEADER_BYTES], frame[HEADER_BYTES:]
        # Comments make it larger than pictures of the page may be.
        comment = b"\xff\xfe\xff\xff" + bytes((1 << 16) - 3)
        large = jpeg[:2] + 140 * comment + jpeg[2:]
        image = "document.querySelector('.card img')"
        for sequence, payload in enumerate((jpeg, large, jpeg)):
            message = head[:4] + sequence.to_bytes(8, "big") + head[12:] + payload
            client.sendall(struct.pack(">I", len(message)) + message)
            wait_for("the frame", lambda: self.browser.run("[...page.cards.values()][0]?.shown?.result.sequence") == sequence)
            self.assertTrue(self.browser.run("document.querySelector('.boxes .whole') !== null"))
            self.assertEqual(self.browser.run(f"{image}.hidden"), payload is large)
            note = "picture of 9 MB, too large to be shown" if payload is large else ""
            self.assertEqual(self.browser.run("document.querySelector('.note').textContent"), note)

    def test_a_page_whose_token_was_replaced_says_so(self):
        tokens = os.path.join(self.enterContext(folder()), "tokens")
        with open(tokens, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(TOKENS[0])
        self.server = self.enterContext(server("--workers", "1", "--token-file", tokens))
        self.open(address=f"{self.server.http}?token={TOKENS[0]}")
        self.assertTrue(self.browser.run("element('refusal').hidden"))
        with open(tokens, "w") as file:
            file.write(TOKENS[1])
        self.server.reload()
        self.wait_for_text("#refusal", "the token is not valid")
        self.wait_for_text("#state", "refused, trying again")
        keep("refused", self.browser.screenshot())
        self.assertTrue(self.browser.run("element('empty').hidden && !element('refusal').hidden"))
        self.browser.run("history.replaceState(null, '', location.pathname)")
        self.wait_for_text("#refusal", "requires a token: open this page with ?token=TOKEN")
        self.browser.run(f"history.replaceState(null, '', '?token={TOKENS[1]}')")
        wait_for("the page", lambda: self.browser.run("feed.isOpen && element('refusal').hidden"))
        self.forget_refusals()

    def test_a_page_too_many_says_so(self):
        address = urllib.parse.urlsplit(self.server.http).netloc
        others = [http.client.HTTPConnection(address) for _ in range(PAGES)]
        for other in others:
            other.request("GET", "/events")
            self.assertEqual(other.getresponse().status, 200)
        self.browser.open(self.server.http)
        wait_for("the page", lambda: self.browser.run("typeof feed !== 'undefined'"))
        self.wait_for_text("#refusal", "Too many live pages are open: close one of them.")
        for other in others:
            other.close()
        wait_for("its turn", lambda: self.browser.run("feed.isOpen && element('refusal').hidden"))
        self.forget_refusals()

    def test_figures_of_a_server_that_is_away_are_dimmed(self):
        self.open()
        self.send(201)
        self.wait_until_shown(1)
        opacity = "Number(getComputedStyle(document.querySelector('.figures')).opacity)"
        self.assertEqual(self.browser.run(opacity), 1)
        self.server.process.terminate()
        self.wait_for_text("#state", "no connection, trying again")
        self.assertLess(self.browser.run(opacity), 1)
        self.assertTrue(self.browser.run("element('empty').hidden && element('refusal').hidden"))
        self.forget_refusals()

    def test_one_stream_alone_is_shown_without_keys_or_a_double_click(self):
        self.open(390, 844)
        self.send(201)
        self.wait_until_shown(1)
        self.assertEqual(self.browser.run("document.querySelector('.single').offsetParent"), None, "it is alone already")
        self.send(206)
        self.wait_until_shown(2)
        shown = "[...document.querySelectorAll('.card')].map((card) => card.offsetParent !== null)"
        button = "document.querySelectorAll('.single')[1]"
        for expected in ([False, True], [True, True]):
            self.press_button(button)
            self.assertEqual(self.browser.run(shown), expected)
            self.assertEqual(self.browser.run(f"{button}.getAttribute('aria-pressed')"), str(not expected[0]).lower())
            keep(f"alone-{expected[0]}", self.browser.screenshot())

    def test_a_text_that_is_in_focus_keeps_the_keys_that_scroll_it(self):
        self.open()
        self.send(201)
        self.wait_until_shown(1)
        self.browser.run("document.querySelector('.text').focus()")
        self.browser.press("Home")
        self.assertFalse(self.browser.run("page.paused"))
        self.browser.run("document.activeElement.blur()")
        self.browser.press("Home")
        self.assertTrue(self.browser.run("page.paused"))

    def test_lines_are_in_their_own_languages(self):
        self.open()
        self.send(201)
        self.wait_until_shown(1)
        languages = self.browser.run("[...document.querySelectorAll('.text [lang]')].map((line) => line.lang)")
        self.assertEqual(set(languages), {"und-Latn"})
        languages = self.browser.run("""["Jpan", "Hani", "Hang", undefined].map((script) => languageOf({ script }))""")
        self.assertEqual(languages, ["ja", "und-Hani", "ko", ""])
        self.assertEqual(self.browser.run("languageOf({ script: 'Jpan', reason: 'script_unavailable' })"), "en")

    def test_streams_come_and_go(self):
        self.open()
        self.assertFalse(self.browser.run("element('empty').hidden"))
        keep("empty", self.browser.screenshot())
        self.send(201)
        self.wait_until_shown(1)
        self.assertTrue(self.browser.run("element('empty').hidden"))
        self.clients.pop().close()
        wait_for("its end", lambda: self.browser.run("page.cards.size") == 0)
        self.assertEqual(self.browser.run("page.keptBytes"), 0)

    def test_boxes_of_characters_are_offered_where_there_are_some(self):
        self.open()
        button = "element('characters')"
        self.send(303, first=2)
        self.wait_until_shown(1)
        self.assertTrue(self.browser.run(f"{button}.disabled"), "no stream has characters")
        self.browser.press("c", "c")
        self.assertEqual(self.browser.run(f"{button}.getAttribute('aria-pressed')"), "true", "nothing is switched off")
        self.send(201)
        self.wait_until_shown(2)
        self.assertFalse(self.browser.run(f"{button}.disabled"))
        self.clients.pop().close()
        wait_for("its end", lambda: self.browser.run(f"{button}.disabled"))

    def test_the_page_fits_every_screen(self):
        for name, width, height, is_dark, scale in (
            ("light", 1440, 900, False, 1), ("dark", 1440, 900, True, 1), ("phone", 390, 844, True, 2),
        ):
            self.open(width, height, is_dark=is_dark, scale=scale)
            for number in (201, 206):
                self.send(number)
            wait_for("both", lambda: self.browser.run(ALL_SHOWN) >= 2)
            wait_for("figures", lambda: self.browser.run("document.querySelectorAll('.figures dd').length") > 0)
            keep(name, self.browser.screenshot())
            self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), width, name)
            is_narrow = width < 640
            self.assertEqual(self.browser.run("element('characters').getAttribute('aria-pressed')"), str(not is_narrow).lower())
            tops = self.browser.run("""[...document.querySelectorAll("header button, header input")]
                .filter((part) => part.offsetParent).map((part) => Math.round(part.getBoundingClientRect().top))""")
            self.assertEqual(len(set(tops)), 1, f"{name}: the bar has several rows")
            while self.clients:
                self.clients.pop().close()
            wait_for("their end", lambda: self.browser.run("page.cards.size") == 0)

    def test_a_stream_alone_fills_the_width(self):
        self.open(1280, 800)
        self.send(201)
        self.wait_until_shown(1)
        keep("one", self.browser.screenshot())
        self.assertGreater(self.browser.run("document.querySelector('.card').getBoundingClientRect().width"), 1200)

    def test_an_empty_page_says_how_to_connect(self):
        self.open()
        said = self.browser.run("element('empty').innerText")
        for expected in ("--server 127.0.0.1:7411", "--token-file", "glyphwire-replay run demo/session.gws --host 127.0.0.1"):
            self.assertIn(expected, said)
        self.assertEqual(self.browser.run("new URL(document.querySelector('#empty a').href).pathname"), "/camera")

    def test_words_that_were_found_are_kept_as_csv(self):
        self.open()
        self.assertTrue(self.browser.run("element('save').hidden"))
        self.browser.run("""element('search').value = 'exit'; element('search').oninput()""")
        self.send(201)
        self.wait_until_shown(1)
        self.assertFalse(self.browser.run("element('save').hidden"))
        head, *rows = self.browser.run("log.text()").split("\r\n")
        self.assertEqual(head, "time,stream,name,frame,word,text,confidence,x0,y0,x1,y1,x2,y2,x3,y3")
        self.assertRegex(rows[0], r"^20\S+Z,\d+,Stream \d+,\d+,\d*,EXIT,[01][.\d]*(,-?[\d.]+){8}$")
        self.assertEqual(rows[1:], [""])
        self.check_row([1, 'a "b", c'], '1,"a ""b"", c"')
        # No text that a camera sees becomes a formula; numbers stay what they are.
        cells = ["=1+1", "@a", "-2+3", "＝A1", "-2.5", -2.5, "+3"]
        self.check_row(cells, "'=1+1,'@a,'-2+3,'＝A1,-2.5,-2.5,+3")
        self.check_row(['=HYPERLINK("a")'], "\"'=HYPERLINK(\"\"a\"\")\"")

    def check_row(self, cells, row):
        written = self.browser.run(f"(log.rows = {json.dumps([cells])}, log.text().split('\\r\\n')[1])")
        self.assertEqual(written, row)

    def test_the_last_error_is_shown_and_a_wrong_clock_does_not_spoil_the_chart(self):
        self.open()
        body = b'{"delivery":"every","clock_offset_us":0}'
        client = connect(self.server)
        self.clients.append(client)
        client.sendall(struct.pack(">IB27x", 28 + len(body), 2) + body)
        for orientation in [1, 9]:
            header = struct.pack(">BBBBQQHHI", 1, 5, orientation, 0, orientation, 1, 8, 4, 0)
            client.sendall(struct.pack(">I", len(header) + 32) + header + bytes(32))
        lines(client, 4)
        figures = "document.querySelector('.figures')?.textContent ?? ''"
        wait_for("the error", lambda: "last errorbad_orientation" in self.browser.run(figures))
        self.assertIn("bad_orientation1", self.browser.run(figures))
        self.assertIn("ageclocks disagree", self.browser.run(figures))
        self.assertEqual(self.browser.run("[...page.cards.values()][0].charted.map((bar) => bar.age ?? null)[0]"), None)

    def test_nothing_is_kept_where_nobody_looks(self):
        self.open()
        self.assertEqual(self.server.metric("glyphwire_live_pages"), 1)
        self.browser.open("about:blank")
        wait_for("the page's end", lambda: self.server.metric("glyphwire_live_pages") == 0)


if __name__ == "__main__":
    unittest.main()
