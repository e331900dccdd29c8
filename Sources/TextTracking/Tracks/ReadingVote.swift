internal import TextModel
internal import TextRecognition

/// Vote over the readings of a line, weighted by confidence and by the legibility of the crop that was read.
///
/// Each different text is a hypothesis. The one with the greatest weight is reported.
struct ReadingVote {
    private enum Tuning {
        /// Equal readings after which a line has converged.
        ///
        /// Five, spread over time, gave hand-held streams 0.94 instead of 1.02 of the words of single frames (streams log, *Earlier
        /// experiments*).
        static let equalReadings = 3
        /// Readings after which a line has converged whatever they are; chosen by eye.
        static let maxReadings = 9
        /// Calibrated confidence from which a word is reported of a line with different readings; chosen by eye.
        static let sureConfidence: Float = 0.85
        /// Least intersection over union of a word's boxes in two readings; chosen by eye.
        static let minWordOverlap: Float = 0.5
    }

    /// Text hypothesis of the line.
    private struct Hypothesis {
        var line: TextLine
        /// Number of readings with this text.
        var count: Int
        /// Sum of their weights, each the reading's confidence times the legibility of its crop.
        var weight: Float
        /// Number of those readings since the last clearly better crop.
        var freshCount: Int

        func beats(_ other: Self) -> Bool {
            (self.weight, self.line.confidence) > (other.weight, other.line.confidence)
        }
    }

    private var hypotheses: [Hypothesis]
    private var bestIndex = 0
    /// Number of readings.
    private(set) var readCount = 1
    /// Number of readings since the last clearly better crop.
    private var freshReadCount = 1
    /// Number of readings without text.
    private var emptyReadCount = 0
    /// Words of ``best`` that are reported.
    private(set) var isReported: [Bool]

    /// Vote with one reading.
    ///
    /// - Parameters:
    ///   - line: The reading, where the line was anchored.
    ///   - legibility: The legibility of its crop; see ``LineTemplate/legibility``.
    init(_ line: TextLine, legibility: Float) {
        self.hypotheses = [Hypothesis(line: line, count: 1, weight: legibility * line.confidence, freshCount: 1)]
        self.isReported = line.words.map { _ in true }
    }

    /// Line of the best hypothesis, where it was anchored.
    var best: TextLine { self.hypotheses[self.bestIndex].line }

    /// Whether a single reading of the best hypothesis would do.
    var isSure: Bool { self.best.isSure }

    /// Whether the best hypothesis has a single reading that is not sure.
    var isWeak: Bool { !self.isSure && self.hypotheses[self.bestIndex].count == 1 }

    /// Whether further readings are not needed.
    ///
    /// A clearly better crop of a line that had converged is read once more, or until a text has enough readings again.
    var isConverged: Bool {
        let best = self.hypotheses[self.bestIndex]
        return best.count >= Tuning.equalReadings && best.freshCount > 0 || self.freshReadCount >= Tuning.maxReadings
    }

    /// Adds a reading, where the line was anchored; `nil` for one without text.
    mutating func add(_ line: TextLine?, legibility: Float) {
        self.readCount += 1
        self.freshReadCount += 1
        defer { self.selectReportedWords() }
        guard let line else {
            self.emptyReadCount += 1
            return
        }
        let weight = legibility * line.confidence
        if let known = self.hypotheses.firstIndex(where: { $0.line.text == line.text }) {
            self.hypotheses[known].count += 1
            self.hypotheses[known].freshCount += 1
            self.hypotheses[known].weight += weight
            if line.confidence > self.hypotheses[known].line.confidence { self.hypotheses[known].line = line }
        } else {
            self.hypotheses.append(Hypothesis(line: line, count: 1, weight: weight, freshCount: 1))
        }
        var best = 0
        for index in self.hypotheses.indices.dropFirst() where self.hypotheses[index].beats(self.hypotheses[best]) {
            best = index
        }
        self.bestIndex = best
    }

    /// Counts the readings so far as those of a worse crop.
    mutating func cropImproved() {
        self.freshReadCount = 0
        for index in self.hypotheses.indices { self.hypotheses[index].freshCount = 0 }
    }

    /// Number of readings with a word of ``best`` in its place.
    private func agreeingCount(_ word: TextWord) -> Int {
        let agreeing = self.hypotheses.filter { hypothesis in
            hypothesis.line.words.contains {
                $0.text == word.text && $0.box.intersectionOverUnion(with: word.box) > Tuning.minWordOverlap
            }
        }
        return agreeing.reduce(0) { $0 + $1.count }
    }

    /// Selects the reported words: all of a sure line, else those that are sure or that most readings have.
    ///
    /// What is no text is read now and then, each time as something else and never for certain. Text that fades out is read
    /// for the last time where little more than its ground is left, which is detected again without it: where as many readings
    /// are empty as have text, only words with enough equal readings are reported.
    private mutating func selectReportedWords() {
        let isEmpty = 2 * self.emptyReadCount >= self.readCount
        self.isReported = self.best.words.map { word in
            if !isEmpty, self.isSure || word.confidence >= Tuning.sureConfidence { return true }
            let count = self.agreeingCount(word)
            return count >= Tuning.equalReadings || count > 1 && 2 * count > self.readCount
        }
    }
}

/// Votes of lines that were split, joined or read at another place. Each has one reading, which stands for the earlier ones.
extension ReadingVote {
    /// Takes over the readings of the line of which this is a fragment.
    mutating func inherit(from whole: ReadingVote, words: Range<Int>) {
        self.setCount(whole.best.words[words].map(whole.agreeingCount).min() ?? 1)
        self.isReported = Array(whole.isReported[words])
        self.readCount = whole.readCount
        self.freshReadCount = whole.freshReadCount
        self.emptyReadCount = whole.emptyReadCount
    }

    /// Takes over the readings of the fragments of which this is the whole line: as many as the least read one has.
    mutating func inherit(from fragments: [ReadingVote]) {
        self.setCount(fragments.map { $0.hypotheses[$0.bestIndex].count }.min() ?? 1)
        self.isReported = fragments.flatMap(\.isReported)
        self.readCount = fragments.map(\.readCount).min() ?? 1
        self.freshReadCount = fragments.map(\.freshReadCount).min() ?? 1
        self.emptyReadCount = fragments.map(\.emptyReadCount).min() ?? 0
    }

    /// Counts earlier readings of the same text, too.
    mutating func prepend(_ earlier: ReadingVote) {
        self.readCount = earlier.readCount + 1
        self.freshReadCount = earlier.freshReadCount + 1
        self.setCount(earlier.hypotheses[earlier.bestIndex].count + 1)
    }

    /// Sets the number of readings of the only hypothesis, all of the present crop.
    private mutating func setCount(_ count: Int) {
        self.hypotheses[0].weight *= Float(count) / Float(self.hypotheses[0].count)
        self.hypotheses[0].count = count
        self.hypotheses[0].freshCount = count
    }
}

extension TextLine {
    /// Recognition score from which a single reading of a line is sure; chosen by eye.
    private static let sureScore: Float = 0.85

    /// Whether a single reading of the line would do.
    var isSure: Bool { self.recognitionScore >= Self.sureScore }
}
