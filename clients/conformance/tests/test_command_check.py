import tempfile
import unittest
from pathlib import Path

from kit import command_check
from kit.command_check import CommandLine
from kit.program import Skipped

from .report import Report

COMMAND = Path(__file__).resolve().parents[2] / "python" / "conformance-command"


class CommandCheckTests(unittest.TestCase):
    def flaw(self, check, wrapper):
        """What is wrong with the Python client's command line where something of it is changed."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "conformance-command"
            path.write_text(f"#!/usr/bin/env bash\ncommand={COMMAND}\n{wrapper}\n")
            path.chmod(0o755)
            try:
                command_check.CHECKS[check][1](CommandLine(path))
            except AssertionError as error:
                return str(error)
        return None

    def assert_told(self, check, wrapper, what):
        self.assertIn(what, self.flaw(check, wrapper) or "nothing is wrong")

    def test_a_good_command_line_passes(self):
        for name in command_check.CHECKS:
            self.assertIsNone(self.flaw(name, 'exec "$command" "$@"'), name)

    def test_options_that_are_sent_as_something_else_are_told(self):
        self.assert_told("options", 'exec "$command" "${@/0-9/[0]}"', '[0] instead of "0-9"')
        self.assert_told("options", 'exec "$command" "${@/true/1}"', "1 instead of true")
        self.assert_told("options", 'exec "$command" "${@/again=2/again=1}"', "1 instead of 2")

    def test_usage_that_is_not_refused_is_told(self):
        self.assert_told("wrong-usage", 'exec "$command" "${@/=1/x=1}"', "ended with 1")

    def test_arguments_that_are_taken_for_something_else_are_told(self):
        self.assert_told("spelling", 'exec "$command" "${@/--find=a=b/--find=a}"', "look for ['a']")
        self.assert_told("address", 'exec "$command" "${@/\\[::1\\]/box.invalid}"', "--host [::1] ends with 1")
        self.assert_told("token", 'GLYPHWIRE_TOKEN_FILE= exec "$command" "$@"', "sends None instead of 'open sesame'")

    def test_pictures_that_are_passed_over_in_silence_are_told(self):
        self.assert_told("absent-picture", 'exec "$command" "$@" 2>/dev/null', "does not name")
        self.assert_told("lost-frames", '"$command" "$@" | grep -v connection_lost; exit 1', "for six pictures")
        self.assert_told("changes", '"$command" "$@" | grep -v FERRY', "of changes")

    def test_a_command_line_that_refuses_names_beyond_ascii_is_told(self):
        refuse = 'LC_ALL=C; [[ "${*: -1}" == *[^\ -~]* ]] && { echo "no name like ${*: -1}" >&2; exit 1; }'
        self.assert_told("names", f'{refuse}; exec "$command" "$@"', "in the locale C.UTF-8 ends with 1")
        self.assert_told("names", '"$command" "$@" | tr -d "\303"', "prints")

    def test_a_command_line_that_does_nothing_is_told(self):
        report = Report()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "conformance-command"
            path.write_text("#!/bin/sh\n")
            path.chmod(0o755)
            command_check.check([CommandLine(path)], 4, report)
        self.assertEqual(len(report), len(command_check.CHECKS))
        self.assertEqual([name for name, flaw in report if flaw is None], [])

    def test_what_a_command_line_cannot_do_is_no_failure(self):
        with self.assertRaisesRegex(Skipped, "no names"):
            self.flaw("dashes", "echo no names; exit 77")

    def test_output_that_is_lost_in_silence_is_told(self):
        self.assert_told("full-output", '"$command" "$@" | cat 2>/dev/null; exit 0', "ended with 0")
        self.assert_told("full-output", '"$command" "$@" 2>/dev/null', "does not say why")

    def test_a_crash_is_told(self):
        crash = 'echo "Traceback (most recent call last)" >&2; exit 1'
        self.assert_told("reader-that-leaves", f'"$command" "$@" || {{ {crash}; }}', "crashed")

    def test_results_that_are_thrown_away_are_told(self):
        self.assert_told("large-picture", '"$command" "$@" >/dev/null', "prints []")


if __name__ == "__main__":
    unittest.main()
