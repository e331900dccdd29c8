internal import TextModel

/// Script probabilities of a line, and of what remains of it beside the characters that are read for certain.
///
/// A number in a line of Hindi is read for certain, and says nothing of the words beside it.
struct LineScores {
    /// Probabilities of the line.
    let whole: ScriptScores
    /// Probabilities of the remains; `nil` where they are too few.
    var rest: ScriptScores?

    private enum Tuning {
        /// Confidence above which a character explains its steps (accuracy log, *Short, mixed and outlined lines in other scripts*).
        static let explanation: Float = 0.9
        /// Least number of steps that remain: with 4, twice as many lines in Latin script are tried in vain (accuracy
        /// log, *Short, mixed and outlined lines in other scripts*).
        static let minSteps = 6
    }

    /// Creates the probabilities of a line; `nil` for an output of another form, or none.
    ///
    /// - Parameters:
    ///   - scores: One number for each step and class, step by step.
    ///   - steps: The steps of the line, without those of the margin behind it.
    ///   - characters: The characters read, with their centres in steps.
    init?(
        _ scores: UnsafeBufferPointer<BFloat16>,
        steps: Int,
        characters: some Sequence<(confidence: Float, centre: Float)>
    ) {
        guard let whole = ScriptScores(scores, steps: 0..<steps) else { return nil }
        var isExplained = [Bool](repeating: false, count: steps)
        for character in characters where character.confidence > Tuning.explanation {
            let step = Int(character.centre)
            for step in step - 1...step + 1 where isExplained.indices.contains(step) { isExplained[step] = true }
        }
        let rest = isExplained.indices.filter { !isExplained[$0] }
        self.init(whole: whole, rest: rest.count < Tuning.minSteps ? nil : ScriptScores(scores, steps: rest))
    }

    /// Creates known probabilities.
    init(whole: ScriptScores, rest: ScriptScores? = nil) { (self.whole, self.rest) = (whole, rest) }

    /// Returns the probabilities of the line among others.
    func among(_ votes: ScriptVotes) -> LineScores {
        LineScores(whole: self.whole.among(votes), rest: self.rest?.among(votes))
    }
}
