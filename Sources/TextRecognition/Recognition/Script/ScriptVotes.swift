internal import TextModel

/// Votes of a frame's lines for their scripts, by which the scripts of ambiguous lines are more or less probable.
///
/// Text in one frame mostly has one script or two. A word in Cyrillic that looks Latin is ambiguous by itself, and hardly so among
/// twenty lines in Cyrillic.
package struct ScriptVotes: Sendable {
    private enum Tuning {
        /// Weight of the shares that the classifier was fitted with, in lines.
        ///
        /// Chosen by hand; not measured.
        static let fittedWeight: Float = 4
        /// Number of lines from which older votes count half: a stream may show other text by and by.
        ///
        /// Chosen by hand; not measured.
        static let maxLines: Float = 64
        /// Lines for which all languages that a client names count together, and for which those that it hints at do.
        ///
        /// With 16, 150 of 174 words in Russian, Ukrainian and Greek on signs, menus and buttons are right, and 123 without; hints were
        /// not measured (accuracy log, *Short, mixed and outlined lines in other scripts*).
        static let languages: Float = 16
        static let languageHints: Float = 8
        /// Share of the lines below which a character of Chinese or Japanese by itself is none.
        ///
        /// Of 13 in 209 public pictures, at both levels, the 12 below it are check boxes, stains and the like (accuracy
        /// log, *Stray ideographs*).
        static let strayShare: Float = 0.125
    }

    /// Scripts whose characters drawings look like: an asterisk like 大, a box like 口.
    private static let ideographic: Set<Script> = [.han, .japanese]

    /// Votes for each of ``ScriptScores/classes``.
    private var votes = [Float](repeating: 0, count: ScriptScores.classes.count)

    package init() {}

    /// Whether a line has a script other than some.
    func haveOther(than scripts: Set<Script>) -> Bool {
        zip(ScriptScores.classes, self.votes).contains { each, votes in
            guard votes > 0, case .script(let script) = each else { return false }
            return script.map { !scripts.contains($0) } ?? true
        }
    }

    /// Whether a line has the script of a code.
    func have(_ code: String) -> Bool {
        ScriptScores.index(of: code).map { self.votes[$0] > 0 } ?? false
    }

    /// Whether a text is probably a drawing taken for a character of Chinese or Japanese.
    ///
    /// It is one by itself where few lines have such a script and the client names no such language.
    func areAgainst(_ text: String, _ options: ReadingOptions) -> Bool {
        guard text.count == 1, let script = Script.most(of: text), Self.ideographic.contains(script),
            !options.namedLanguages.contains(where: { Self.ideographic.contains(Script(language: $0)) })
        else { return false }
        let indices = Self.ideographic.compactMap { ScriptScores.index(of: $0.rawValue) }
        return indices.reduce(Float(0)) { $0 + self.votes[$1] } < Tuning.strayShare * self.votes.reduce(0, +)
    }

    /// Counts a line of the class at an index.
    mutating func count(_ index: Int) {
        self.votes[index] += 1
        guard self.votes.reduce(0, +) > Tuning.maxLines else { return }
        for index in self.votes.indices { self.votes[index] /= 2 }
    }

    /// Returns the votes without one for the class at an index, which is that of the line that they are to judge.
    func without(_ index: Int?) -> ScriptVotes {
        guard let index else { return self }
        var votes = self
        votes.votes[index] = max(0, votes.votes[index] - 1)
        return votes
    }

    /// Returns the votes with those for the scripts of languages; `nil` if a client names none.
    func expecting(_ options: ReadingOptions) -> ScriptVotes? {
        let scripts = Set(options.namedLanguages.map { Script(language: $0) })
        let weight = options.languages.isEmpty ? Tuning.languageHints : Tuning.languages
        guard !scripts.isEmpty else { return nil }
        var votes = self
        for index in scripts.compactMap({ ScriptScores.index(of: $0.rawValue) }) {
            votes.votes[index] += weight / Float(scripts.count)
        }
        return votes
    }

    /// How much more frequent each class is here than among the lines that the classifier was fitted with.
    ///
    /// The share of a class is the mean of its posterior, with a Dirichlet distribution about the fitted shares as the prior.
    var frequencyRatios: [Float] {
        let total = self.votes.reduce(0, +) + Tuning.fittedWeight
        return zip(self.votes, ScriptScores.fittedShares).map { votes, fitted in
            (votes + Tuning.fittedWeight * fitted) / total / fitted
        }
    }
}
