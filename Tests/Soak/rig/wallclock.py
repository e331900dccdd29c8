"""The wall clock of a process, to be set by hours while it runs."""

import pathlib
import shutil
import struct
import subprocess

SOURCE = pathlib.Path(__file__).with_suffix(".c")


def compiler():
    """The path of a C compiler; that of the Swift toolchain will do."""
    return shutil.which("cc") or shutil.which("clang")


class WallClock:
    """A wall clock for processes whose environment has `environment`; their monotonic clocks go on as ever.

    This is not Debian's `faketime`. libfaketime 0.9.10 moves absolute timers of monotonic clocks too
    (`timerfd_settime`), so that a Swift task of a server whose clock is set back by hours sleeps for hours.
    """

    def __init__(self, folder, name):
        self._file = folder / f"{name}.clock"
        library = folder / "wallclock.so"
        if not library.exists():
            subprocess.run([compiler(), "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE)], check=True)
        self._write(0)
        self.environment = {"LD_PRELOAD": str(library), "WALL_CLOCK_OFFSET": str(self._file)}

    def set(self, seconds):
        """Sets the clock to so many seconds ahead of the machine's, or behind it."""
        self._write(seconds)

    def _write(self, seconds):
        with open(self._file, "r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("q", seconds))
