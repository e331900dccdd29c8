"""What the system says of processes, and how those that are measured start."""

import ctypes
import os
import resource
import signal
import time
from pathlib import Path

LIBC = ctypes.CDLL(None)
# Of prctl(2): the signal that a process gets when its parent has ended.
PR_SET_PDEATHSIG = 1


def bound(cores=None):
    """What makes a new process end with this one, however that ends, and run on `cores`: for `preexec_fn`."""

    def bind():
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if cores:
            os.sched_setaffinity(0, cores)

    return bind


def processor_seconds(pid):
    """The time that a process has been at work, on whatever processor; its clock is numbered as in clock_gettime(2)."""
    return time.clock_gettime((~pid << 3) | 2)


def children_seconds():
    """The processor time of the processes that this one has started and that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def machine_seconds():
    """The time that all cores have been at work, or at that of other virtual machines (`steal` of proc_stat(5))."""
    ticks = map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9])
    user, nice, system, _, _, interrupts, soft_interrupts, stolen = ticks
    return (user + nice + system + interrupts + soft_interrupts + stolen) / os.sysconf("SC_CLK_TCK")


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
