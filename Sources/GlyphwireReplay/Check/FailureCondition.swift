/// Condition under which a run counts as failed, such as `p99_ms>120` or `dropped>1%`.
package struct FailureCondition: Sendable {
    private enum Comparison: String, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case below = "<"
        case above = ">"

        func holds(_ a: Double, _ b: Double) -> Bool {
            switch self {
            case .atMost: a <= b
            case .atLeast: a >= b
            case .below: a < b
            case .above: a > b
            }
        }
    }

    /// Condition as written.
    package let text: String
    private let metric: Metric
    private let comparison: Comparison
    private let limit: Double
    private let isPercentage: Bool

    /// Parses a condition: a metric, one of `<`, `<=`, `>` and `>=`, and a number.
    ///
    /// A `%` after the number makes it a share of the offered frames, for metrics that count frames.
    ///
    /// - Throws: ``ReplayError`` with the syntax error.
    package init(_ text: String) throws(ReplayError) {
        self.text = text
        let plain = text.filter { $0 != " " }
        guard let comparison = Comparison.allCases.first(where: { plain.contains($0.rawValue) }) else {
            throw Self.failure(text, "it has no <, <=, > or >=")
        }
        let start = plain.firstRange(of: comparison.rawValue)
        let name = String(plain[..<(start?.lowerBound ?? plain.endIndex)])
        var number = plain[(start?.upperBound ?? plain.endIndex)...]
        guard let metric = Metric.all.first(where: { $0.name == name }) else {
            let names = Metric.all.map(\.name).joined(separator: ", ")
            throw Self.failure(text, "there is no metric \"\(name)\"; the metrics are \(names)")
        }
        self.isPercentage = number.last == "%" && metric.countsFrames
        if number.last == "%" {
            guard metric.countsFrames || name == "keep_up" else {
                throw Self.failure(text, "\(name) counts no frames, so it has no percentage")
            }
            number = number.dropLast()
        }
        guard let limit = Double(number), limit.isFinite else {
            throw Self.failure(text, "\"\(number)\" is no number")
        }
        self.metric = metric
        self.comparison = comparison
        self.limit = limit
    }

    /// Message for a run that fails by this condition; `nil` for other runs.
    ///
    /// A run without the metric fails, since the condition cannot be checked.
    package func failure(of run: RunReport) -> String? {
        guard var value = self.metric.value(run) else { return "\(self.text): the run has no \(self.metric.name)" }
        if self.isPercentage { value *= 100 / Double(max(run.frames.offered, 1)) }
        guard self.comparison.holds(value, self.limit) else { return nil }
        return "\(self.text): it is \(Decimals.short(value))\(self.isPercentage ? " %" : "")"
    }

    private static func failure(_ text: String, _ reason: String) -> ReplayError {
        ReplayError(.badCondition, "the condition \"\(text)\" cannot be read: \(reason)")
    }
}
