"""`bench/run` refuses what is wrong before it installs anything, and two at a time leave each other what they installed."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
HAS_FONTS = all((Path("/usr/share/fonts/truetype") / name).is_dir() for name in ("dejavu", "liberation", "lato"))

#: In place of Python: it names the file of requirements, and makes an environment in which pip is slow.
PYTHON = """#!/usr/bin/env bash
case "$*" in
*--requirements*) echo requirements.txt ;;
*venv*)
    mkdir -p "$3/bin"
    printf '#!/usr/bin/env bash\\nsleep 0.5\\n[[ -e $0 ]] || echo "pip is gone"\\n' >"$3/bin/pip"
    printf '#!/usr/bin/env bash\\nsleep 0.5\\n[[ -e $0 ]] && echo measured\\n' >"$3/bin/python"
    chmod +x "$3"/bin/*
    ;;
esac
"""


class RunTests(unittest.TestCase):
    def refusal(self, *arguments, program=sys.executable):
        """What is said of options before anything is installed."""
        environment = {**os.environ, "PYTHONPATH": str(BENCH), "GLYPHWIRE_BENCH_PROGRAM": program}
        command = [sys.executable, "-B", "-m", "glyphbench", "--requirements", *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        return done.stderr

    def test_a_folder_without_a_data_set_is_refused_at_once(self):
        said = "bench: neither /nonexistent nor a folder in it has a gt.jsonl\n"
        self.assertEqual(self.refusal("/nonexistent"), said)

    def test_a_server_that_is_not_there_is_missed_at_once(self):
        self.assertRegex(self.refusal(program="/nonexistent"), "^bench: there is no /nonexistent: run 'make build'")

    @unittest.skipUnless(HAS_FONTS, "it would install fonts")
    def test_two_at_a_time_do_not_remove_what_the_other_uses(self):
        with tempfile.TemporaryDirectory(prefix="a folder ") as folder:
            bench = Path(folder) / "bench"
            bench.mkdir()
            shutil.copy(BENCH / "run", bench)
            (bench / "requirements.txt").write_text("first\n")
            (bench / "requirements-engines.txt").touch()
            (Path(folder) / "python3").write_text(PYTHON)
            (Path(folder) / "python3").chmod(0o755)
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
            runs = [
                subprocess.Popen([bench / "run"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for _ in range(3)
            ]
            self.assertEqual([run.communicate()[0] for run in runs], ["measured\n"] * 3)


class CheckTests(unittest.TestCase):
    def test_a_program_that_reads_nothing_is_told_in_a_line(self):
        for program, reason in {
            "/bin/false": "ended with 1, and read 0 of",
            "/bin/echo": "prints no lines of JSON",
            "/nonexistent": "cannot run /nonexistent",
        }.items():
            done = subprocess.run([BENCH / "check", program], capture_output=True, text=True)
            self.assertRegex(done.stderr, f"^bench: [^\n]*{reason}[^\n]*\n$")
            self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main()
