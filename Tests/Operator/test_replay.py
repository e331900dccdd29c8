"""What somebody who sizes a machine learns from glyphwire-replay about a real server."""

import json
import os
import subprocess
import unittest

from browser import CHROMIUM, browser
from running import PROGRAM, ROOT, folder, server, wait_for

#: For each diagram its title, and how many of its lines, spots and bars are in sight, neither empty nor beyond its frame.
DIAGRAMS = """[...document.querySelectorAll("figure")].map((figure) => {
    const frame = figure.querySelector("svg").getBoundingClientRect();
    const marks = [...figure.querySelectorAll("svg path, svg circle, svg rect")].filter((mark) => {
        const box = mark.getBoundingClientRect(), style = getComputedStyle(mark);
        return box.width + box.height > 0 && box.left >= frame.left - 1 && box.right <= frame.right + 1
            && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1
            && (style.fill != "none" || style.stroke != "none") && style.opacity > 0;
    });
    return [figure.querySelector("h3").textContent, marks.length];
})"""


class ReplayTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = cls.enterClassContext(folder())
        cls.server = cls.enterClassContext(server("--workers", "2", "--levels", "fast"))
        cls.session = os.path.join(cls.home, "session.gws")
        cls.replay("cut", os.path.join(ROOT, "demo/session.gws"), "--frames", "1-3", "-o", cls.session)

    @staticmethod
    def replay(*arguments):
        return subprocess.run(
            [PROGRAM + "-replay", *arguments], text=True, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ).stdout

    def run_session(self, *arguments):
        """Plays the session, and waits for each frame as long as it takes."""
        return self.replay("run", self.session, "--port", str(self.server.port), *arguments)

    def test_frames_are_read_the_same_alone_and_beside_others(self):
        lines = os.path.join(self.home, "alone.ndjson")
        self.run_session("--max-in-flight", "1", "--results", lines)
        conditions = ["--fail-if", "differing>0", "--fail-if", "not_read>0"]
        told = self.run_session("--connections", "2", "--expect", lines, *conditions)
        self.assertIn("6 as expected, 0 different, 0 not read", told)

    def test_a_ramp_makes_a_run_for_each_load(self):
        report = os.path.join(self.home, "ramp.json")
        told = self.run_session("--ramp", "1:2:1", "--loop", "1", "--report", report)
        with open(report) as file:
            runs = json.load(file)["runs"]
        self.assertEqual([(run["connections"], run["frames"]["ok"]) for run in runs], [(1, 3), (2, 6)])
        for load in ("1 x as recorded", "2 x as recorded"):
            self.assertIn(load, told)

    def test_a_search_tells_how_many_cameras_keep_a_limit(self):
        told = self.run_session("--find-limit", "p50=100s", "--at-most", "2", "--loop", "1")
        self.assertIn("At least 2 connections (as recorded) meet p50=100s; more were not tried.", told)
        told = self.run_session("--find-limit", "p50=0.001ms", "--loop", "1")
        self.assertIn("Not even one connection (as recorded) meets p50=0.001ms.", told)

    @unittest.skipUnless(CHROMIUM, "no Chromium is installed")
    def test_a_page_about_runs_shows_every_diagram(self):
        page = os.path.join(self.home, "runs.html")
        # Without a warm-up, and with frames that take each other's place.
        self.run_session("--ramp", "1:3:2", "--rate", "1000", "--loop", "5", "--delivery", "live", "--report", page)
        with browser() as tab:
            tab.size(1100, 900)
            tab.open("file://" + page)
            wait_for("the page", lambda: tab.run("document.readyState") == "complete")
            tab.run("document.querySelectorAll('details').forEach((details) => details.open = true)")
            diagrams = tab.run(DIAGRAMS)
            self.assertEqual(tab.errors, [])
        each = ["Latency by percentile", "Latency over time", "Throughput", "Where the time went", "Frames that were not read"]
        self.assertEqual([title for title, _ in diagrams], ["Throughput by load", "Latency by load", *each, *each])
        for title, marks in diagrams:
            self.assertGreater(marks, 0, title)


if __name__ == "__main__":
    unittest.main()
