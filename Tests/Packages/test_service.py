"""The service of the Debian package works under systemd, with all that the unit forbids it."""

import shutil
import subprocess
import unittest

from debian import Debian

#: Runs in the booted Debian: waits for the server, uses it, reloads and stops it.
SCRIPT = """#!/bin/bash
exec >/root/report 2>&1
timeout 60 grep -q -m1 ' listening on ' <(journalctl --follow --lines=all --unit=glyphwire)
glyphwire-replay run /root/session.gws --until 1 --print-text --token-file /etc/glyphwire/token
glyphwire-replay run /root/session.gws --until 1 >/dev/null || echo refused without a token
systemctl reload glyphwire && echo reloaded
timeout 60 grep -q -m1 'files reloaded' <(journalctl --follow --lines=all --unit=glyphwire)
systemctl show glyphwire --property=ActiveState,User,NRestarts
# An end that is a success to systemd.
kill -TERM "$(systemctl show glyphwire --property=MainPID --value)"
until [[ $(journalctl --unit=glyphwire | grep -c ' listening on ') = 2 ]]; do sleep 0.1; done
systemctl show glyphwire --property=NRestarts
systemctl stop glyphwire
systemctl show glyphwire --property=Result,ExecMainStatus
stat --format='%U %a %n' /var/cache/glyphwire/*.network
journalctl --unit=glyphwire
systemctl poweroff
"""

UNIT = """[Unit]
After=glyphwire.service
[Service]
Type=oneshot
ExecStart=/root/script
[Install]
WantedBy=default.target
"""


@unittest.skipUnless(shutil.which("systemd-nspawn"), "systemd-nspawn is not installed")
class Service(unittest.TestCase):
    def test_the_service_starts_at_boot_reads_reloads_and_stops(self):
        debian = Debian("service")
        debian.install("systemd", "systemd-sysv", "dbus")
        shutil.copy(debian.path("/tmp/session.gws"), debian.path("/root"))
        debian.path("/root/script").write_text(SCRIPT)
        debian.path("/root/script").chmod(0o755)
        debian.path("/etc/systemd/system/check.service").write_text(UNIT)
        debian.run("systemctl", "enable", "check.service")
        debian.unmount()
        # In a network of its own, so that the unit's ports are free.
        boot = ["systemd-nspawn", "--register=no", "--keep-unit", "--private-network", "--boot", "--directory", debian.root]
        booted = subprocess.run(boot, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=120)
        self.assertEqual(booted.returncode, 0, booted.stdout)
        report = debian.path("/root/report").read_text()
        for line in (
            "LANTERN & QUILL",
            "refused without a token",
            "reloaded",
            "files reloaded",
            "ActiveState=active",
            "User=glyphwire",
            "NRestarts=0",
            "NRestarts=1",
            "Result=success",
            "ExecMainStatus=0",
            "glyphwire 600 /var/cache/glyphwire/",
            "answering HTTP on http://127.0.0.1:7412/",
        ):
            self.assertIn(line, report)
        self.assertNotIn("thread priority", report)


if __name__ == "__main__":
    unittest.main()
