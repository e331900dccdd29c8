"""What a test has measured, and whether what must hold does."""

import csv
import math

#: Share of the time in which caches and pools fill.
WARM_UP = 0.1


class Report:
    """Lines to print, in the order in which they came."""

    def __init__(self):
        self.holds = True
        self._lines = []

    def tell(self, text):
        self._lines.append(f"      {text}")

    def require(self, condition, text):
        """States something that must hold, and how it is."""
        self._lines.append(f"{'ok  ' if condition else 'FAIL'}  {text}")
        self.holds = self.holds and bool(condition)

    def text(self):
        return "\n".join(self._lines)

    def tell_account(self, account):
        for what, number in sorted(account.counts.items()):
            self.tell(f"{number:>9}  {what}")
        for text in account.wrong:
            self.tell(f"wrong: {text}")

    def require_steady(self, samples, path):
        """Memory, descriptors and threads do not grow behind the first tenth; the figures go to `path`.

        Beside that the largest samples of the two halves of the rest are told: over windows of one length the largest sample of
        what merely varies is as likely higher in the first.
        """
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["seconds", "resident_bytes", "descriptors", "threads", "processor_seconds"])
            for sample in samples:
                writer.writerow([
                    f"{sample.seconds:.1f}", sample.resident, sample.descriptors, sample.threads, f"{sample.processor:.2f}"
                ])  # fmt: skip
        begin, end = samples[0].seconds, samples[-1].seconds
        warm = begin + (end - begin) * WARM_UP
        parts = [
            [sample for sample in samples if low <= sample.seconds < high]
            for low, high in ((begin, warm), (warm, (warm + end) / 2), ((warm + end) / 2, math.inf))
        ]
        for name, unit, room in (("resident", 1 << 20, 1.05), ("threads", 1, 1), ("descriptors", 1, 1.5)):
            before, *halves = (max(getattr(sample, name) for sample in part) / unit for part in parts)
            after, last = max(halves), getattr(samples[-1], name) / unit
            most = f"{name}: at most {before:.0f} in the first tenth, {after:.0f} behind it ({after / before:.3f})"
            one, other = halves
            rest = f"{one:.0f} and {other:.0f} in the halves of the rest ({other / one:.3f}), {last:.0f} at last"
            self.require(after <= before * room, f"{most}; {rest}")
