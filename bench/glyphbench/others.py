"""How busy other programs keep the machine while something is measured, which takes longer, also on another core."""

from contextlib import contextmanager
from time import monotonic as wall_seconds
from time import process_time as process_seconds

from .process import machine_seconds

# Cores that others keep busy at most in a run that passes for undisturbed.
UNDISTURBED = 0.1


class OtherWork:
    """The processor time of other programs during measurements."""

    def __init__(self):
        self._busy = self._passed = 0.0

    @contextmanager
    def during(self, own):
        """Counts while a measurement runs; `own` gives its processor time by now, beside that of this process."""
        busy, mine, began = machine_seconds(), own() + process_seconds(), wall_seconds()
        yield
        self._passed += wall_seconds() - began
        self._busy += machine_seconds() - busy - (own() + process_seconds() - mine)

    @property
    def cores(self):
        """How many cores the others kept busy, on average."""
        return max(self._busy, 0.0) / self._passed if self._passed else 0.0

    @property
    def condition(self):
        """What has to be said of the measurements, in words; empty if they were undisturbed."""
        return f"other programs kept {self.cores:.1f} cores busy" if self.cores > UNDISTURBED else ""
