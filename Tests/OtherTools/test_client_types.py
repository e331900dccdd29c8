"""What the clients declare is what mypy and the compiler of TypeScript take, as strictly as they can be told to."""

import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

from glyphwire_program import ROOT


class ClientTypes(unittest.TestCase):
    def test_python(self):
        self.assert_passes("clients/python", sys.executable, "-B", "-m", "unittest", "tests.test_types")

    @unittest.skipUnless(shutil.which("node") and shutil.which("tsc"), "no node, or no tsc")
    @unittest.skipUnless(Path(os.environ.get("GLYPHWIRE_NODE_TYPES", ""), "node").is_dir(), "no declarations of Node")
    def test_node(self):
        self.assert_passes("clients/node", "node", "--test", "test/types.test.js")

    def assert_passes(self, folder, *command):
        done = subprocess.run(command, cwd=ROOT / folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotRegex(done.stdout, r"skipped=|# SKIP")


if __name__ == "__main__":
    unittest.main()
