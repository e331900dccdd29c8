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
