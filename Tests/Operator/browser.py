"""Chromium without a window, spoken to through its debugging pipe: no library is needed."""

import base64
import contextlib
import json
import os
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

from running import PATIENCE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One tab."""

    def __init__(self, to_browser, from_browser, home):
        self.home = home
        self.to_browser, self.from_browser = to_browser, from_browser
        self.received = b""
        self.last = 0
        self.session = None
        self.errors = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            while b"\0" not in self.received:
                ready, _, _ = select.select([self.from_browser], [], [], deadline - time.monotonic())
                assert ready, f"the browser does not answer {method}"
                self.received += os.read(self.from_browser, 1 << 20)
            answer, self.received = self.received.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"])
            if answer.get("method") == "Log.entryAdded" and answer["params"]["entry"]["level"] == "error":
                self.errors.append(answer["params"]["entry"])
            if answer.get("id") == self.last:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def memory(self):
        """Bytes of RAM that the browser's processes have between them."""
        total = 0
        for process in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{process}/cmdline") as file:
                    is_ours = self.home in file.read()
                with open(f"/proc/{process}/statm") as file:
                    pages = file.read().split()
            except OSError:
                continue
            if is_ours:
                total += (int(pages[1]) - int(pages[2])) * os.sysconf("SC_PAGESIZE")
        return total

    def size(self, width, height, is_dark=False, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=width < 600)
        theme = "dark" if is_dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def open(self, url):
        self.call("Page.navigate", url=url)

    def run(self, script):
        """The value of a script, which may be a promise of one."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key, text=None):
        code = {" ": "Space"}.get(key, key)
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, text=text or "")
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)

    def move(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        self.mouse_down(x, y)
        self.mouse_up(x, y)

    def mouse_down(self, x, y):
        self._mouse("mousePressed", x, y)

    def mouse_up(self, x, y):
        self._mouse("mouseReleased", x, y)

    def _mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def screenshot(self, clip=None):
        """A PNG of what is seen, or of a part of the page."""
        more = {"clip": {**clip, "scale": 1}} if clip else {}
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **more)["data"])


@contextlib.contextmanager
def browser(*arguments):
    """A browser with one tab; `arguments` are for the program itself."""
    home = tempfile.mkdtemp(prefix="glyphwire-browser-")
    browser_reads, we_write = os.pipe()
    we_read, browser_writes = os.pipe()

    def become_three_and_four():
        # Out of the way first: either may be 3 or 4 already.
        reads, writes = os.dup2(browser_reads, 30), os.dup2(browser_writes, 31)
        os.dup2(reads, 3)
        os.dup2(writes, 4)

    process = subprocess.Popen(
        [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
         "--hide-scrollbars", f"--user-data-dir={home}", "--remote-debugging-pipe", *arguments, "about:blank"],
        preexec_fn=become_three_and_four, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    os.close(browser_reads)
    os.close(browser_writes)
    try:
        yield Browser(we_write, we_read, home)
    finally:
        os.close(we_write)
        os.close(we_read)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(home, ignore_errors=True)


def pixels(png):
    """Width, height and rows of (red, green, blue) of a PNG of 8 bits a channel, as browsers write it."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        body = png[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack_from(">IIBB", body)
            assert depth == 8 and color in (2, 6), (depth, color)
        elif kind == b"IDAT":
            data += body
        at += 12 + length
    data = zlib.decompress(data)
    size = 3 if color == 2 else 4
    stride, rows = width * size, []
    above = bytearray(stride)
    for y in range(height):
        start = y * (stride + 1)
        kind, row = data[start], bytearray(data[start + 1:start + 1 + stride])
        for x in range(stride):
            left = row[x - size] if x >= size else 0
            up = above[x]
            corner = above[x - size] if x >= size else 0
            if kind == 1:
                row[x] = (row[x] + left) & 255
            elif kind == 2:
                row[x] = (row[x] + up) & 255
            elif kind == 3:
                row[x] = (row[x] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[x] = (row[x] + near[2]) & 255
        above = row
        rows.append([tuple(row[x:x + 3]) for x in range(0, stride, size)])
    return width, height, rows


def keep(name, png):
    folder = os.environ.get("GLYPHWIRE_SCREENSHOTS")
    if folder:
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name + ".png"), "wb") as file:
            file.write(png)


def contains(quad, x, y):
    """Whether a point lies in a convex quadrilateral."""
    sides = []
    for (ax, ay), (bx, by) in zip(quad, quad[1:] + quad[:1]):
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


def misfit(png, quads, margin):
    """The largest distance in pixels between a side of a quadrilateral's bounds and that of the ink in it.

    Ink is looked for up to `margin` pixels beyond, where it is in no other quadrilateral.
    """
    width, height, rows = pixels(png)
    largest = 0
    for quad in quads:
        bounds = [limit(point[axis] for point in quad) for limit in (min, max) for axis in (0, 1)]
        left, top = (max(0, int(bounds[axis] - margin)) for axis in (0, 1))
        right, bottom = min(width, int(bounds[2] + margin) + 1), min(height, int(bounds[3] + margin) + 1)
        others = [other for other in quads if other is not quad]
        dark = [(x, y) for y in range(top, bottom) for x in range(left, right) if sum(rows[y][x]) < 384
                and not any(contains(other, x + 0.5, y + 0.5) for other in others)]
        seen = [min(x for x, _ in dark), min(y for _, y in dark), max(x for x, _ in dark) + 1, max(y for _, y in dark) + 1]
        largest = max(largest, *(abs(side - other) for side, other in zip(bounds, seen)))
    return largest


def ink(png, quads):
    """How much of the dark of a picture lies in quadrilaterals, and how much of the picture it is."""
    width, height, rows = pixels(png)
    inside = total = 0
    for y in range(height):
        for x in range(width):
            if sum(rows[y][x]) < 300:
                total += 1
                inside += any(contains(quad, x + 0.5, y + 0.5) for quad in quads)
    return inside / max(total, 1), total / (width * height)
