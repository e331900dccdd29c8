/// Matches of a client's search patterns in a frame.
public struct TextMatches: Sendable, Hashable {
    /// Matches in reading order; those with the same start are in the order of the patterns.
    public var matches: [TextMatch]
    /// Whether these are all matches; `false` if the search reached the limit of its steps or of matches.
    public var isComplete: Bool

    /// Creates a list of matches.
    public init(_ matches: [TextMatch], isComplete: Bool = true) {
        self.matches = matches
        self.isComplete = isComplete
    }
}
