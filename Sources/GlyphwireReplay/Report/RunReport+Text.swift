extension RunReport {
    /// Report as text for a terminal: the session, the frames by outcome, and the stage times.
    var text: String {
        var lines = self.facts.map { name, fact in
            name + String(repeating: " ", count: 12 - name.count) + fact
        }
        if self.frames.ok > 0 { lines += ["", self.latencyTable.text] }
        if let agreement = self.agreement { lines += [""] + agreement.lines }
        let notes = self.notices + self.caveats
        if !notes.isEmpty { lines += [""] + notes.map { "note: \($0)" } }
        return lines.joined(separator: "\n")
    }

    private var facts: [(String, String)] {
        let frames = self.frames
        var facts = [("load", self.load), ("frames", self.countsText)]
        for outcome in frames.outcomes where outcome.status != .ok {
            let part = Double(outcome.count) / Double(max(frames.offered, 1))
            facts.append(("", "\(Decimals.count(outcome.count)) \(outcome.status.text), \(Decimals.percent(part))"))
        }
        if frames.late > 0 {
            let most = "at most \(Decimals.short(frames.maxLatenessMs)) ms"
            facts.append(("", "\(Decimals.count(frames.late)) sent more than 10 ms after they were due, \(most)"))
        }
        let deadline = "\(Decimals.short(self.deadlineMs)) ms"
        let inTime = "of them read within \(deadline) of when they were due"
        facts.append(("kept up", "\(Decimals.percent(self.keepUp)) \(inTime)"))
        facts.append(("throughput", "\(Decimals.short(self.fps)) frames/s read"))
        if let worst = self.worstConnection {
            let share = "\(Decimals.percent(worst.readShare)) of its \(Decimals.count(worst.offered)) frames"
            facts.append(("worst", "connection \(worst.connection): \(share) were read"))
        }
        let failures = self.allFailures
        if let failure = failures.first {
            let others = failures.count > 1 ? ", and \(Decimals.count(failures.count - 1)) more" : ""
            facts.append(("failed", failure + others))
        }
        return facts
    }

    /// Load in short, in tables of runs.
    var name: String { "\(self.connections) x \(self.pace)" }

    /// Description of the load.
    var load: String {
        let seconds = Decimals.text(self.measuredSeconds, places: 1)
        var text = "\(self.connections.counted("connection")), \(self.pace), \(seconds) s"
        if self.warmupSeconds > 0 {
            text += " after \(Decimals.text(self.warmupSeconds, places: 1)) s of warm-up, which is not counted"
        }
        return text
    }

    private var countsText: String {
        let frames = self.frames
        let all = "\(Decimals.count(frames.offered)) offered, \(Decimals.count(frames.ok)) read"
        guard frames.offered > 0 else { return all }
        return all + ", \(Decimals.percent(Double(frames.ok) / Double(frames.offered)))"
    }

    private var latencyTable: TextTable {
        TextTable(
            header: ["milliseconds", "mean", "p50", "p90", "p99", "p99.9", "max"],
            rows: self.latency.rows.map { name, summary in
                [name] + summary.cells([50, 90, 99, 99.9])
            }
        )
    }
}

extension Agreement {
    /// Agreement as text for a terminal.
    var lines: [String] {
        guard self.framesCompared > 0 else {
            return [
                "results     nothing was compared: \(Decimals.count(self.framesNotRead)) not read, "
                    + "\(Decimals.count(self.framesUnknown)) without an expectation"
            ]
        }
        var lines = [
            "results     \(Decimals.count(self.framesSame)) as expected, \(Decimals.count(self.framesDifferent)) different, "
                + "\(Decimals.count(self.framesNotRead)) not read",
            "words       \(Decimals.count(self.wordsSame)) the same, \(Decimals.count(self.wordsChanged)) changed, "
                + "\(Decimals.count(self.wordsMissing)) missing, \(Decimals.count(self.wordsExtra)) extra",
            "boxes       overlap \(Decimals.text(orDash: self.overlap?.mean, places: 3)) on average, at least "
                + "\(Decimals.text(orDash: self.overlap?.min, places: 3)); characters "
                + "\(Decimals.text(orDash: self.centreError?.mean, places: 2)) pixels away on average, at most "
                + "\(Decimals.text(orDash: self.centreError?.max, places: 2))",
        ]
        if self.framesUnknown > 0 {
            lines.append("            \(Decimals.count(self.framesUnknown)) without an expectation")
        }
        return lines + self.examples.map { "            \($0)" }
    }
}
