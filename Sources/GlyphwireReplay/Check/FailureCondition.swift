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
    /// Whether a number of frames is compared as its share of those offered.
    private let isShareOfFrames: Bool

    /// Parses a condition: a metric, one of `<`, `<=`, `>` and `>=`, and a number.
    ///
    /// A `%` after the number makes it a percentage: of the offered frames for metrics that count frames, and of 1 for
    /// shares.
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
        let isPercentage = number.last == "%"
        if isPercentage { number = number.dropLast() }
        guard let limit = Double(number), limit.isFinite else {
            throw Self.failure(text, "\"\(number)\" is no number")
        }
        switch metric.scale {
        case .number where isPercentage:
            throw Self.failure(text, "\(name) is no number of frames and no share, so it has no percentage")
        case .share where !isPercentage && !(0...1).contains(limit):
            throw Self.failure(text, "\(name) is a share from 0 to 1; \(number)% is the percentage")
        default: break
        }
        self.metric = metric
        self.comparison = comparison
        // Rounded once, as the share is that it is compared with: 99.9 / 100 is more than 999 / 1000.
        self.limit = isPercentage ? Double("\(number)e-2") ?? limit / 100 : limit
        self.isShareOfFrames = isPercentage && metric.scale == .frames
    }

    /// Message for a run that fails by this condition; `nil` for other runs.
    ///
    /// A run without the metric fails, since the condition cannot be checked.
    package func failure(of run: RunReport) -> String? {
        guard var value = self.metric.value(run) else {
            return "\(self.text): the run has no \(self.metric.name), which takes \(self.metric.requirement)"
        }
        if self.isShareOfFrames { value /= Double(run.frames.offered) }
        guard self.comparison.holds(value, self.limit) else { return nil }
        let isShare = self.isShareOfFrames || self.metric.scale == .share
        return "\(self.text): it is \(isShare ? Decimals.percent(value) : Decimals.short(value))"
    }

    private static func failure(_ text: String, _ reason: String) -> ReplayError {
        ReplayError(.badCondition, "the condition \"\(text)\" cannot be read: \(reason)")
    }
}
