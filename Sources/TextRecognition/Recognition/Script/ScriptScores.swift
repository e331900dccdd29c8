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

    /// Indices of the classes of scripts that the models do not read.
    static let unavailable = Self.classes.indices.filter { Self.classes[$0] != .readable }
    /// Share of each class among the lines that the output was fitted with, by `models/training/scripts`.
    static let fittedShares: [Float] = {
        var weights = [Float](repeating: 1, count: Self.classes.count)
        (weights[Self.latin], weights[Self.others], weights[Self.none]) = (9, 1.4, 5)
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }()
    /// Indices of Latin script, of the scripts that are not distinguished, and of what is no text.
    private static let (latin, others, none) = (0, Self.classes.count - 2, Self.classes.count - 1)

    /// Probability of each class.
    private let probabilities: [Float]

    /// Probability that the line is in a script that the models do not read.
    var unavailableProbability: Float { Self.unavailable.reduce(0) { $0 + self.probabilities[$1] } }

    /// The most probable of these scripts; `nil` if it is one of those that are not distinguished.
    var script: Script? {
        guard let best = self.mostProbable(of: Self.unavailable), case .unavailable(let script) = Self.classes[best]
        else { return nil }
        return script
    }

    /// Index of the most probable script that the models read.
    var readableIndex: Int {
        let readable = Self.classes.indices.filter { Self.classes[$0] == .readable && $0 != Self.none }
        return self.mostProbable(of: readable) ?? Self.latin
    }

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
        self.init(weights: sums.map { expf(($0 - largest) / Float(steps)) })
    }

    private init(weights: [Float]) {
        let sum = weights.reduce(0, +)
        self.probabilities = weights.map { $0 / sum }
    }

    /// Returns the probabilities of the line among others.
    ///
    /// Classes that are more frequent there than among the lines that the classifier was fitted with are more probable by the same
    /// ratio (Saerens et al., Adjusting the Outputs of a Classifier to New a Priori Probabilities, Neural Computation 14, 2002).
    func among(_ votes: ScriptVotes) -> ScriptScores {
        ScriptScores(weights: zip(self.probabilities, votes.frequencyRatios).map { $0 * $1 })
    }

    private func mostProbable(of indices: [Int]) -> Int? {
        indices.max { self.probabilities[$0] < self.probabilities[$1] }
    }
}
