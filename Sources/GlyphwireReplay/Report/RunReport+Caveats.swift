extension RunReport {
    /// Number of frames that were due and that the server has not answered.
    var framesWithoutResult: Int { self.frames.offered - self.frames.answered }

    /// Whether frames without a result leave a percentile of the latency unknown: they may all lie beyond it.
    func isUnknown(percentile: Double) -> Bool {
        let frames = Double(self.frames.ok + self.framesWithoutResult)
        return Double(self.framesWithoutResult) * 100 > (100 - percentile) * frames
    }

    /// Summary of a part of the latency; `nil` where a percentile of it is unknown.
    func known(_ part: KeyPath<LatencyReport, LatencySummary>, at percentile: Double) -> LatencySummary? {
        let summary = self.latency[keyPath: part]
        return summary.count == 0 || self.isUnknown(percentile: percentile) ? nil : summary
    }

    /// Reasons why figures of the run are not what they seem, each in a sentence.
    var caveats: [String] {
        var caveats: [String] = []
        if self.frames.ok > 0, self.isUnknown(percentile: 99) {
            caveats.append(
                "\(Decimals.count(self.framesWithoutResult)) of \(Decimals.count(self.frames.offered)) frames have no "
                    + "result: the latencies are of those that were read, and the p99 of all is unknown"
            )
        }
        let (away, server) = (self.latency.sinceSent.meanMs, self.latency.server.meanMs)
        if server > away + LatencySummary.resolution(at: away) {
            caveats.append(
                "the server reports \(Decimals.short(server)) ms for frames that were away for \(Decimals.short(away)): "
                    + "its times are wrong, and so is the part of sockets and network"
            )
        }
        return caveats
    }

    /// Reason other than its latency why a run meets no limit; `nil` if there is none.
    var flaw: String? {
        if let failure = self.failures.first { return failure }
        return self.frames.offered > 0 ? nil : "no frame was due in a run; make it longer with --duration"
    }
}
