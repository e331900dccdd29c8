"""What HAProxy makes of several servers, with the configuration of deploy/."""

import os
import shutil
import subprocess
import sys
import unittest

from running import PROGRAM, ROOT


@unittest.skipUnless(shutil.which("haproxy"), "Debian's package haproxy is not installed")
class ClusterTests(unittest.TestCase):
    def test_cameras_go_on_when_servers_are_drained_killed_and_added(self):
        command = [sys.executable, "-B", os.path.join(ROOT, "deploy/cluster-test"), "--short"]
        ran = subprocess.run(
            command, env=os.environ | {"GLYPHWIRE_PROGRAM": PROGRAM},
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.assertEqual(ran.returncode, 0, ran.stdout)
