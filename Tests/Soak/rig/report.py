"""What a test has measured, and whether what must hold does."""

import csv


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
        """Memory, descriptors and threads do not grow behind the first tenth; the figures go to `path`."""
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["seconds", "resident_bytes", "descriptors", "threads", "processor_seconds"])
            for sample in samples:
                writer.writerow([
                    f"{sample.seconds:.1f}", sample.resident, sample.descriptors, sample.threads, f"{sample.processor:.2f}"
                ])  # fmt: skip
        tenth = samples[0].seconds + (samples[-1].seconds - samples[0].seconds) / 10
        first = [sample for sample in samples if sample.seconds <= tenth]
        later = [sample for sample in samples if sample.seconds > tenth]
        for name, unit, room in (("resident", 1 << 20, 1.05), ("threads", 1, 1), ("descriptors", 1, 1.5)):
            before = max(getattr(sample, name) for sample in first)
            after = max(getattr(sample, name) for sample in later)
            last = getattr(samples[-1], name)
            grown = f"{name}: at most {before / unit:.0f} in the first tenth, {after / unit:.0f} behind it"
            self.require(after <= before * room, f"{grown} ({after / before:.3f}), {last / unit:.0f} at last")
