"""The documents state the figures of the runs that they name, and each figure once."""

import json
import re
import unittest
from pathlib import Path
from statistics import mean

from glyphbench.report import markdown, source

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results"


def rows(text, head):
    """The rows of the table that begins with `head`, as lists of cells without emphasis."""
    lines = text[text.index(head) :].splitlines()[2:]
    table = lines[: next(index for index, line in enumerate([*lines, ""]) if not line.startswith("|"))]
    return [[cell.strip(" *`") for cell in line.strip("|").split("|")] for line in table]


def numbers(cell):
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", cell)]


class FigureTests(unittest.TestCase):
    def setUp(self):
        self.results = json.loads((RESULTS / "results.json").read_text())
        self.readme, self.accuracy, self.capacity = (
            (ROOT / name).read_text() for name in ("README.md", "docs/accuracy.md", "docs/capacity.md")
        )

    def test_the_front_page_states_processor_and_condition_of_the_last_run(self):
        condition, machine = self.results["condition"], self.results["machine"]
        self.assertEqual("builds" in condition, "timed while builds ran" in self.readme)
        processor = machine["cpu"].replace("(R)", "").removesuffix(" Processor")
        if "amx_bf16" in machine["instructions"]:
            processor += " with AMX"
        idle = re.search(r"Timed on a nearly idle (.*?)\.", self.readme, re.DOTALL)
        self.assertEqual(idle and " ".join(idle[1].split()), None if condition else processor)

    def test_tables_and_plots_are_those_of_the_last_run_and_state_its_condition(self):
        self.assertEqual((RESULTS / "results.md").read_text(), markdown(self.results))
        for plot in (RESULTS / "speed-accuracy.svg", ROOT / "docs/speed-accuracy.svg"):
            # The texts of a plot are in its comments.
            self.assertIn(source(self.results), plot.read_text(), plot)

    def test_the_comparison_is_that_of_the_last_run(self):
        sets = [{row["engine"]: row for row in each["engines"]} for each in self.results["sets"]]
        names = ["e2e_f", "e2e_f", "bow_f", "e2e_f", "e2e_f"]
        tables = {
            "| words read; bag of words for receipts |": [
                [f"{engines[engine][name]:.3f}" for engines, name in zip(sets, names)] for engine in sets[0]
            ],
            "| processor time, ms a picture, median |": [
                [f"{engines[engine]['cpu_ms']:.0f}" for engines in sets] for engine in sets[0]
            ],
        }
        for head, expected in tables.items():
            with self.subTest(head):
                self.assertEqual([row[1:] for row in rows(self.accuracy, head)], expected)

    def test_times_by_level_are_those_of_the_run_that_is_linked(self):
        by_level = "By level, for a street scene"
        stated = rows(self.capacity[self.capacity.index(by_level) :], "| | `fast` | `accurate` |")
        stated += [row for row in rows(self.readme, "| | `fast` | `accurate` |") if row[0].startswith("processor time")]
        self.assertGreater(len(stated), 3)
        for row in stated:
            file = re.search(r"bench/results/([\w.-]+\.md)", row[0])
            with self.subTest(row):
                self.assertTrue(file, "it names no run")
                scene = (RESULTS / file[1]).read_text().split("\n## ")[1]
                columns = [cell.strip() for cell in re.search(r"\n(\| \| .*)", scene)[1].strip("|").split("|")]
                run = {cells[0]: cells[columns.index("ms busy")] for cells in rows(scene, "| | words read |")}
                self.assertEqual(row[1:], [f"{run['Glyphwire fast']} ms", f"{run['Glyphwire accurate']} ms"])

    def test_shares_of_the_time_of_others_are_those_of_their_runs(self):
        log = (ROOT / "docs/log/accuracy.md").read_text()
        files = {"Xeon": "2026-11-26-xeon.md", "EPYC": "2026-11-26-epyc.md", "Xeon with AMX": "results.md"}
        pair = ""
        for row in rows(log, "| | | scene | forms | receipts | pages | web graphics | scene and forms |"):
            pair = row[1] or pair
            shares = " | ".join([*pair.split(" of "), *row[2:7]])
            with self.subTest(row):
                self.assertIn(f"\n| {shares} |\n", (RESULTS / files[row[0]]).read_text())

    def test_the_range_of_real_video_is_that_of_its_clips(self):
        *clips, average = rows(self.accuracy, "| clip | frames |")
        shares = [share for clip in clips for share in numbers(clip[3])]
        self.assertEqual(len(shares), 12)
        self.assertAlmostEqual(mean(shares), float(average[3]), delta=0.01)
        stated = re.search(r"it is ([\d.]+) \(a title\) to ([\d.]+) \(news.*?\) of that, ([\d.]+)", self.capacity)
        self.assertEqual([float(text) for text in stated.groups()], [min(shares), max(shares), float(average[3])])


if __name__ == "__main__":
    unittest.main()
