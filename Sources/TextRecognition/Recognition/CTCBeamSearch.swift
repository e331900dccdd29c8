/// The best few readings of a line, by prefix beam search over the network's time steps.
///
/// Graves and Jaitly, Towards End-to-End Speech Recognition with Recurrent Neural Networks (ICML 2014), algorithm 1,
/// without a language model: the paths that spell one text are added up.
enum CTCBeamSearch {
    /// Prefixes kept from step to step, as a multiple of the readings asked for.
    private static let beamPerReading = 2
    /// Classes tried in a step.
    private static let classesPerStep = 8
    /// Classes less probable than this are not tried.
    private static let minProbability: Float = 1e-3

    private struct Beam {
        var labels: [Int]
        /// Probability of the paths that end with a blank, and of those that end with the last label.
        var blank: Float
        var label: Float
        var total: Float { self.blank + self.label }
    }

    /// The `count` most probable label sequences with their share of the probability, the best first.
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
                var stay = next[beam.labels] ?? Beam(labels: beam.labels, blank: 0, label: 0)
                stay.blank += beam.total * row[Alphabet.blank]
                if let last = beam.labels.last { stay.label += beam.label * row[last] }
                next[beam.labels] = stay
                for label in likely {
                    // A label that repeats the last one needs a blank between, else it is the same character.
                    let before = label == beam.labels.last ? beam.blank : beam.total
                    guard before > 0 else { continue }
                    let labels = beam.labels + [label]
                    var extended = next[labels] ?? Beam(labels: labels, blank: 0, label: 0)
                    extended.label += before * row[label]
                    next[labels] = extended
                }
            }
            beams = Self.best(Array(next.values), count: count * Self.beamPerReading)
        }
        return beams.prefix(count).map { ($0.labels, $0.total) }
    }

    private static func likely(_ row: UnsafePointer<Float>, classCount: Int, allowed: ClassMask?) -> [Int] {
        if row[Alphabet.blank] > 1 - Self.minProbability { return [] }
        let labels =
            if let allowed {
                allowed.labels(below: classCount).filter { row[$0] > Self.minProbability }
            } else {
                (1..<classCount).filter { row[$0] > Self.minProbability }
            }
        return Array(labels.sorted { row[$0] > row[$1] }.prefix(Self.classesPerStep))
    }

    /// The best beams in a fixed order, their probabilities scaled so that long lines do not fade to zero.
    private static func best(_ beams: [Beam], count: Int) -> [Beam] {
        let kept = beams.sorted { a, b in
            a.total != b.total ? a.total > b.total : a.labels.lexicographicallyPrecedes(b.labels)
        }.prefix(count)
        let scale = 1 / max(kept.reduce(0) { $0 + $1.total }, .leastNormalMagnitude)
        return kept.map { Beam(labels: $0.labels, blank: $0.blank * scale, label: $0.label * scale) }
    }
}
