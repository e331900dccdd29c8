/// A condition under which a run counts as failed, such as `p99_ms>120` or `dropped>1%`.
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

    /// As it was written.
    package let text: String
    private let metric: Metric
    private let comparison: Comparison
    private let limit: Double
    private let isPercentage: Bool

    /// Reads a condition: a figure, one of `<`, `<=`, `>` and `>=`, and a number.
    ///
    /// A `%` behind the number of a figure that counts frames makes it a part of those offered.
    ///
    /// - Throws: ``ReplayError`` that says what is wrong with it.
    package init(_ text: String) throws(ReplayError) {
        self.text = text
        let plain = text.filter { $0 != " " }
        guard let comparison = Comparison.allCases.first(where: { plain.contains($0.rawValue) }) else {
            throw Self.failure(text, "it has none of <, <=, > and >=")
        }
        let start = plain.firstRange(of: comparison.rawValue)
        let name = String(plain[..<(start?.lowerBound ?? plain.endIndex)])
        var number = plain[(start?.upperBound ?? plain.endIndex)...]
        guard let metric = Metric.all.first(where: { $0.name == name }) else {
            let names = Metric.all.map(\.name).joined(separator: ", ")
            throw Self.failure(text, "there is no figure \"\(name)\"; there are \(names)")
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

    /// What is to be said of a run that failed by this condition; `nil` of one that did not.
    ///
    /// A run without the figure has failed: what was to be checked was not there to check.
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
