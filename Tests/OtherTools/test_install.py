"""`make install` lays down what runs, and documents that lead to each other, in a folder of any name."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from glyphwire_program import PROGRAM, ROOT

PROGRAMS = Path(PROGRAM).absolute().parent
IS_BUILT = (PROGRAMS / "glyphwire-replay").exists() and shutil.which("patchelf")


def install(prefix):
    command = [ROOT / "scripts/install.sh", PROGRAMS]
    return subprocess.run(command, env={**os.environ, "PREFIX": str(prefix)}, capture_output=True, text=True)


class Install(unittest.TestCase):
    @unittest.skipUnless(IS_BUILT, "no glyphwire-replay beside the program, or no patchelf")
    def test_a_folder_may_have_any_name(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = Path(folder) / "a b&c%d"
            done = install(prefix)
            self.assertEqual(done.returncode, 0, done.stderr)
            unit = (prefix / "lib/systemd/system/glyphwire.service").read_text()
            (start,) = re.findall(r"^ExecStart=(.*)/bin/glyphwire serve ", unit, re.M)
            self.assertEqual(start, f"{folder}/a\\x20b&c%%d")
            documents = prefix / "share/doc/glyphwire"
            check = subprocess.run([ROOT / "scripts/check-links.py", "--folder", documents], stderr=subprocess.PIPE, text=True)
            self.assertEqual(check.stderr, "")
            for name in ("clients/python/glyphwire/__main__.py", "clients/c/glyphwire.h", "deploy/haproxy.cfg"):
                self.assertTrue((documents / name).is_file(), name)
            if shutil.which("systemd-analyze"):
                self.assert_starts(unit, Path(folder))

    def assert_starts(self, unit, folder):
        """That systemd finds the program of a unit."""
        (start,) = re.findall(r"^ExecStart=.*", unit, re.M)
        (folder / "started.service").write_text(f"[Service]\n{start}\n")
        command = ["systemd-analyze", "verify", folder / "started.service"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_name_that_systemd_cannot_take_is_refused_before_anything_is_laid_down(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = Path(folder) / 'a"b'
            done = install(prefix)
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "^install: PREFIX has a quote")
            self.assertFalse(prefix.exists())


if __name__ == "__main__":
    unittest.main()
