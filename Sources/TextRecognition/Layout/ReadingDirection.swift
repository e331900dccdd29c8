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
    /// Number of lines of one shape that are recognized at least, if there are as many: one may run another way than the rest.
    private static let minLines = 3
    /// Number of lines of one shape that are recognized at most.
    private static let maxLines = 12
    /// Number of characters of a line for each of its heights, roughly.
    private static let charactersPerHeight: Float = 2

    /// Number of characters in each direction, in quarter turns clockwise from upright.
    private var votes = [0, 0, 0, 0]

    package init() {}

    /// Counts the characters of a line of `frame` that read differently upside down.
    package mutating func count(_ line: TextLine, in frame: UprightFrame) {
        guard line.recognitionScore >= Self.minScore else { return }
        guard line.reason == nil || line.confidence >= ScriptPolicy.certainty else { return }
        self.votes[frame.upright(line.box).quarterTurns] +=
            line.reason == nil
            ? OrientationCue.evidence(in: line.text) : OrientationCue.evidence(inLineWithoutText: line)
    }

    /// Whether more text of one shape would hardly change ``turn``.
    private var isDecided: Bool {
        let sorted = self.votes.sorted()
        return sorted[3] >= Self.decisiveCount && sorted[3] >= Self.decisiveLead * sorted[2]
    }

    /// Whether a number of characters that were not read cannot change ``turn``.
    private func isDecided(against characters: Float) -> Bool {
        let sorted = self.votes.sorted()
        return Float(sorted[3]) >= Float(Self.minLead) * (Float(sorted[2]) + characters)
    }

    /// Quarter turns clockwise that make the frame upright; `nil` if too little text was recognized.
    package var turn: Int? {
        let sorted = self.votes.sorted()
        guard sorted[3] >= Self.minCount, sorted[3] >= Self.minLead * sorted[2] else { return nil }
        return (4 - (self.votes.firstIndex(of: sorted[3]) ?? 0)) % 4
    }
}

extension ReadingDirection {
    /// Lines of one shape, the longest first.
    private struct Sample {
        let lines: [DetectedLine]
        /// Estimated number of their characters.
        let characters: Float

        init(_ lines: [DetectedLine]) {
            self.lines = lines
            self.characters = lines.reduce(0) { $0 + ReadingDirection.charactersPerHeight * $1.elongation }
        }
    }

    /// Creates the direction of a frame's lines, the longest of which are read until more text would not change it.
    ///
    /// Level lines and those that run up or down are sampled apart: a single long line does not decide for many short ones.
    ///
    /// - Parameters:
    ///   - lines: The detected lines, the longest first.
    ///   - frame: The frame.
    ///   - read: Reads a line.
    /// - Throws: ``RecognitionError`` if inference fails.
    fileprivate init(
        of lines: [DetectedLine],
        in frame: UprightFrame,
        read: (DetectedLine) throws(RecognitionError) -> TextLine?
    ) throws(RecognitionError) {
        let samples = [lines.filter { $0.shape != .tall }, lines.filter { $0.shape == .tall }].map(Sample.init)
        var remaining = samples.reduce(0) { $0 + $1.characters }
        for sample in samples.sorted(by: { $0.characters > $1.characters }) where sample.characters > 0 {
            var direction = ReadingDirection()
            var sampled: Float = 0
            for (index, line) in sample.lines.prefix(Self.maxLines).enumerated() {
                if let text = try read(line) { direction.count(text, in: frame) }
                sampled += Self.charactersPerHeight * line.elongation
                if index + 1 >= Self.minLines, direction.isDecided { break }
            }
            self.add(direction, weight: sample.characters / sampled)
            remaining -= sample.characters
            if self.isDecided(against: remaining) { break }
        }
    }

    /// Adds the votes of a part of the text that stands for more.
    private mutating func add(_ other: ReadingDirection, weight: Float) {
        for direction in self.votes.indices {
            let votes = (weight * Float(other.votes[direction])).rounded()
            self.votes[direction] += Int(clamping: votes, to: OrientationCue.counts)
        }
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

    /// Detects the orientation of a frame by its lines, the longest first; see ``turn(of:options:)``.
    func turn(
        of frame: UprightFrame,
        by lines: [DetectedLine],
        options: ReadingOptions
    ) throws(RecognitionError) -> Int? {
        var votes = LineVotes()
        return try ReadingDirection(of: lines, in: frame) { (line) throws(RecognitionError) in
            try self.read([line], in: frame, options: options, votes: &votes).first ?? nil
        }.turn
    }
}

extension ReadingOptions {
    /// Options for lines whose direction alone matters.
    var forTurn: ReadingOptions {
        ReadingOptions(level: self.level, characters: false, languages: self.languages)
    }

    /// Whether the same lines are detected as those whose direction matters.
    var detectsAllText: Bool { self.recognize && self.regionOfInterest == .full && self.minimumTextHeight == 0 }
}

extension TextLine {
    /// Recognition score of the line; ``TextLine/confidence`` if there is none.
    package var recognitionScore: Float { self.scores?.recognition ?? self.confidence }
}
