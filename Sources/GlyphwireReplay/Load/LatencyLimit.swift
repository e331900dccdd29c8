/// Latency limit, such as `p99=100ms`: the percentage of offered frames that must be read within a time after due.
///
/// Frames that are dropped, lost or never sent have not kept it, so a server cannot meet it by leaving frames out.
package struct LatencyLimit: Sendable, Equatable {
    /// As it was written.
    package let text: String
    /// How many of a hundred frames.
    package let percentile: Double
    /// Within what time.
    package let limit: Duration

    /// Reads a limit: `p` and a number below 100, `=`, and a number of milliseconds or seconds with its unit.
    ///
    /// - Throws: ``ReplayError`` that says what is wrong with it.
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

    /// Whether a run with the deadline ``limit`` has kept it.
    package func isMet(by run: RunReport) -> Bool {
        run.failures.isEmpty && run.frames.offered > 0
            && Double(run.frames.inTime) * 100 >= self.percentile * Double(run.frames.offered)
    }
}
