"""What a run of chaos has found, and what must hold of it."""

from collections import Counter, defaultdict

#: Hours by which the clock of a host of cameras is set at least.
CLOCK_HOURS = 16


def _longest(times):
    return "not in time" if None in times else f"{max(times):.2f} s at most, {len(times)} times"


class Findings:
    """Times, counts and complaints, from the first round to the last."""

    def __init__(self):
        #: Seconds until every camera had another frame read, by what had happened and the limit; None if it never had.
        self.returns = defaultdict(list)
        #: Seconds until a half-open connection was freed, by its kind and the limit; None if it was not.
        self.freed = defaultdict(list)
        #: What servers counted until they were killed, or the end.
        self.totals = Counter()
        #: Servers that ended by themselves.
        self.died = []
        #: How often clocks were set, and what that must not have done.
        self.clocks_set = 0
        self.upset = []

    def add(self, metrics):
        """Adds what a server has counted since it started."""
        self.totals["expired"] += metrics.total("glyphwire_frames_total", 'status="expired"')
        self.totals["internal_error"] += metrics.total("glyphwire_frames_total", 'reason="internal_error"')
        self.totals["age outliers"] += metrics.total("glyphwire_frame_age_outliers_total")
        self.totals["lost"] += metrics.total("glyphwire_connections_closed_total", 'reason="connection_lost"')

    def require_results(self, report, hosts):
        """Every frame has one outcome, in order, and each is one that the network may cause."""
        counts = sum((host.counts for host in hosts), Counter())
        for what, number in sorted(counts.items()):
            report.tell(f"{number:>9}  {what}")
        wrong = [each["wrong"] for host in hosts for results in host.results for each in results if each["wrong"]]
        for text in wrong[:10]:
            report.tell(f"wrong: {text}")
        report.require(not wrong, "results come in order and read as in the quiet run, and no stage takes minutes")
        cameras = [(host.ends.get(number), results) for host in hosts for number, results in enumerate(host.results)]
        silent = sum(end is None for end, _ in cameras)
        errors = [end["error"] for end, _ in cameras if end and end["error"]]
        report.require(not silent and not errors, f"no camera gives up {errors}")
        pairs = [(end["sent"], len(results)) for end, results in cameras if end]
        sent, answered = (sum(column) for column in zip(*pairs)) if pairs else (0, 0)
        is_whole = not silent and all(sent == results for sent, results in pairs)
        report.require(is_whole, f"{sent} frames sent = {answered} results, of each of {len(pairs)} cameras as many")
        report.require(counts["connection_lost"] > 0, "frames were on their way when a link or a server went")
        others = sorted(set(counts) - {"ok", "dropped", "connection_lost"})
        report.require(not others, f"no frame has another outcome {others}")

    def require_times(self, report):
        """Cameras go on, and half-open connections are freed."""
        for (what, limit), times in self.returns.items():
            holds = None not in times and max(times) <= limit
            report.require(holds, f"{what}: each camera has a frame read within {limit} s: {_longest(times)}")
        for (what, limit), times in self.freed.items():
            text = f"a half-open connection {what}: freed within {limit} s: {_longest(times)}"
            report.require(None not in times, text)

    def require_clocks(self, report, host):
        """Clocks were set, also that of a host of cameras, and servers and clients took no notice."""
        captured = [each["captured_us"] for results in host.results for each in results]
        hours = (max(captured) - min(captured)) / 3.6e9
        report.require(hours > CLOCK_HOURS, f"a client's clock was set by {hours:.1f} hours while it streamed")
        text = f"clocks set {self.clocks_set} times end no connection and upset no age {self.upset}"
        report.require(not self.upset, text)

    def require_counts(self, report):
        """What servers count themselves."""
        report.require(not self.died, f"no server ends by itself {self.died}")
        for what in ("expired", "internal_error", "age outliers"):
            report.require(self.totals[what] == 0, f"servers count {self.totals[what]:.0f} frames: {what}")
        report.require(self.totals["lost"] > 0, f"servers count {self.totals['lost']:.0f} connections as lost")
