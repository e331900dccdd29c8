"""Cameras behind a bad network and clocks that are set, in a short form; `make soak` has the long one."""

import os
import subprocess
import sys
import unittest

from running import PROGRAM, ROOT

sys.path.append(os.path.join(ROOT, "Tests/Soak"))
from rig import chaos  # noqa: E402

LACK = chaos.missing()


@unittest.skipIf(LACK, LACK)
class ChaosTests(unittest.TestCase):
    def test_cameras_go_on_and_nothing_stays_half_open(self):
        command = [sys.executable, "-B", os.path.join(ROOT, "Tests/Soak/soak"), "chaos", "--minutes", "0.1"]
        ran = subprocess.run(
            command, env=os.environ | {"GLYPHWIRE_PROGRAM": PROGRAM},
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.assertEqual(ran.returncode, 0, ran.stdout)
