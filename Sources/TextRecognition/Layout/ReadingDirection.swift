package import TextModel

/// Reading direction of a frame's text, by the votes of confidently recognized lines.
///
/// Input: lines in sent pixels. Output: the quarter turn that makes most of their text upright. None of the constants
/// was measured.
package struct ReadingDirection {
    /// Minimum recognition score of a line that votes; below it, the direction may be wrong.
    private static let minScore: Float = 0.8
    /// Minimum number of characters of the leading direction for a decision.
    private static let decisiveCount = 8
    /// Minimum lead over every other direction for a decision, as a ratio.
    private static let decisiveLead = 4
    /// Minimum number of characters of a direction that is reported.
    private static let minCount = 3
    /// Minimum lead over every other direction of a reported one, as a ratio.
    private static let minLead = 2
    /// Maximum number of lines that are recognized to detect a frame's direction.
    fileprivate static let maxLines = 12

    /// Number of characters in each direction, in quarter turns clockwise from upright.
    private var votes = [0, 0, 0, 0]

    package init() {}

    /// Counts the characters of a line of `frame` that read differently upside down.
    package mutating func count(_ line: TextLine, in frame: UprightFrame) {
        guard line.recognitionScore >= Self.minScore else { return }
        guard line.reason == nil || line.confidence >= ScriptPolicy.certainty else { return }
        let box = frame.upright(line.box)
        let (x, y) = (box.topRight.x - box.topLeft.x, box.topRight.y - box.topLeft.y)
        let quarterTurns = abs(x) >= abs(y) ? (x >= 0 ? 0 : 2) : (y >= 0 ? 1 : 3)
        self.votes[quarterTurns] +=
            line.reason == nil ? OrientationCue.evidence(in: line.text) : OrientationCue.evidence(inUnread: line)
    }

    /// Whether more text would hardly change ``turn``.
    package var isDecided: Bool {
        let sorted = self.votes.sorted()
        return sorted[3] >= Self.decisiveCount && sorted[3] >= Self.decisiveLead * sorted[2]
    }

    /// Quarter turns clockwise that make the frame upright; `nil` if too little text was recognized.
    package var turn: Int? {
        let sorted = self.votes.sorted()
        guard sorted[3] >= Self.minCount, sorted[3] >= Self.minLead * sorted[2] else { return nil }
        return (4 - (self.votes.firstIndex(of: sorted[3]) ?? 0)) % 4
    }
}

extension RegionReader {
    /// Detects the orientation of a stream's frame by recognizing its longest lines until their direction is decided.
    ///
    /// - Parameters:
    ///   - frame: The frame, in its stated orientation.
    ///   - options: The client's options; the whole frame is scanned, whatever its region of interest.
    /// - Returns: The quarter turns clockwise that make the frame upright; `nil` if it has too little text.
    /// - Throws: ``RecognitionError`` if an option is not supported or inference fails.
    package func turn(of frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> Int? {
        let options = options.forTurn
        return try self.turn(of: frame, by: self.detect(in: frame, regions: nil, options: options), options: options)
    }

    /// Detects the orientation of a single picture; see ``turn(of:options:)``.
    package func turn(ofPicture frame: UprightFrame, options: ReadingOptions) throws(RecognitionError) -> Int? {
        let options = options.forTurn
        return try self.turn(of: frame, by: self.detect(inPicture: frame, options: options), options: options)
    }

    private func turn(
        of frame: UprightFrame,
        by lines: [DetectedLine],
        options: ReadingOptions
    ) throws(RecognitionError) -> Int? {
        var direction = ReadingDirection()
        var votes = LineVotes()
        for line in lines.prefix(ReadingDirection.maxLines) {
            for case let text? in try self.read([line], in: frame, options: options, votes: &votes) {
                direction.count(text, in: frame)
            }
            if direction.isDecided { break }
        }
        return direction.turn
    }
}

extension ReadingOptions {
    /// Options for lines whose direction alone matters.
    fileprivate var forTurn: ReadingOptions {
        ReadingOptions(level: self.level, characters: false, languages: self.languages)
    }
}

extension TextLine {
    /// Recognition score of the line; ``TextLine/confidence`` if there is none.
    package var recognitionScore: Float { self.scores?.recognition ?? self.confidence }
}
