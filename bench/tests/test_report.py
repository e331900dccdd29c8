"""What reports say beside their figures: where they were measured, and whether anything disturbed it."""

import time
import unittest
from contextlib import ExitStack
from unittest.mock import patch

from glyphbench.others import OtherWork
from glyphbench.process import machine_seconds
from glyphbench.report import markdown, ratios, source


def results(**members):
    machine = {"cpu": "Intel(R) Xeon(R) Processor", "instructions": [], "cores": 2, "system": "Linux"}
    return {"date": "2026-11-29", "machine": machine, "condition": "", "repeats": 2, "sets": []} | members


class ConditionTests(unittest.TestCase):
    def test_a_run_on_an_idle_machine_needs_no_words(self):
        self.assertNotIn("idle", markdown(results()))
        self.assertEqual(source(results()), "Intel Xeon Processor, 2026-11-29")

    def test_tables_and_plots_state_what_disturbed_a_run(self):
        disturbed = results(condition="builds ran on the other core")
        self.assertIn("The machine was not idle: builds ran on the other core.", markdown(disturbed))
        self.assertTrue(source(disturbed).endswith(", not idle: builds ran on the other core"))

    def test_engines_that_did_not_start_are_named(self):
        page = markdown(results(left_out=["tesseract", "rapidocr-openvino-tiny"]))
        self.assertIn("did not start: Tesseract; RapidOCR tiny, OpenVINO.", page)

    def test_the_versions_of_the_engines_are_stated_once(self):
        names = ["glyphwire-fast", "rapidocr-openvino-tiny", "rapidocr-onnx-small", "tesseract", "tesseract-sparse"]
        rows = [{"engine": name, "version": str(number // 2)} for number, name in enumerate(names)]
        each = {"set": "scene", "pictures": 1, "words": 1, "main_figure": "e2e_f", "engines": rows}
        page = markdown(results(sets=[each]))
        self.assertIn("\nVersions: Glyphwire 0, RapidOCR 1, Tesseract 2.\n", page)

    def test_an_engine_without_times_has_no_share(self):
        rows = [{"engine": "glyphwire-fast", "cpu_ms": 5}, {"engine": "tesseract"}]
        self.assertIn("| Glyphwire fast | Tesseract | – |", ratios([{"set": "scene", "engines": rows}]))

    def test_what_is_not_work_of_the_measured_programs_is_that_of_others(self):
        cases = {(3.0, 1.0): "other programs kept 0.5 cores busy", (3.0, 2.9): "", (3.0, 3.1): ""}
        for (machine, own), condition in cases.items():
            others, ours = OtherWork(), iter([5.0, 5.0 + own])
            clocks = {"machine_seconds": [9.0, 9.0 + machine], "process_seconds": [1.0] * 2, "wall_seconds": [0.0, 4.0]}
            with self.subTest(condition), ExitStack() as stack:
                for name, values in clocks.items():
                    stack.enter_context(patch(f"glyphbench.others.{name}", side_effect=values))
                with others.during(lambda: next(ours)):
                    pass
                self.assertEqual(others.condition, condition)

    def test_the_machine_works_for_no_less_than_one_of_its_programs(self):
        began, mine = machine_seconds(), time.process_time()
        while time.process_time() < mine + 0.5:
            pass
        self.assertGreater(machine_seconds() - began, 0.4)


if __name__ == "__main__":
    unittest.main()
