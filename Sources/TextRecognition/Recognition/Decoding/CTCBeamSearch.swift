/// Prefix beam search for the n best readings of a line.
///
/// Graves and Jaitly, Towards End-to-End Speech Recognition with Recurrent Neural Networks (ICML 2014), algorithm 1,
/// without a language model: the probabilities of all paths that collapse to one text are summed.
enum CTCBeamSearch {
    /// Widths of the search, none of which was measured alone.
    private enum Tuning {
        /// Prefixes kept from step to step for each reading asked for.
        static let beamsPerReading = 2
        /// Most classes that extend a prefix in one step.
        static let classesPerStep = 8
        /// Least probability of a class that extends a prefix.
        static let minProbability: Float = 1e-3
    }

    /// Prefix and the probability of its paths.
    private struct Beam {
        var labels: [Int]
        /// Probability of the paths that end with a blank.
        var blank: Float
        /// Probability of the paths that end with the last label.
        var label: Float
        var total: Float { self.blank + self.label }
    }

    /// Returns the `count` most probable label sequences with their probabilities, the best first.
    static func readings(
        _ probabilities: UnsafePointer<Float>,
        stepCount: Int,
        classCount: Int,
        allowed: ClassMask?,
        count: Int
    ) -> [(labels: [Int], probability: Float)] {
        var beams = [Beam(labels: [], blank: 1, label: 0)]
        for step in 0..<stepCount {
            let row = probabilities + step * classCount
            let likely = Self.likely(row, classCount: classCount, allowed: allowed)
            var next: [[Int]: Beam] = [:]
            for beam in beams {
                var unchanged = next[beam.labels] ?? Beam(labels: beam.labels, blank: 0, label: 0)
                unchanged.blank += beam.total * row[Alphabet.blank]
                if let last = beam.labels.last { unchanged.label += beam.label * row[last] }
                next[beam.labels] = unchanged
                for label in likely {
                    // A repeated label is a second character only behind a blank.
                    let before = label == beam.labels.last ? beam.blank : beam.total
                    guard before > 0 else { continue }
                    let labels = beam.labels + [label]
                    var extended = next[labels] ?? Beam(labels: labels, blank: 0, label: 0)
                    extended.label += before * row[label]
                    next[labels] = extended
                }
            }
            beams = Self.best(Array(next.values), count: count * Tuning.beamsPerReading)
        }
        return beams.prefix(count).map { ($0.labels, $0.total) }
    }

    /// Returns the most probable characters of a step, the best first.
    private static func likely(_ row: UnsafePointer<Float>, classCount: Int, allowed: ClassMask?) -> [Int] {
        if row[Alphabet.blank] > 1 - Tuning.minProbability { return [] }
        let labels =
            if let allowed {
                allowed.decodable(below: classCount).filter { row[$0] > Tuning.minProbability }
            } else {
                (1..<classCount).filter { row[$0] > Tuning.minProbability }
            }
        return Array(labels.sorted { row[$0] > row[$1] }.prefix(Tuning.classesPerStep))
    }

    /// Returns the best beams in a fixed order, scaled to a sum of 1 against underflow.
    private static func best(_ beams: [Beam], count: Int) -> [Beam] {
        let kept = beams.sorted { a, b in
            a.total != b.total ? a.total > b.total : a.labels.lexicographicallyPrecedes(b.labels)
        }.prefix(count)
        let scale = 1 / max(kept.reduce(0) { $0 + $1.total }, .leastNormalMagnitude)
        return kept.map { Beam(labels: $0.labels, blank: $0.blank * scale, label: $0.label * scale) }
    }
}
