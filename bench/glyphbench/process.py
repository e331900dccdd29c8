"""What the system says of a process."""

import time
from pathlib import Path


def processor_seconds(pid):
    """The time that a process has been at work, on whatever processor; its clock is numbered as in clock_gettime(2)."""
    return time.clock_gettime((~pid << 3) | 2)


def resident_megabytes(pid):
    """The memory that a process holds."""
    return _status(pid, "VmRSS:")


def peak_megabytes(pid):
    """The most memory that a process has held."""
    return _status(pid, "VmHWM:")


def _status(pid, name):
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(name):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"no {name} for process {pid}")
