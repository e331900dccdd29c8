"""A copy of the bare Debian that `run` has made, and the commands that are run in it."""

import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: A user who owns nothing.
NOBODY = "65534"


class Debian:
    """A root folder of its own. Commands run in it with no environment but the usual PATH."""

    def __init__(self, name, bare=os.environ["BARE_DEBIAN"]):
        self.root = pathlib.Path(bare).with_name(name)
        subprocess.run(["cp", "-a", bare, self.root], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", self.root / "proc"], check=True)
        subprocess.run(["mount", "--rbind", "--read-only", "/sys", self.root / "sys"], check=True)
        for file in ("sign.jpg", "session.gws"):
            shutil.copy(ROOT / "demo" / file, self.root / "tmp")

    def unmount(self):
        """Leaves /proc and /sys to a container, whose processes are others."""
        for place in ("proc", "sys"):
            subprocess.run(["umount", "--recursive", "--lazy", self.root / place], check=True)

    def path(self, inside):
        """Where a path of this Debian is to be found from outside."""
        return self.root / inside.lstrip("/")

    def command(self, words, user="0", environment=()):
        """The words that run a command in this Debian as a user."""
        clean = ["env", "-i", "PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", *environment]
        return ["chroot", str(self.root), "setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", *clean, *words]

    def run(self, *words, **options):
        """What a command prints; its failure is an error, with what it says."""
        done = subprocess.run(self.command(words, **options), stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode != 0:
            raise AssertionError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def install(self, *packages):
        """Installs the package under test and others, with nothing but what they depend on."""
        (package,) = pathlib.Path(os.environ["PACKAGES"]).glob("glyphwire_*.deb")
        shutil.copy(package, self.root / "tmp")
        self.run("apt-get", "update", "-qq")
        options = ["-qq", "--yes", "--no-install-recommends"]
        self.run("apt-get", "install", *options, *packages, f"/tmp/{package.name}", environment=["DEBIAN_FRONTEND=noninteractive"])

    def broken_links(self, documents):
        """Links of installed documents that lead to nothing, one a line."""
        check = [ROOT / "scripts/check-links.py", "--folder", self.path(documents)]
        return subprocess.run(check, stderr=subprocess.PIPE, text=True).stderr

    def libraries(self, program):
        """The paths of the libraries that a program loads, by name; one that is not found has none."""
        found = re.findall(r"^\t(\S+) => (\S+|not found)", self.run("ldd", program), re.M)
        return {name: "" if path == "not found" else os.path.normpath(path) for name, path in found}


class Server:
    """A server in a Debian, which ends with the block."""

    def __init__(self, debian, words, user, environment=()):
        command = debian.command(words, user=user, environment=["GLYPHWIRE_LOG_LEVEL=warning", *environment])
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        line = self.process.stdout.readline()
        found = re.search(r" listening on \S*:(\d+) ", line)
        if not found:
            self.process.kill()
            raise AssertionError(f"the server did not start: {line}")
        self.port = found[1]
        return self

    def stop(self):
        """Stops the server gracefully, and returns its exit status."""
        self.process.terminate()
        return self.process.wait()

    def __exit__(self, *_):
        self.stop()
        self.process.stdout.close()
