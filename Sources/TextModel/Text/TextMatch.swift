/// A place in a line of text where something was found that the client asked for.
public struct TextMatch: Sendable, Hashable {
    /// Which of the patterns was found, counted from 0.
    public var pattern: Int
    /// What stands there.
    public var text: String
    /// The line it is in, counted from 0.
    public var line: Int
    /// The words of the line that it lies in, each counted from 0; it may begin or end inside of one.
    public var words: Range<Int>
    /// Around its characters, in the direction of the line; in pixels of the frame as it was sent.
    public var box: Quad

    /// A match in a box.
    public init(pattern: Int, text: String, line: Int, words: Range<Int>, box: Quad) {
        self.pattern = pattern
        self.text = text
        self.line = line
        self.words = words
        self.box = box
    }
}

/// What was found in a frame of all that the client asked for.
public struct TextMatches: Sendable, Hashable {
    /// In reading order; those that begin at one place in the order of the patterns.
    public var matches: [TextMatch]
    /// Whether this is all; looking for more would have taken the server too long.
    public var isComplete: Bool

    /// What was found.
    public init(_ matches: [TextMatch], isComplete: Bool = true) {
        self.matches = matches
        self.isComplete = isComplete
    }
}
