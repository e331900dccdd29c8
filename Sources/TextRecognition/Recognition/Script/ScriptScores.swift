internal import Glibc
internal import TextModel

/// Script probabilities of a line, from the recogniser's second output.
///
/// That output is a score for each step and class, which `models/training/scripts` fits on rendered lines. The softmax of their
/// means over the steps of a line are its probabilities.
struct ScriptScores {
    /// Class of a line.
    enum Class: Equatable {
        /// Script that the models read, or no text: digits, signs, letters upside down, textures.
        case readable
        /// Script that they do not read; `nil` for those that are not distinguished.
        case unavailable(Script?)
    }

    /// Classes of the output, in the order of `models/training/scripts`.
    static let classes: [Class] =
        [.readable, .readable, .unavailable(.cyrillic), .readable, .readable]
        + [.hangul, .arabic, .hebrew, .devanagari, .bengali, .tamil, .telugu, .thai, .georgian, .armenian, nil]
        .map(Class.unavailable)
        + [.readable]

    /// Probability that the line is in a script that the models do not read.
    let unavailableProbability: Float
    /// The most probable of these scripts; `nil` if it is one of those that are not distinguished.
    let script: Script?

    /// Returns the probabilities of a line; `nil` for an output of another form, or none.
    ///
    /// - Parameters:
    ///   - scores: One number for each step and class, step by step.
    ///   - steps: The steps of the line, without those of the margin behind it.
    init?(_ scores: UnsafeBufferPointer<BFloat16>, steps: Int) {
        let count = Self.classes.count
        guard steps > 0, scores.count >= steps * count else { return nil }
        var sums = [Float](repeating: 0, count: count)
        for step in 0..<steps {
            for index in 0..<count { sums[index] += scores[step * count + index].float }
        }
        let largest = sums.max() ?? 0
        let exponentials = sums.map { expf(($0 - largest) / Float(steps)) }
        let unavailable = Self.classes.indices.filter { Self.classes[$0] != .readable }
        self.unavailableProbability =
            unavailable.reduce(0) { $0 + exponentials[$1] } / exponentials.reduce(0, +)
        let best = unavailable.max { exponentials[$0] < exponentials[$1] }
        guard let best, case .unavailable(let script) = Self.classes[best] else { return nil }
        self.script = script
    }
}
