package import TextModel

/// Policy that decides whether a line is in a script that the models do not read.
public struct ScriptPolicy: Sendable {
    /// Scripts that the models read.
    let readable: Set<Script>
    /// Probability of all other scripts from which a line is in one of them.
    let probability: Float
    /// The same for a line that is read with more than ``confidence``.
    let certainProbability: Float
    /// Confidence above which the models hardly read a line in another script.
    let confidence: Float

    /// Usual ``probability`` from which a line certainly is in a script that the models do not read.
    ///
    /// With it, about 1 in 1,000 lines of the public sets is wrongly taken (accuracy log, *Scripts that cannot be read*).
    package static let certainty: Float = 0.97

    /// Width up to which a line is short: two heights, in which two or three letters say little by themselves.
    ///
    /// Of 28 lines of public sets that were wrongly taken for another script, 24 were no wider (accuracy log, *Scripts that
    /// cannot be read*).
    private static let shortWidth = 2 * LineSize.height
    /// Width up to which a line by itself is always read.
    ///
    /// Without it, nine more of 307 pictures in Latin script would be read otherwise (accuracy log, *Short lines in other scripts*).
    private static let minLoneWidth = LineSize.height * 3 / 2
    /// Probability from which a script is suspected: it is more likely than not.
    private static let suspicion: Float = 0.5
    /// The same of a suspected script among the frame's other lines: an even chance by itself has it among 60 lines in Latin script.
    ///
    /// With 0.05, lines of a blurred page in English were no longer tried that are Ukrainian (accuracy log, *Suspected scripts among
    /// the frame's other lines*).
    private static let minSuspicion: Float = 0.02
    /// The same for a short line by itself, of which many have half of that by chance: a reading by another reader takes its time.
    ///
    /// On 25 forms, 0.5 has 111 lines tried, 0.7 76; of 232 lines in other scripts, 21 are no longer tried (accuracy log, *Short, mixed
    /// and outlined lines in other scripts*).
    private static let loneSuspicion: Float = 0.7
    /// The same for a short line by itself: of 2,274 in Latin script, 11 have that (accuracy log, *Short lines in other scripts*).
    private static let shortSuspicion: Float = 0.99

    /// Probability from which a script explains that a line is no text to the models.
    ///
    /// Of the lines that were lost so, 6 of 57 have it in the pictures of `bench/scripts`, and none of 330 in others
    /// (accuracy log, *Lines that are lost in other scripts*).
    private static let explanation: Float = 0.95

    /// Probability of what remains of a line from which words of its script stand beside what is read.
    ///
    /// Of 318 lines in Latin script, 20 have 0.97, so that it is no proof by itself (accuracy log, *Short, mixed and outlined lines in
    /// other scripts*).
    private static let mixture: Float = 0.9
    /// Probability from which a script is tried where the most probable one has no name or no reading (accuracy log,
    /// *Short, mixed and outlined lines in other scripts*).
    private static let minOther: Float = 0.05

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - readable: The scripts that the models read.
    ///   - probability: The probability of all other scripts from which a line is in one of them.
    ///   - certainProbability: The same for a line that is read with more than `confidence`.
    ///   - confidence: The confidence above which the models hardly read a line in another script.
    package init(readable: Set<Script>, probability: Float, certainProbability: Float, confidence: Float) {
        self.readable = readable
        self.probability = probability
        self.certainProbability = certainProbability
        self.confidence = confidence
    }

    /// Returns the script of a line that the models do not read, certain or suspected; `nil` for other lines.
    ///
    /// A word that a client expects is believed.
    ///
    /// - Parameters:
    ///   - scores: The probabilities of the line's script.
    ///   - line: What the models read.
    ///   - options: The words expected.
    ///   - prior: What the probabilities are among. A short line counts as others among the frame's other lines, unless it is read
    ///     with confidence.
    /// - Returns: The script, certain or suspected; `nil` for a line that the models read.
    func unavailableScript(
        of scores: LineScores,
        _ line: RecognizedLine,
        _ options: ReadingOptions,
        prior: ScriptPrior = .none
    ) -> UnavailableScript? {
        if !options.customWords.isEmpty {
            let words = line.text.split(separator: " ").map(String.init)
            guard !words.contains(where: options.customWords.contains) else { return nil }
        }
        let rest = scores.rest.flatMap { $0.other(than: self.readable).probability >= Self.mixture ? $0 : nil }
        let suspicion = Self.isAlone(line, prior) ? Self.loneSuspicion : Self.suspicion
        let whole = scores.whole.other(than: self.readable)
        guard whole.probability >= suspicion else {
            return rest.map { self.script(of: $0, prior, isVague: true, isCertain: false, isMixed: true) }
        }
        let (isVague, isCertain) = self.judgement(of: whole, line, prior)
        return self.script(
            of: scores.whole,
            prior,
            isVague: isVague,
            isCertain: isCertain,
            isMixed: rest.map { $0.other(than: self.readable).script == whole.script } ?? false
        )
    }

