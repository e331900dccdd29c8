"""Leaves a page open for a while and looks whether it grows: `python3 soak.py MINUTES [live|camera]`.

To the live page, the demo session is played over and over; to the page of the camera, the browser shows a film as its camera.
After a tenth of the time to settle in, the memory of the page, of the browser and of the server is noted, and again at the
end; none may have grown by more than a quarter.
"""

import contextlib
import os
import sys
import tempfile
import time

from browser import browser
from running import ROOT, replay, server, wait_for
from test_camera import camera_arguments, film

# Time in milliseconds after which the page of the camera takes boxes away.
MAX_AGE = 2000


def measure(page, glyphwire):
    """Megabytes of what may grow, by name."""
    page.call("HeapProfiler.collectGarbage")
    return {
        "page": page.call("Runtime.getHeapUsage")["usedSize"] / 1e6,
        "browser": page.memory() / 1e6,
        "server": glyphwire.metric("process_resident_memory_bytes") / 1e6,
    }


@contextlib.contextmanager
def live():
    """The live page with the demo session: its server, its browser, and what tells how it is."""
    # Other work on the machine may hold everything up for a while.
    endless = ["--loop", "0", "--timeout", "3600"]
    session = os.path.join(ROOT, "demo/session.gws")
    with server("--workers", "1") as glyphwire, browser() as page, replay(glyphwire, session, *endless) as played:
        page.size(1280, 900)
        page.open(glyphwire.http)
        wait_for("a stream", lambda: page.run("typeof page !== 'undefined' && page.cards.size") == 1)

        def state():
            if played.poll() is not None:
                sys.exit("the session is played no more")
            return f"""{page.run("[...page.cards.values()].map((card) => card.frames.length)[0]")} frames kept"""

        yield glyphwire, page, state


@contextlib.contextmanager
def camera():
    """The page of the camera with a film: its server, its browser, and what tells how it is."""
    with tempfile.TemporaryDirectory() as folder, server("--workers", "1") as glyphwire:
        path = os.path.join(folder, "film.mjpeg")
        with open(path, "wb") as file:
            file.write(film())
        with browser(*camera_arguments(path)) as page:
            page.size(390, 844)
            page.open(f"{glyphwire.http}camera")
            wait_for("the page", lambda: page.run("document.readyState === 'complete' && typeof state !== 'undefined'"))
            page.run("element('start').click()")
            wait_for("text", lambda: page.run("element('text').textContent"))

            def state():
                age = page.run("state.result ? performance.now() - state.captured : Infinity")
                if age is None or age > MAX_AGE:
                    sys.exit("the page shows no result that is new")
                return f"boxes {age:.0f} ms old"

            yield glyphwire, page, state


def main(minutes, scene):
    with scene() as (glyphwire, page, state):
        begun = time.monotonic()
        first = None
        while True:
            spent = (time.monotonic() - begun) / 60
            now = measure(page, glyphwire)
            sizes = ", ".join(f"{name} {size:.1f} MB" for name, size in now.items())
            read = glyphwire.metric("glyphwire_frame_seconds_count")
            print(f"{spent:5.1f} min: {sizes}; {state()}, {read:.0f} read", flush=True)
            if first is None and spent >= minutes / 10:
                first = now
            if spent >= minutes:
                break
            time.sleep(min(30, minutes * 6))
        for name, before in first.items():
            if now[name] > before * 1.25:
                sys.exit(f"the {name} has grown from {before:.1f} MB to {now[name]:.1f} MB")
        if page.errors:
            sys.exit(f"the page failed: {page.errors[0]}")


if __name__ == "__main__":
    scenes = {"live": live, "camera": camera}
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30, scenes[sys.argv[2] if len(sys.argv) > 2 else "live"])
