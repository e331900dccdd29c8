/// Limit such as `p99=100ms`: the percentage of offered frames that must be read within a time.
///
/// The time counts from when a frame is due. Frames that are dropped, lost or never sent violate the limit, so a server
/// cannot meet it by skipping frames.
package struct LatencyLimit: Sendable, Equatable {
    /// Limit as written.
    package let text: String
    /// Percentage of frames.
    package let percentile: Double
    /// Time within which they must be read.
    package let limit: Duration

    /// Parses a limit: `p`, a number below 100, `=`, and a time in `ms` or `s`.
    ///
    /// - Throws: ``ReplayError`` with the syntax error.
    package init(_ text: String) throws(ReplayError) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let time = parts.last ?? ""
        let factor = time.hasSuffix("ms") ? 1.0 : time.hasSuffix("s") ? 1000 : nil
        let number = time.hasSuffix("ms") ? time.dropLast(2) : time.dropLast()
        guard
            parts.count == 2, parts[0].first == "p", let percentile = Double(parts[0].dropFirst()),
            percentile > 0, percentile < 100, let factor, let value = Double(number), (0.001...1e9).contains(value)
        else {
            throw ReplayError(
                .badCondition,
                "the limit \"\(text)\" cannot be read; give a percentile and a time, such as p99=100ms or p99.9=1s"
            )
        }
        self.text = text
        self.percentile = percentile
        self.limit = .milliseconds(value * factor)
    }

    /// Whether a run with the deadline ``limit`` meets the limit.
    package func isMet(by run: RunReport) -> Bool {
        run.failures.isEmpty && run.frames.offered > 0
            && Double(run.frames.inTime) * 100 >= self.percentile * Double(run.frames.offered)
    }
}
