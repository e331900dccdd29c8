package import TextModel

/// Which way the lines of a picture run, by those that were read for certain.
package struct ReadingDirection {
    /// Characters read in each direction, in quarters clockwise from upright.
    private var counts = [0, 0, 0, 0]

    /// Readings less sure than this may be of text that stands another way.
    private static let sureConfidence: Float = 0.8
    /// So many characters leave no doubt, if no other direction has a quarter of them.
    private static let decided = 8
    /// So many are worth believing, if no other direction has half of them.
    private static let enough = 3

    package init() {}

    /// Counts a line of `frame`.
    package mutating func count(_ line: TextLine, in frame: UprightFrame) {
        guard line.recognitionScore >= Self.sureConfidence else { return }
        let box = frame.upright(line.box)
        let (x, y) = (box.topRight.x - box.topLeft.x, box.topRight.y - box.topLeft.y)
        let quarterTurns = abs(x) >= abs(y) ? (x >= 0 ? 0 : 2) : (y >= 0 ? 1 : 3)
        self.counts[quarterTurns] += OrientationCue.evidence(in: line.text)
    }

    /// Whether more text would not change ``turn``.
    package var isDecided: Bool {
        let sorted = self.counts.sorted()
        return sorted[3] >= Self.decided && sorted[3] >= 4 * sorted[2]
    }

    /// How many quarters clockwise the picture must be turned for its text to stand upright; `nil` where too little was
    /// read to tell.
    package var turn: Int? {
        let sorted = self.counts.sorted()
        guard sorted[3] >= Self.enough, sorted[3] >= 2 * sorted[2] else { return nil }
        return (4 - (self.counts.firstIndex(of: sorted[3]) ?? 0)) % 4
    }
}

extension PartReader {
    /// Looks which way up a frame is: finds its lines, and reads the longest until there is no doubt.
    ///
    /// - Parameters:
    ///   - frame: The frame, in the orientation that it is said to have.
    ///   - options: What the client wants to know; the whole frame is looked at, whatever part it wants read.
    /// - Returns: How many quarters clockwise it must be turned; `nil` where there is too little text to tell.
    /// - Throws: ``RecognitionError`` when an option cannot be honoured or inference fails.
    package func turn(of frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> Int? {
        let look = ReadingOptions(level: options.level, characters: false, languages: options.languages)
        var direction = ReadingDirection()
        var votes = DirectionVotes()
        for line in try self.find(in: frame, parts: nil, options: look).prefix(mostLinesLookedAt) {
            for case let text? in try self.read([line], in: frame, options: look, votes: &votes) {
                direction.count(text, in: frame)
            }
            if direction.isDecided { break }
        }
        return direction.turn
    }
}

extension TextLine {
    /// How sure the network is that read it; ``TextLine/confidence`` where that is not known apart.
    package var recognitionScore: Float { self.scores?.recognition ?? self.confidence }
}

/// How many lines are read to tell which way up a frame is.
private let mostLinesLookedAt = 12
