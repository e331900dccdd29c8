"""The Debian package installs what it should, and leaves nothing when it is purged."""

import os
import re
import shutil
import stat
import unittest

from debian import Debian

TOKEN = "/etc/glyphwire/token"


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.debian = Debian("deb")
        cls.debian.install()

    def test_programs_read_and_replay(self):
        self.assertIn("Old Ferry Pier", self.debian.run("glyphwire", "read", "/tmp/sign.jpg").splitlines())
        self.assertIn("86 in", self.debian.run("glyphwire-replay", "info", "/tmp/session.gws"))

    def test_libraries_of_debian_are_used(self):
        libraries = self.debian.libraries("/usr/bin/glyphwire")
        for name in ("libpng16.so.16", "libjpeg.so.62", "libturbojpeg.so.0", "liblz4.so.1", "libz.so.1"):
            self.assertIn("x86_64-linux-gnu" if os.uname().machine == "x86_64" else "aarch64-linux-gnu", libraries[name])
        self.assertNotIn("", libraries.values())

    def test_the_service_has_an_account_and_a_secret_token(self):
        self.assertRegex(self.debian.path("/etc/passwd").read_text(), r"glyphwire:x:\d+:\d+::/nonexistent:/usr/sbin/nologin")
        status = self.debian.path(TOKEN).stat()
        self.assertEqual((stat.S_IMODE(status.st_mode), status.st_uid), (0o600, 0))
        self.assertRegex(self.debian.path(TOKEN).read_text(), r"^[0-9a-f]{32}$")

    def test_the_settings_of_the_service_are_valid(self):
        command = ("glyphwire", "config", "check", "--config", "/etc/glyphwire/glyphwire.yaml", "--token-file", TOKEN)
        self.assertIn("would listen on 0.0.0.0:7411", self.debian.run(*command))
        unit = self.debian.path("/lib/systemd/system/glyphwire.service").read_text()
        self.assertIn("serve --config /etc/glyphwire/glyphwire.yaml --token-file", unit)

    def test_the_service_is_enabled_and_that_of_cameras_is_not(self):
        enabled = self.debian.path("/etc/systemd/system/multi-user.target.wants")
        self.assertTrue((enabled / "glyphwire.service").is_symlink())
        self.assertTrue(self.debian.path("/lib/systemd/system/glyphwire-watch.service").exists())
        self.assertFalse((enabled / "glyphwire-watch.service").is_symlink())

    def test_manual_pages_and_completions_are_where_debian_looks_for_them(self):
        for path in (
            "man/man1/glyphwire-serve.1.gz",
            "man/man1/glyphwire-replay-run.1.gz",
            "bash-completion/completions/glyphwire",
            "zsh/vendor-completions/_glyphwire-replay",
            "fish/vendor_completions.d/glyphwire.fish",
        ):
            self.assertTrue(self.debian.path(f"/usr/share/{path}").is_file(), path)

    def test_the_documentation_is_there_and_its_links_lead_to_files(self):
        folder = self.debian.path("/usr/share/doc/glyphwire")
        for name in ("Protocol.md", "docs/watch.md", "clients/python/README.md", "deploy/prometheus/glyphwire.rules.yml"):
            self.assertTrue((folder / name).is_file(), name)
        self.assertEqual(self.debian.broken_links("/usr/share/doc/glyphwire"), "")

    def test_every_command_has_a_manual_page(self):
        pages = {path.name for path in self.debian.path("/usr/share/man/man1").glob("glyphwire*")}
        for program in ("glyphwire", "glyphwire-replay"):
            help = self.debian.run(program, "--help").partition("SUBCOMMANDS:")[2]
            for command in re.findall(r"^  ([a-z]+) ", help, re.M):
                self.assertIn(f"{program}-{command}.1.gz", pages)

    def test_a_purge_leaves_nothing(self):
        purged = Debian("purged")
        (package,) = self.debian.path("/tmp").glob("glyphwire_*.deb")
        shutil.copy(package, purged.root / "tmp")
        purged.run("dpkg", "--force-depends", "--install", f"/tmp/{package.name}")
        purged.run("dpkg", "--purge", "glyphwire")
        (purged.root / "tmp" / package.name).unlink()
        self.assertEqual(purged.run("find", "/", "-xdev", "-name", "*glyphwire*", "-not", "-path", "/sys/*"), "")


if __name__ == "__main__":
    unittest.main()
