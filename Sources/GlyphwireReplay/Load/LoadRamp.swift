/// Loads to be tried one after the other, such as `1:32:4` connections or `rate=5:60:5`.
package struct LoadRamp: Sendable, Equatable {
    /// The most runs that a ramp may ask for.
    private static let maxSteps = 1000

    /// What is raised.
    package let axis: LoadAxis
    /// How much of it, rising.
    package let values: [Int]

    /// Reads a ramp: `start:end:step`, in front of it `rate=` where it is not connections that are raised.
    ///
    /// The end is always tried, be it a whole step or not.
    ///
    /// - Throws: ``ReplayError`` that says what is wrong with it.
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
        var values = Array(stride(from: known[0], to: known[1], by: known[2]).prefix(Self.maxSteps))
        values.append(known[1])
        self.axis = axis
        self.values = values
    }
}
