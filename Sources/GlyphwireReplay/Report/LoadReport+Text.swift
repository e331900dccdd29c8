extension LoadReport {
    /// Report as text for a terminal: one run in detail, several as a row each.
    package var text: String {
        let server = self.server.isEmpty ? self.address : "\(self.address) (\(self.server))"
        let head = "played      \(self.session) to \(server)"
        var lines = [head]
        if self.runs.count > 1 {
            lines += ["", self.table.text]
            for run in self.runs {
                lines += run.notices.filter { !lines.contains("note: \($0)") }.map { "note: \($0)" }
            }
        } else {
            lines += self.runs.map(\.text)
        }
        if let finding = self.finding { lines += ["", finding] }
        return lines.joined(separator: "\n")
    }

    /// Table of the runs, one per row.
    var table: TextTable {
        TextTable(
            header: ["load", "offered/s", "read/s", "kept up", "p50 ms", "p99 ms", "max ms", "not read"],
            rows: self.runs.map { run in
                [
                    "\(run.connections) x \(run.pace)", Decimals.short(run.offeredFps), Decimals.short(run.fps),
                    Decimals.percent(run.keepUp), Decimals.short(run.latency.sinceDue.p50Ms),
                    Decimals.short(run.latency.sinceDue.p99Ms), Decimals.short(run.latency.sinceDue.maxMs),
                    Decimals.count(run.frames.offered - run.frames.ok),
                ]
            }
        )
    }
}
