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
                lines += run.caveats.map { "note: \(run.name): \($0)" }
            }
        } else {
            lines += self.runs.map(\.text)
        }
        if let finding = self.finding { lines += ["", finding] }
        return lines.joined(separator: "\n")
    }

    /// Table of the runs, one per row; the last column is the number of connections that failed.
    var table: TextTable {
        TextTable(
            header: ["load", "offered/s", "read/s", "kept up", "p50 ms", "p99 ms", "max ms", "not read", "failed"],
            rows: self.runs.map { run in
                let due = run.latency.sinceDue
                return [
                    run.name, Decimals.short(run.offeredFps), Decimals.short(run.fps), Decimals.percent(run.keepUp),
                    Decimals.short(orDash: due.milliseconds(at: 50)), Decimals.short(orDash: due.milliseconds(at: 99)),
                    Decimals.short(orDash: due.count > 0 ? due.maxMs : nil),
                    Decimals.count(run.frames.offered - run.frames.ok), Decimals.count(run.failures.count),
                ]
            }
        )
    }
}
