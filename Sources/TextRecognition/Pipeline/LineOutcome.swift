internal import TextModel

/// Outcome of a line's first or second reading.
enum LineOutcome {
    /// The line is accepted, or is not text.
    case accepted(AcceptedReading)
    /// The line has parts that are recognized again.
    case rejected(RejectedReading)

    /// The accepted reading.
    var acceptance: AcceptedReading? { if case .accepted(let reading) = self { reading } else { nil } }
    /// The rejected reading.
    var rejection: RejectedReading? { if case .rejected(let reading) = self { reading } else { nil } }
    /// The line's vote for a direction.
    var vote: DirectionVotes.Vote? { self.acceptance?.vote }
}

/// Reading of a line in its most confident direction.
struct DirectedReading {
    let line: DetectedLine
    /// Rotation from the detected box to the reading direction, in quarter turns clockwise.
    let quarterTurns: Int
    var reading: RecognizedLine
}

/// Reading that no further network is asked about.
struct AcceptedReading {
    /// What was recognized; `nil` if nothing was in any direction.
    let source: DirectedReading?
    /// The line of text; `nil` if it is not text.
    let line: AssembledLine?
    /// The line's vote for a direction, if it is certain.
    let vote: DirectionVotes.Vote?

    /// Reading of what is no text in any direction.
    static let none = AcceptedReading(source: nil, line: nil, vote: nil)

    /// The line's vote for a script, as an index of ``ScriptScores/classes``; `nil` for a line without letters.
    var scriptVote: Int? {
        guard let line = self.line?.line, let scores = self.source?.reading.scripts?.scores else { return nil }
        let script = line.script.flatMap(Script.init)
        if let index = ScriptScores.classes.firstIndex(of: .unavailable(script)), script != nil || line.text.isEmpty {
            return index
        }
        return script == nil ? nil : scores.readableIndex
    }

    /// What was recognized, if the votes of other lines give it a script that the models do not read and that it was not read in.
    func ambiguous(among votes: ScriptVotes, _ options: ReadingOptions) -> DirectedReading? {
        guard var source = self.source, let unread = source.reading.unavailable(among: votes, options),
            self.line?.line.script != unread.code
        else { return nil }
        source.reading.unavailable = unread
        return source
    }
}

/// First reading that the cascade rejects in part.
struct RejectedReading {
    let source: DirectedReading
    /// Number of rejected words.
    let rejectedWordCount: Int
    /// Columns of the rectified line that are recognized again; empty if the first reading is kept.
    var parts: [Range<Float>]

    /// Rejected parts, in sent pixels.
    var quads: [Quad] { self.parts.map(self.source.reading.quad(of:)) }
}

extension RecognitionCascade {
    /// The rejection of a first reading; `nil` if it is kept.
    func rejection(of source: DirectedReading, _ options: ReadingOptions) -> RejectedReading? {
        guard self.rejects(source.reading) else { return nil }
        return RejectedReading(
            source: source,
            rejectedWordCount: self.rejectedWords(of: source.reading),
            parts: self.parts(of: source.reading, options)
        )
    }
}
