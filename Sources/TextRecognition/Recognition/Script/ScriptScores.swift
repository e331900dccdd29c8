internal import Glibc
internal import TextModel

/// Script probabilities of a line, from the recognizer's second output.
///
/// That output is a score for each step and class, which `models/training/scripts` fits on rendered lines. The softmax of their
/// means over the steps of a line are its probabilities.
struct ScriptScores {
    /// Class of a line.
    enum Class: Equatable {
        /// Script; `nil` for those that are not distinguished.
        case script(Script?)
        /// No text: digits, signs, letters upside down, textures.
        case none
    }

    /// Classes of the output, in the order of `models/training/scripts`.
    static let classes: [Class] =
        [
            .latin, .greek, .cyrillic, .han, .japanese, .hangul, .arabic, .hebrew, .devanagari, .bengali, .tamil,
            .telugu, .thai,
            .georgian, .armenian, nil,
        ].map(Class.script) + [.none]
    /// Share of each class among the lines that the output was fitted with, by `models/training/scripts`.
    static let fittedShares: [Float] = {
        let weights: [Float] = Self.classes.map { each in
            switch each {
            case .script(.latin): 9
            case .script(nil): 1.4
            case .script: 1
            case .none: 5
            }
        }
        let sum = weights.reduce(0, +)
        return weights.map { $0 / sum }
    }()

    /// Returns the index of the class of a script by its code of ISO 15924, known or not; `nil` for one without a class.
    static func index(of code: String) -> Int? { Self.classes.firstIndex(of: .script(Script(rawValue: code))) }

    /// Probability of each class.
    private let probabilities: [Float]

    /// Returns the probability that the line is in none of some scripts, and the most probable other script.
    ///
    /// - Parameter scripts: The scripts that a model reads.
    /// - Returns: The probability, and the script; `nil` if it is one of those that are not distinguished.
    func other(than scripts: Set<Script>) -> (probability: Float, script: Script?) {
        var (sum, largest, most): (Float, Float, Script?) = (0, 0, nil)
        for (each, probability) in zip(Self.classes, self.probabilities) {
            guard case .script(let script) = each, script.map({ !scripts.contains($0) }) ?? true else { continue }
            sum += probability
            if probability > largest { (largest, most) = (probability, script) }
        }
        return (sum, most)
    }

    /// Returns the probability of a script; 0 for one without a class.
    func probability(of script: Script) -> Float {
        Self.index(of: script.rawValue).map { self.probabilities[$0] } ?? 0
    }

    /// Returns the scripts that are not among some and have at least a probability, the most probable first.
    func named(otherThan scripts: Set<Script>, atLeast probability: Float) -> [Script] {
        zip(Self.classes, self.probabilities)
            .compactMap { each, own -> (script: Script, probability: Float)? in
                guard case .script(let script?) = each, own >= probability, !scripts.contains(script) else {
                    return nil
                }
                return (script, own)
            }
            .sorted { $0.probability > $1.probability }
            .map(\.script)
    }

    /// Creates the probabilities of some steps of a line; `nil` for an output of another form, or none.
    ///
    /// - Parameters:
    ///   - scores: One number for each step and class, step by step.
    ///   - steps: The steps, in rising order.
    init?(_ scores: UnsafeBufferPointer<BFloat16>, steps: some Collection<Int>) {
        let count = Self.classes.count
        guard let last = steps.max(), scores.count >= (last + 1) * count else { return nil }
        var sums = [Float](repeating: 0, count: count)
        for step in steps {
            for index in 0..<count { sums[index] += scores[step * count + index].float }
        }
        let largest = sums.max() ?? 0
        self.init(weights: sums.map { expf(($0 - largest) / Float(steps.count)) })
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
}
