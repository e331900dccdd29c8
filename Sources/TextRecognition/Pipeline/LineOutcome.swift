internal import TextModel

/// Outcome of a line's first or second reading.
enum LineOutcome {
    /// The reported line, `nil` if it is not text, with its vote for a direction, if certain.
    case accepted(AssembledLine?, vote: DirectionVotes.Vote?)
    /// The line has parts that are recognized again.
    case rejected(RejectedReading)

    /// The reported line, if it is accepted and text.
    var line: AssembledLine? { if case .accepted(let line, _) = self { line } else { nil } }
    /// The rejected reading.
    var rejection: RejectedReading? { if case .rejected(let reading) = self { reading } else { nil } }
    /// The line's vote for a direction.
    var vote: DirectionVotes.Vote? { if case .accepted(_, let vote) = self { vote } else { nil } }
}

/// First reading that the cascade rejects in part.
struct RejectedReading {
    let line: DetectedLine
    /// Rotation from the detected box to the reading direction, in quarter turns clockwise.
    let quarterTurns: Int
    let reading: RecognizedLine
    /// Number of rejected words.
    let rejectedWordCount: Int
    /// Columns of the rectified line that are recognized again; empty if the first reading is kept.
    var parts: [Range<Float>]

    /// Rejected parts, in sent pixels.
    var quads: [Quad] { self.parts.map(self.reading.quad(of:)) }
}

extension RecognitionCascade {
    /// The rejection of a first reading; `nil` if it is kept.
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
