internal import TextModel

/// Lines in scripts that the networks do not read, which the scripts' readers read.
extension LineStages {
    /// Calibrated confidence from which a reading by a script's reader is in the right direction.
    ///
    /// Upside down, lines in Armenian have up to 0.3 (accuracy log, *Direction of other scripts at `accurate`*).
    private static let sureDirection: Float = 0.8

    /// Accepts a line as the reader of a script reads it, now that the frame's other lines are known.
    ///
    /// - Parameters:
    ///   - source: What the networks read of it, with the script.
    ///   - context: The frame and the options.
    ///   - votes: The directions of the other lines, by which it may be read upside down too; `nil` to read it as it is.
    /// - Returns: The line, without text if it is certain that the networks do not read its script; `nil` if it stands as it is.
    func acceptDecided(_ source: DirectedReading, in context: LineContext, votes: DirectionVotes?) -> AcceptedReading? {
        guard let script = source.reading.unavailableScript else { return nil }
        return self.withRectified(source, in: context) { oriented in
            script.isCertain
                ? self.accept(oriented, inUnavailable: script, in: context, votes: votes)
                : self.readInSurerDirection(
                    oriented,
                    in: script,
                    atLeast: script.odds(against: self.textConfidence(of: oriented)),
                    in: context,
                    votes: votes
                )
        }
    }

    /// Accepts a line in a script that the recognizer does not know.
    ///
    /// It is what the script's reader reads. Without a reader, or where that is not confident, it is its boxes without text, which
    /// vote if the script is certain.
    func accept(
        _ oriented: OrientedReading,
        inUnavailable script: UnavailableScript,
        in context: LineContext,
        votes: DirectionVotes?
    ) -> AcceptedReading {
        if let accepted = self.readInSurerDirection(oriented, in: script, in: context, votes: votes) { return accepted }
        guard let line = self.segmenter.lineWithoutText(of: oriented, script, in: context) else {
            return oriented.accepted(as: nil, vote: nil)
        }
        guard script.isCertain else {
            return oriented.accepted(as: AssembledLine(line: line, separators: []), vote: nil)
        }
        let vote = oriented.vote(of: OrientationCue.evidence(inLineWithoutText: line))
        return oriented.accepted(inUnavailableScript: line, vote: vote)
    }

    /// Accepts a line as the reader of its script reads it; `nil` if there is none or it is less confident than required.
    ///
    /// The recognizer may see the script upside down as well. So what is not read with confidence is also read upside down,
    /// unless it is read in the direction of the frame's lines, or only words of a dictionary count, or these lines make it improbable.
    private func readInSurerDirection(
        _ oriented: OrientedReading,
        in script: UnavailableScript,
        atLeast confidence: Float = 0,
        in context: LineContext,
        votes: DirectionVotes?
    ) -> AcceptedReading? {
        var first = self.read(oriented, in: script, atLeast: confidence, in: context)
        guard self.scriptLineReader != nil, !script.isVague, !script.isImprobable, let votes,
            !votes.isUsual(oriented.quarterTurns, for: oriented.line.shape),
            first?.isScriptUndecided == true || first?.confidence ?? 0 < Self.sureDirection
        else { return first }
        let turned = self.withRectified(oriented.source.turned(in: context.frame), in: context) {
            self.read($0, in: script, atLeast: confidence, in: context)
        }
        guard let turned, !turned.isScriptUndecided else { return first }
        if first?.isScriptUndecided == true {
            // It is in the script, whichever direction is the right one.
            var decided = script
            decided.isDecided = true
            first = self.read(oriented, in: decided, atLeast: confidence, in: context)
        }
        return turned.confidence > first?.confidence ?? 0 ? turned : first
    }

    /// Accepts a line as the reader of its script reads it in one direction; `nil` if no reading counts.
    ///
    /// While the reader is undecided, so is the line's script, and the line is its boxes without text.
    private func read(
        _ oriented: OrientedReading,
        in script: UnavailableScript,
        atLeast confidence: Float,
        in context: LineContext
    ) -> AcceptedReading? {
        switch self.scriptLineReader?.read(oriented, in: script, atLeast: confidence, context) {
        case .line(let line):
            let vote = oriented.vote(of: OrientationCue.evidence(in: line.text))
            return oriented.accepted(inUnavailableScript: line, vote: vote)
        case .undecided:
            return self.segmenter.lineWithoutText(of: oriented, script, in: context).map {
                oriented.accepted(inUnavailableScript: $0, vote: nil, isScriptUndecided: true)
            }
        case .nothing, nil:
            return nil
        }
    }
}
