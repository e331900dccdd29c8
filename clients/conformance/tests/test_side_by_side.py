import threading
import unittest

from kit import side_by_side
from kit.program import Skipped

from .report import Report


class SideBySideTests(unittest.TestCase):
    def test_checks_run_at_the_same_time_and_are_reported_in_their_order(self):
        second_has_run = threading.Event()

        def first():
            assert second_has_run.wait(10), "ran alone"

        report = Report()
        side_by_side.run([("first", first), ("second", second_has_run.set)], 2, report)
        self.assertEqual(report, [("first", None), ("second", None)])

    def test_whatever_ends_a_check_is_told_by_its_name(self):
        def fail(error):
            raise error

        report = Report()
        errors = {"a flaw": AssertionError("wrong"), "no tool": Skipped("no cc"), "no sense": ValueError("no JSON")}
        side_by_side.run([(name, lambda error=error: fail(error)) for name, error in errors.items()], 1, report)
        self.assertEqual(
            report, [("a flaw", "wrong"), ("no tool", "skipped: no cc"), ("no sense", "ValueError: no JSON")]
        )