    /// Whether a line is short and by itself.
    private static func isAlone(_ line: RecognizedLine, _ prior: ScriptPrior) -> Bool {
        line.width <= Self.shortWidth && prior != .lines
    }

    /// Whether the probabilities of a suspected line say too little by themselves, and whether they are certain.
    private func judgement(
        of suspected: (probability: Float, script: Script?),
        _ line: RecognizedLine,
        _ prior: ScriptPrior
    ) -> (isVague: Bool, isCertain: Bool) {
        let (probability, script) = suspected
        let isShort = line.width <= Self.shortWidth
        let isAlone = Self.isAlone(line, prior)
        let isConfident = line.confidence > self.confidence
        let certainty = isConfident || isAlone ? self.certainProbability : self.probability
        let isFormula = script == .greek && prior != .lines && !Self.hasWord(line.text)
        let isVague =
            prior == .languages || isFormula
            || isAlone && (line.width <= Self.minLoneWidth || probability < min(Self.shortSuspicion, certainty))
        return (isVague, !isVague && probability >= certainty && !(isShort && isConfident))
    }

    private func script(
        of scores: ScriptScores,
        _ prior: ScriptPrior,
        isVague: Bool,
        isCertain: Bool,
        isMixed: Bool
    ) -> UnavailableScript {
        let (probability, script) = scores.other(than: self.readable)
        return UnavailableScript(
            code: script?.rawValue ?? UnavailableScript.unknownCode,
            others: scores.named(otherThan: self.readable, atLeast: Self.minOther).filter { $0 != script },
            probability: probability,
            isCertain: isCertain,
            isVague: isVague,
            isMixed: isMixed,
            prior: prior,
            isDecided: prior != .none
        )
    }

    /// Returns a script that a line has by itself as it is among the frame's other lines; `nil` where it is too little probable
    /// there for its reader to take its time.
    ///
    /// - Parameters:
    ///   - script: The script, certain or suspected.
    ///   - scores: The probabilities of the line's script.
    ///   - votes: The votes of the other lines.
    /// - Returns: The script.
    func decided(_ script: UnavailableScript, of scores: LineScores, among votes: ScriptVotes) -> UnavailableScript? {
        var decided = script
        decided.isDecided = true
        let scores = scores.among(votes)
        let whole = scores.whole.other(than: self.readable).probability
        if script.isCertain { return whole >= self.probability ? decided : nil }
        if whole >= Self.suspicion { return decided }
        decided.isImprobable = true
        let rest = scores.rest?.other(than: self.readable).probability ?? 0
        return whole >= Self.minSuspicion || script.isMixed && rest >= Self.mixture ? decided : nil
    }

    /// Returns whether a line of which the models recognize no text is probably text in its suspected script.
    ///
    /// - Parameters:
    ///   - script: The suspected script.
    ///   - width: The width of the rectified line: a short one says too little.
    /// - Returns: Whether it is.
    static func isExplained(by script: UnavailableScript, width: Int) -> Bool {
        script.probability >= Self.explanation && width > Self.shortWidth
    }

    /// Least number of letters of a word that is no symbol or unit; chosen by hand.
    private static let minWord = 3

    /// Whether a text has a word whose letters are not all shared by Greek and Latin.
    ///
    /// The classifier takes formulas for Greek, and AAAA, which would be the same in Greek (accuracy log, *Greek, and Japanese at
    /// `fast`*).
    private static func hasWord(_ text: String) -> Bool {
        text.split { !$0.isLetter }.contains { $0.count >= Self.minWord && !Homoglyphs.areAll(lettersOf: $0) }
    }
}
