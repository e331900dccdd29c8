internal import TextModel

/// Accepted readings, and votes, of a line that was read.
extension OrientedReading {
    /// The accepted reading, with its line and its vote.
    func accepted(
        as line: AssembledLine?,
        vote: DirectionVotes.Vote?,
        isScriptUndecided: Bool = false
    ) -> AcceptedReading {
        AcceptedReading(source: self.source, line: line, vote: vote, isScriptUndecided: isScriptUndecided)
    }

    /// The accepted reading of a line in a script that the models do not read.
    func accepted(
        inUnavailableScript line: TextLine,
        vote: DirectionVotes.Vote?,
        isScriptUndecided: Bool = false
    ) -> AcceptedReading {
        let line = AssembledLine(line: line, separators: [])
        return AcceptedReading(
            source: self.source,
            line: line,
            vote: vote,
            isScriptUnavailable: true,
            isScriptUndecided: isScriptUndecided
        )
    }

    /// Vote of the line for its direction, with some letters as evidence.
    func vote(of characters: Int) -> DirectionVotes.Vote {
        DirectionVotes.Vote(characters: characters, quarterTurns: self.quarterTurns, shape: self.line.shape)
    }
}
