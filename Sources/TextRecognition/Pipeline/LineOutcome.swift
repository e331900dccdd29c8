internal import TextModel

/// Outcome of a line's first or second reading.
enum LineOutcome {
    /// The line is accepted, or is not text.
    case accepted(AcceptedReading)
    /// The line has spans that are recognized again.
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
    /// Reading in the direction that was tried first, where one in another direction is more confident; `nil` otherwise.
    ///
    /// A script that the models do not read may look more like theirs upside down.
    var first: FirstReading?

    /// The reading in the direction that was tried first instead of the most confident one.
    var inFirstDirection: DirectedReading? {
        self.first.map { DirectedReading(line: self.line, quarterTurns: $0.quarterTurns, reading: $0.reading) }
    }

    /// Returns the reading, in this or the first direction, whose suspected script is probable enough to explain that the models
    /// recognized no text; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - votes: The directions of the frame's other lines, one of which counts first; `nil` if they are not at hand.
    ///   - second: The scripts that the second model reads.
    /// - Returns: The reading, with its script.
    func probablyUnread(
        among votes: DirectionVotes?,
        except second: Set<Script>
    ) -> (source: DirectedReading, script: UnreadScript)? {
        var probable: [(source: DirectedReading, script: UnreadScript)] = []
        for case let source? in [self, self.inFirstDirection] {
            // An expected script was tried already.
            guard let script = source.reading.suspected, !script.isExpected, !script.isVague, !script.isOne(of: second),
                ScriptPolicy.isExplained(by: script, width: source.reading.width)
            else { continue }
            probable.append((source, script))
        }
        let usual = probable.filter { votes?.isUsual($0.source.quarterTurns, for: self.line.shape) == true }
        return (usual.isEmpty ? probable : usual).max { $0.script.probability < $1.script.probability }
    }

    /// The line turned by half, with the recognizer's reading of the other direction, which means nothing.
    func turned(in frame: UprightFrame) -> DirectedReading {
        let turns = (self.quarterTurns + 2) % 4
        var reading = self.reading
        reading.map = Homography(
            width: Float(reading.width),
            height: Float(LineSize.height),
            to: frame.sent(self.line.rect.quad.turned(turns))
        )
        return DirectedReading(line: self.line, quarterTurns: turns, reading: reading)
    }
}

/// Reading of a line in the direction that was tried first.
struct FirstReading {
    let quarterTurns: Int
    let reading: RecognizedLine
}

/// Reading that needs no second recognition.
struct AcceptedReading {
    /// What was recognized, without characters if nothing was in any direction.
    let source: DirectedReading
    /// The line of text; `nil` if it is not text.
    let line: AssembledLine?
    /// The line's vote for a direction, if it is certain.
    let vote: DirectionVotes.Vote?
    /// Whether the line counts as one in a script that the models do not read.
    var isUnread = false

    /// Code of the script, if it is one that the models do not read.
    private var unreadCode: String? { self.isUnread ? self.line?.line.script : nil }
    /// Confidence of the line; 0 if it is not text.
    var confidence: Float { self.line?.line.confidence ?? 0 }

    /// The line's vote for a script, as an index of ``ScriptScores/classes``; `nil` for a line without letters.
    ///
    /// Letters of a script that the model does not read are symbols in formulas.
    var scriptVote: Int? {
        guard let code = self.line?.line.script, let policy = self.source.reading.scripts?.policy else { return nil }
        let isRead = Script(rawValue: code).map(policy.readable.contains) ?? false
        return self.isUnread || isRead ? ScriptScores.index(of: code) : nil
    }

    /// Whether a script's reader has read the line.
    private var isReadByScript: Bool { self.isUnread && self.line?.line.reason == nil }

    /// Whether the line is one in a script that the models do not read, rather than what another reading of it says.
    ///
    /// Of two readings by readers of scripts the more confident one counts. A script that is not the most probable one counts only
    /// if its reader has read the line.
    func isUnread(rather other: AcceptedReading) -> Bool {
        guard self.isReadByScript else { return self.isUnread && self.source.reading.unavailable?.isFurther != true }
        return !other.isReadByScript || self.confidence > other.confidence
    }

    /// Reading whose script votes change to one that no model reads; `nil` otherwise.
    ///
    /// - Parameters:
    ///   - votes: The votes, that of the line among them, which does not count for itself.
    ///   - prior: Whose votes they are.
    ///   - options: The words expected.
    ///   - second: The scripts that the second model reads.
    /// - Returns: The reading with that script, in the direction of the frame's lines if it has it there.
    func ambiguous(
        among votes: LineVotes,
        _ prior: ScriptPrior,
        _ options: ReadingOptions,
        except second: Set<Script>
    ) -> DirectedReading? {
        let first = self.source.inFirstDirection.flatMap {
            votes.directions.isUsual($0.quarterTurns, for: $0.line.shape) ? $0 : nil
        }
        let others = votes.scripts.without(self.scriptVote)
        func changed(_ source: DirectedReading) -> DirectedReading? {
            guard let unread = source.reading.unavailable(among: others, prior, options)?.had(by: others),
                self.unreadCode != unread.code, !unread.isOne(of: second)
            else { return nil }
            var source = source
            source.reading.unavailable = unread
            return source
        }
        return first.flatMap(changed) ?? changed(self.source)
    }
}

/// First reading of which some or all is recognized again by the second recognizer.
struct RejectedReading {
    let source: DirectedReading
    /// Number of rejected words.
    let rejectedWordCount: Int
    /// Whether only the second recognizer reads its script, so that the first reading means nothing.
    let isRequired: Bool
    /// Columns of the rectified line that are recognized again.
    var spans: [Range<Float>]

    /// Rejected spans, in sent pixels.
    var quads: [Quad] { self.spans.map(self.source.reading.quad(of:)) }
}

extension RecognitionCascade {
    /// The rejection of a first reading; `nil` if it is kept or has no characters, or if neither recognizer reads its script.
    func rejection(of source: DirectedReading, _ options: ReadingOptions) -> RejectedReading? {
        let reading = source.reading
        guard !reading.characters.isEmpty || reading.unread != nil else { return nil }
        let isRequired = reading.unavailable?.isOne(of: self.recognizer.scripts?.readable ?? []) == true
        guard isRequired || reading.unread == nil && self.rejects(reading) else { return nil }
        return RejectedReading(
            source: source,
            rejectedWordCount: self.rejectedWords(of: reading),
            isRequired: isRequired,
            spans: isRequired ? [reading.span] : self.rejectedSpans(of: reading, options)
        )
    }
}
