internal import TextModel

/// Policy by which a line counts as one in a script that the models do not read.
public struct ScriptPolicy: Sendable {
    /// Probability of such scripts from which it does.
    let probability: Float
    /// The same for a line that is read with more than ``confidence``.
    let certainProbability: Float
    /// Confidence of a reading above which it hardly is of another script.
    let confidence: Float

    /// Width up to which a line is always read: two heights, in which two or three letters say too little.
    ///
    /// Of 28 lines of public sets that were wrongly taken for another script, 24 were no wider (accuracy log, *Scripts that
    /// cannot be read*).
    private static let leastWidth = 2 * LineRecognizer.height
    /// Probability from which a script is suspected: it is more likely than not.
    private static let suspicion: Float = 0.5

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - probability: The probability of such scripts from which a line counts as one.
    ///   - certainProbability: The same for a line that is read with more than `confidence`.
    ///   - confidence: The confidence of a reading above which it hardly is of another script.
    public init(probability: Float, certainProbability: Float, confidence: Float) {
        self.probability = probability
        self.certainProbability = certainProbability
        self.confidence = confidence
    }

    /// Returns the script of a line that the models do not read, certain or suspected; `nil` for other lines.
    ///
    /// A word that a client expects is believed.
    func unavailableScript(
        of scores: ScriptScores,
        _ line: RecognizedLine,
        _ options: ReadingOptions
    ) -> UnreadScript? {
        let certainty = line.confidence > self.confidence ? self.certainProbability : self.probability
        guard scores.unavailableProbability >= min(Self.suspicion, certainty), line.width > Self.leastWidth else {
            return nil
        }
        if !options.customWords.isEmpty {
            let words = line.text.split(separator: " ").map(String.init)
            guard !words.contains(where: options.customWords.contains) else { return nil }
        }
        return UnreadScript(
            code: scores.script?.rawValue ?? UnreadScript.unknownCode,
            probability: scores.unavailableProbability,
            isCertain: scores.unavailableProbability >= certainty
        )
    }
}

/// Script of a line that the models do not read.
struct UnreadScript: Equatable {
    /// Code of ISO 15924.
    let code: String
    /// Probability that the line is in a script that the models do not read.
    let probability: Float
    /// Whether what the models read of the line means nothing; else it stands unless a ``ScriptReader`` is more confident.
    let isCertain: Bool

    /// ISO 15924's code of an uncoded script.
    static let unknownCode = "Zzzz"
}
