internal import TextModel

/// Script of a line that the models do not read.
struct UnavailableScript: Equatable {
    /// Code of ISO 15924.
    var code: String
    /// Further scripts that the line may have, the most probable first.
    var others: [Script]
    /// Probability that the line is in a script that the models do not read.
    let probability: Float
    /// Whether what the models read of the line means nothing; else it stands unless a ``ScriptReader`` reads the line better.
    let isCertain: Bool
    /// Whether it is so little probable, or the line so short, that only words of a dictionary prove it.
    let isVague: Bool
    /// Whether it is the script of what stands beside the characters that the models read for certain, so that one word proves it.
    let isMixed: Bool
    /// What makes it more or less probable.
    let prior: ScriptPrior

    /// Whether a script that no other line has is more probable, so that a reading has to be sure.
    var isFurther = false

    /// Whether the frame's other lines were asked about it, or it is their script.
    var isDecided: Bool
    /// Whether it is less probable than not among them, so that its reader takes less time.
    var isImprobable = false

    /// Most scripts that are tried; not measured.
    private static let maxCandidates = 3
    /// ISO 15924's code of an uncoded script.
    static let unknownCode = "Zzzz"

    /// Whether it is certain by itself, and the frame's other lines may speak against it.
    var isUndecided: Bool { self.isCertain && !self.isDecided }

    /// Whether other lines of the frame made it more probable.
    var isExpected: Bool { self.prior == .lines }

    /// Scripts that a reader may try, the most probable first: several where it is certain that the models read none of them.
    var candidates: [Script] {
        let first = Script(rawValue: self.code).map { [$0] } ?? []
        return self.isCertain ? Array((first + self.others).prefix(Self.maxCandidates)) : first
    }

    /// Returns the most probable of its scripts that other lines have; `nil` if they have none of them.
    ///
    /// Capitals may be letters of both: АПТЕКА by itself is Greek to the classifier with 0.97, and Cyrillic with 0.03.
    func had(by votes: ScriptVotes) -> UnavailableScript? {
        guard !votes.have(self.code) else { return self }
        guard let script = self.others.first(where: { votes.have($0.rawValue) }) else { return nil }
        var other = self
        (other.code, other.others, other.isFurther) = (script.rawValue, self.others.filter { $0 != script }, true)
        return other
    }

    /// Returns the confidence that a reading in the script needs to count more than the models' reading.
    ///
    /// Where other lines speak for the script, each reading counts by the probability of its script.
    func odds(against confidence: Float) -> Float {
        self.isExpected ? confidence * (1 - self.probability) / self.probability : confidence
    }

    /// Whether it is one of some scripts, and not by what a dictionary has to prove.
    func isOne(of scripts: Set<Script>) -> Bool {
        !self.isVague && Script(rawValue: self.code).map(scripts.contains) == true
    }
}
