"""What HAProxy makes of several servers, with the configuration of deploy/."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import urllib.parse

from running import PROGRAM, ROOT, folder, free_port, server, wait_for

sys.path.append(os.path.join(ROOT, "Tests/Soak"))
from rig.balancer import Balancer  # noqa: E402


@unittest.skipUnless(shutil.which("haproxy"), "Debian's package haproxy is not installed")
class ClusterTests(unittest.TestCase):
    def test_cameras_go_on_when_servers_are_drained_killed_and_added(self):
        command = [sys.executable, "-B", os.path.join(ROOT, "deploy/cluster-test"), "--short"]
        ran = subprocess.run(
            command, env=os.environ | {"GLYPHWIRE_PROGRAM": PROGRAM},
            text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self.assertEqual(ran.returncode, 0, ran.stdout)

    def test_a_server_with_a_certificate_is_up_and_haproxy_is_not_root(self):
        with folder() as home:
            certificate, key = os.path.join(home, "server.pem"), os.path.join(home, "server.key")
            command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=box", "-out", certificate]
            subprocess.run([*command, "-keyout", key], check=True, stderr=subprocess.DEVNULL)
            tls = ["--tls-certificate", certificate, "--tls-key", key]
            with server("--proxy-protocol", "--levels", "fast", *tls) as glyphwire:
                places = {"server1": (f"127.0.0.1:{glyphwire.port}", urllib.parse.urlsplit(glyphwire.http).port)}
                listen = f"127.0.0.1:{free_port()}"
                balancer = Balancer(pathlib.Path(home), listen, places, is_secured=True)
                try:
                    # HAProxy takes a server for up before it has checked it.
                    wait_for("a check", lambda: balancer.is_checked)
                    status = pathlib.Path(f"/proc/{balancer.process.pid}/status").read_text()
                    self.assertFalse(re.search(r"^Uid:.*\b0\b", status, re.M), status)
                finally:
                    balancer.stop()
