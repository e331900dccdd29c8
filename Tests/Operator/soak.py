"""Leaves the live page open for a while and looks whether it grows: `python3 soak.py MINUTES`.

The demo session is played to the server over and over. After a tenth of the time to settle in, the memory of the page,
of the browser and of the server is noted, and again at the end; none may have grown by more than a quarter.
"""

import os
import sys
import time

from browser import browser
from running import ROOT, replay, server, wait_for


def measure(page, glyphwire):
    """Megabytes of what may grow, by name."""
    page.call("HeapProfiler.collectGarbage")
    return {
        "page": page.call("Runtime.getHeapUsage")["usedSize"] / 1e6,
        "browser": page.memory() / 1e6,
        "server": glyphwire.metric("process_resident_memory_bytes") / 1e6,
    }


def main(minutes):
    session = os.path.join(ROOT, "demo/session.gws")
    # Other work on the machine may hold everything up for a while.
    endless = ["--loop", "0", "--timeout", "3600"]
    with server("--workers", "1") as glyphwire, browser() as page, replay(glyphwire, session, *endless) as played:
        page.size(1280, 900)
        page.open(glyphwire.http)
        wait_for("a stream", lambda: page.run("typeof page !== 'undefined' && page.cards.size") == 1)
        begun = time.monotonic()
        first = None
        while True:
            spent = (time.monotonic() - begun) / 60
            now = measure(page, glyphwire)
            if played.poll() is not None:
                sys.exit("the session is played no more")
            kept = page.run("[...page.cards.values()].map((card) => card.frames.length)[0]")
            sizes = ", ".join(f"{name} {size:.1f} MB" for name, size in now.items())
            read = glyphwire.metric("glyphwire_frame_seconds_count")
            print(f"{spent:5.1f} min: {sizes}; {kept} frames kept, {read:.0f} read", flush=True)
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
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 30)
