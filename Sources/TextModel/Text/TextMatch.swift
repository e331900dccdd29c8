/// Match of a client's search pattern in a line of text.
public struct TextMatch: Sendable, Hashable {
    /// Index of the pattern, among those of the match's region.
    public var pattern: Int
    /// Matched text.
    public var text: String
    /// Index of the line.
    public var line: Int
    /// Range of the line's words that the match overlaps; it may begin or end inside a word.
    public var words: Range<Int>
    /// Bounding box of the matched characters, in the line's direction and in pixels of the frame as sent.
    public var box: Quad
    /// Name of the region that its line is in; `nil` where the stream has no named regions.
    public var region: String?

    /// Creates a match with its box.
    public init(pattern: Int, text: String, line: Int, words: Range<Int>, box: Quad, region: String? = nil) {
        self.pattern = pattern
        self.text = text
        self.line = line
        self.words = words
        self.box = box
        self.region = region
    }
}
