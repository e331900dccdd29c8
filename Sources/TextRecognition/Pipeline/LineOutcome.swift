internal import TextModel

/// The outcome of a line's first reading, or of its second.
enum LineOutcome {
    /// The line as it is reported, `nil` where it is no text; and the direction it votes for, where that is certain.
    case accepted(AssembledLine?, vote: DirectionVotes.Vote?)
    /// A line of which a part is recognized again.
    case rejected(RejectedReading)

    /// The line as it is reported, if it is accepted and text.
    var line: AssembledLine? { if case .accepted(let line, _) = self { line } else { nil } }
    /// The reading that was rejected.
    var rejection: RejectedReading? { if case .rejected(let reading) = self { reading } else { nil } }
    /// The direction that the line votes for.
    var vote: DirectionVotes.Vote? { if case .accepted(_, let vote) = self { vote } else { nil } }
}

/// A first reading that the cascade rejects in part.
struct RejectedReading {
    let line: DetectedLine
    /// The rotation from the detected box to the reading direction, in quarter turns clockwise.
    let quarterTurns: Int
    let reading: RecognizedLine
    /// The number of its words that are rejected.
    let rejectedWordCount: Int
    /// The columns of the rectified line that are recognized again; none where the first reading stands.
    var parts: [Range<Float>]

    /// The parts, in sent pixels.
    var quads: [Quad] { self.parts.map(self.reading.quad(of:)) }
}

extension RecognitionCascade {
    /// The rejection of a first reading; `nil` where it stands.
    func rejection(of oriented: OrientedReading, _ options: ReadingOptions) -> RejectedReading? {
        guard self.rejects(oriented.reading) else { return nil }
        return RejectedReading(
            line: oriented.line,
            quarterTurns: oriented.quarterTurns,
            reading: oriented.reading,
            rejectedWordCount: self.rejectedWords(of: oriented.reading),
            parts: self.parts(of: oriented.reading, options)
        )
    }
}
