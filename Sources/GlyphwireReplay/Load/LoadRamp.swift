/// Sequence of loads, such as `1:32:4` connections or `rate=5:60:5`.
package struct LoadRamp: Sendable, Equatable {
    /// Maximum number of runs in a ramp.
    private static let maxSteps = 1000

    /// Quantity that is raised.
    package let axis: LoadAxis
    /// Its values in ascending order.
    package let values: [Int]

    /// Parses a ramp: `start:end:step`, preceded by `rate=` to raise the frame rate instead of connections.
    ///
    /// The end is always included, even after an incomplete step.
    ///
    /// - Throws: ``ReplayError`` with the syntax error.
    package init(_ text: String) throws(ReplayError) {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let axis = parts.count == 1 ? LoadAxis.connections : LoadAxis(rawValue: String(parts[0]))
        let numbers = (parts.last ?? "").split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        let known = numbers.compactMap(\.self)
        guard
            parts.count <= 2, let axis, numbers.count == 3, known.count == 3, known[0] >= 1, known[1] >= known[0],
            known[1] <= 10_000, known[2] >= 1
        else {
            throw ReplayError(
                .badCondition,
                "the ramp \"\(text)\" cannot be read; give START:END:STEP with whole numbers from 1 to 10000, such as "
                    + "1:32:4 connections or rate=5:60:5 frames a second"
            )
        }
        let values = Array(stride(from: known[0], to: known[1], by: known[2])) + [known[1]]
        guard values.count <= Self.maxSteps else {
            throw ReplayError(
                .badCondition,
                "the ramp \"\(text)\" has \(values.count) runs, and \(Self.maxSteps) are possible; use a larger step"
            )
        }
        self.axis = axis
        self.values = values
    }
}
