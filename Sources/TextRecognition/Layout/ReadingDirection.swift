package import TextModel

/// The reading direction of a frame's text, by the votes of lines that were recognized with certainty.
///
/// It takes lines in sent pixels and gives the quarter turn that brings most of their text upright. None of the numbers was
/// measured.
package struct ReadingDirection {
    /// Minimum recognition score of a line that votes: a lower one may come of text in another direction.
    private static let minScore: Float = 0.8
    /// Characters of the leading direction that settle the matter.
    private static let decisiveCount = 8
    /// Lead over every other direction that settles the matter, as a ratio.
    private static let decisiveLead = 4
    /// Minimum number of characters of a direction that is reported.
    private static let minCount = 3
    /// Minimum lead over every other direction of one that is reported, as a ratio.
    private static let minLead = 2
    /// Maximum number of lines that are recognized to find the direction of a frame.
    fileprivate static let maxLines = 12

    /// Votes: the characters in each direction, in quarters clockwise from upright.
    private var votes = [0, 0, 0, 0]

    package init() {}

    /// Counts the votes of a line of `frame`: its characters that read differently upside down.
    package mutating func count(_ line: TextLine, in frame: UprightFrame) {
        guard line.recognitionScore >= Self.minScore else { return }
        let box = frame.upright(line.box)
        let (x, y) = (box.topRight.x - box.topLeft.x, box.topRight.y - box.topLeft.y)
        let quarterTurns = abs(x) >= abs(y) ? (x >= 0 ? 0 : 2) : (y >= 0 ? 1 : 3)
        self.votes[quarterTurns] += OrientationCue.evidence(in: line.text)
    }

    /// Whether more text would hardly change ``turn``.
    package var isDecided: Bool {
        let sorted = self.votes.sorted()
        return sorted[3] >= Self.decisiveCount && sorted[3] >= Self.decisiveLead * sorted[2]
    }

    /// The quarters clockwise by which the frame must be turned; `nil` where too little text was recognized.
    package var turn: Int? {
        let sorted = self.votes.sorted()
        guard sorted[3] >= Self.minCount, sorted[3] >= Self.minLead * sorted[2] else { return nil }
        return (4 - (self.votes.firstIndex(of: sorted[3]) ?? 0)) % 4
    }
}

extension PartReader {
    /// Detects which way up a frame is: recognizes its longest lines until their direction is decided.
    ///
    /// - Parameters:
    ///   - frame: The frame, in its stated orientation.
    ///   - options: The client's options; the whole frame is scanned, whatever its region of interest.
    /// - Returns: The quarters clockwise by which the frame must be turned; `nil` where it has too little text.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails.
    package func turn(of frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> Int? {
        let scanOptions = ReadingOptions(level: options.level, characters: false, languages: options.languages)
        var direction = ReadingDirection()
        var votes = DirectionVotes()
        let detected = try self.find(in: frame, parts: nil, options: scanOptions)
        for line in detected.prefix(ReadingDirection.maxLines) {
            for case let text? in try self.read([line], in: frame, options: scanOptions, votes: &votes) {
                direction.count(text, in: frame)
            }
            if direction.isDecided { break }
        }
        return direction.turn
    }
}

extension TextLine {
    /// The recognition score of the line; ``TextLine/confidence`` where there is none.
    package var recognitionScore: Float { self.scores?.recognition ?? self.confidence }
}
