"""`bench/run` refuses what is wrong before it installs anything, and two at a time leave each other what they installed."""

import fcntl
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[1]
#: What `run` would install from Debian, below /usr/share.
FROM_DEBIAN = [
    "tesseract-ocr/5/tessdata/eng.traineddata",
    "fonts/truetype/dejavu/DejaVuSans.ttf",
    "fonts/truetype/liberation/LiberationMono-Regular.ttf",
    "fonts/truetype/lato/Lato-Black.ttf",
]


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

    def copy(self, python, engines=""):
        """A copy of this folder as far as `run` needs it, with these engines, and an environment with another Python."""
        folder = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(folder.cleanup)
        bench = Path(folder.name) / "bench"
        bench.mkdir()
        (bench / "run").write_text((BENCH / "run").read_text().replace("/usr/share", '"$bench"/share'))
        (bench / "run").chmod(0o755)
        for name in FROM_DEBIAN:
            (bench / "share" / name).parent.mkdir(parents=True)
            (bench / "share" / name).touch()
        (bench / "requirements.txt").write_text("first\n")
        (bench / "requirements-engines.txt").write_text(engines)
        (Path(folder.name) / "python3").write_text(python)
        (Path(folder.name) / "python3").chmod(0o755)
        return bench, {**os.environ, "PATH": f"{folder.name}:{os.environ['PATH']}"}

    def test_two_at_a_time_do_not_remove_what_the_other_uses(self):
        bench, environment = self.copy(PYTHON)
        runs = [
            subprocess.Popen([bench / "run"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(3)
        ]
        self.assertEqual([run.communicate()[0] for run in runs], ["measured\n"] * 3)

    def test_an_engine_that_cannot_be_installed_is_left_out_without_waiting_for_others(self):
        python = PYTHON.replace("echo requirements.txt", "echo requirements.txt requirements-engines.txt")
        python = python.replace("pip is gone", "pip is gone\"; [[ $* != *absent ]] || exit 1; echo -n \"")
        bench, environment = self.copy(python, engines="absent\n")

        def run():
            done = subprocess.run([bench / "run"], env=environment, capture_output=True, text=True, timeout=60)
            self.assertEqual(done.stdout, "measured\n", done.stderr)
            return done.stderr

        self.assertRegex(run(), "not all engines of bench/requirements-engines.txt can be installed")
        self.assertRegex(run(), "not all engines of bench/requirements-engines.txt can be installed")
        other = os.open(bench, os.O_RDONLY)
        self.addCleanup(os.close, other)
        fcntl.flock(other, fcntl.LOCK_SH)  # as another that measures
        self.assertRegex(run(), "some engines of bench/requirements-engines.txt .* are not tried again while another")


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
