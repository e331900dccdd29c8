/// What a run has shown.
package struct ReplayReport: Sendable {
    /// What became of the frames.
    package var statistics: ReplayStatistics
    /// How many connections played.
    package var connections: Int
    /// From when the first frame was due to the last result.
    package var elapsed: Duration
    /// What a person should know beside the figures, each once.
    package var notices: [String]
    /// Why streams failed, with the number of each; empty if none did.
    package var failures: [String]

    init(
        statistics: ReplayStatistics,
        connections: Int,
        elapsed: Duration,
        outcomes: [Result<StreamPlayer.Outcome, any Error>]
    ) {
        self.statistics = statistics
        self.connections = connections
        self.elapsed = elapsed
        self.notices = []
        self.failures = []
        for (index, outcome) in outcomes.enumerated() {
            switch outcome {
            case .success(let outcome):
                self.notices += Self.notices(of: outcome).filter { !self.notices.contains($0) }
            case .failure(let error):
                self.failures.append("connection \(index + 1) of \(connections): \(error)")
            }
        }
    }

    private static func notices(of outcome: StreamPlayer.Outcome) -> [String] {
        var notices: [String] = []
        if let notice = outcome.ending?.notice { notices.append(notice) }
        if outcome.guessedGaps > 0 {
            notices.append(
                "\(outcome.guessedGaps) frames have no capture time that can be followed and were paced like those before "
                    + "them, at first 30 a second; --rate sets the pace"
            )
        }
        return notices
    }

    /// The report for a terminal: counts, then a table of all stages.
    package var text: String {
        let statistics = self.statistics
        var lines = [self.headline, self.counts]
        if statistics.late > 0 {
            lines.append(
                "late      \(statistics.late) of them sent more than 10 ms after they were due, at most "
                    + "\(Self.number(statistics.maxLateness.milliseconds)) ms; \"since due\" counts that"
            )
        }
        if statistics.ok > 0 {
            lines.append("")
            lines.append(self.table.text)
        }
        lines += self.notices.map { "note      \($0)" }
        return lines.joined(separator: "\n")
    }

    private var headline: String {
        let seconds = max(self.elapsed.milliseconds / 1000, 0.001)
        let connections = self.connections == 1 ? "1 connection" : "\(self.connections) connections"
        let rate = Self.number(Double(self.statistics.answered) / seconds)
        return "played    \(Self.number(seconds)) s on \(connections), \(rate) frames/s answered"
    }

    private var counts: String {
        let statistics = self.statistics
        var counts =
            "frames    sent \(statistics.sent), read \(statistics.ok), errors \(statistics.answered - statistics.ok)"
        if !statistics.failed.isEmpty {
            let codes = statistics.failed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            counts += " (\(codes.joined(separator: ", ")))"
        }
        if statistics.lost > 0 { counts += ", lost \(statistics.lost)" }
        return counts
    }

    private var table: LatencyTable {
        let statistics = self.statistics
        return LatencyTable(rows: [
            ("server: queue", statistics.queue),
            ("server: decode", statistics.decode),
            ("server: detect", statistics.detect),
            ("server: recognize", statistics.recognize),
            ("server: total", statistics.server),
            ("sockets and network", statistics.wire),
            ("since sent", statistics.sinceSent),
            ("since due", statistics.endToEnd),
        ])
    }

    static func number(_ value: Double) -> String { LatencyTable.number(value, places: 1) }
}

extension Duration {
    /// The duration as a number.
    var milliseconds: Double {
        let (seconds, attoseconds) = self.components
        return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
    }
}
