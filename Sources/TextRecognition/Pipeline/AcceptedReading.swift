internal import TextModel

/// Reading that needs no second recognition.
struct AcceptedReading {
    /// What was recognized, without characters if nothing was in any direction.
    let source: DirectedReading
    /// The line of text; `nil` if it is not text.
    var line: AssembledLine?
    /// The line's vote for a direction, if it is certain.
    let vote: DirectionVotes.Vote?
    /// Whether the line counts as one in a script that the models do not read.
    var isScriptUnavailable = false
    /// Whether its script is undecided until the frame's other lines are known.
    ///
    /// Until then it has no vote for one.
    var isScriptUndecided = false
    /// Whether its letters are those of the reader of diacritics.
    var hasDiacritics = false

    /// Code of the script, if it is one that the models do not read.
    private var unavailableCode: String? { self.isScriptUnavailable ? self.line?.line.script : nil }
    /// Confidence of the line; 0 if it is not text.
    var confidence: Float { self.line?.line.confidence ?? 0 }

    /// The line's vote for a script, as an index of ``ScriptScores/classes``; `nil` for a line without letters.
    ///
    /// Letters of a script that the model does not read are symbols in formulas.
    var scriptVote: Int? {
        guard !self.isScriptUndecided, let code = self.line?.line.script,
            let policy = self.source.reading.scripts?.policy
        else {
            return nil
        }
        let isRead = Script(rawValue: code).map(policy.readable.contains) ?? false
        return self.isScriptUnavailable || isRead ? ScriptScores.index(of: code) : nil
    }

    /// Whether a script's reader has read the line.
    private var isReadByScriptReader: Bool { self.isScriptUnavailable && self.line?.line.reason == nil }

    /// Whether this reading, in a script that the models do not read, replaces another reading of the line.
    ///
    /// Of two readings by readers of scripts the more confident one counts. A script that is not the most probable one counts only
    /// if its reader has read the line.
    func prevails(over other: AcceptedReading) -> Bool {
        guard self.isReadByScriptReader else {
            return self.isScriptUnavailable && self.source.reading.unavailableScript?.isFurther != true
        }
        return !other.isReadByScriptReader || self.confidence > other.confidence
    }

    /// Reading of an undecided line that its script's reader does not read after all.
    ///
    /// The line stays as it is. It has no vote for a script that is certain by itself, and not among the frame's other lines.
    var withoutScriptReading: AcceptedReading {
        var reading = self
        reading.isScriptUndecided = self.isScriptUnavailable
        return reading
    }

    /// Reading of an undecided line with its script among votes; `nil` where its reader is not to try it.
    func decided(among votes: ScriptVotes) -> DirectedReading? {
        guard let script = self.source.reading.unavailableScript,
            let decided = self.source.reading.decided(script, among: votes)
        else { return nil }
        var source = self.source
        source.reading.unavailableScript = decided
        return source
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
            guard let script = source.reading.unavailableScript(among: others, prior, options)?.had(by: others),
                self.unavailableCode != script.code, !script.isOne(of: second)
            else { return nil }
            var source = source
            source.reading.unavailableScript = script
            return source
        }
        return first.flatMap(changed) ?? changed(self.source)
    }
}
