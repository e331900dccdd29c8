/// Word of a line, delimited by spaces.
public struct TextWord: Sendable, Hashable {
    /// Recognized text; empty where only boxes were requested.
    public var text: String
    /// Confidence of the text, 0...1.
    public var confidence: Float
    /// Bounding box, in pixels of the frame as sent.
    public var box: Quad
    /// Characters of the word, in reading order; empty where they were not requested.
    public var characters: [TextCharacter]
    /// Identifier, unique in the stream; `nil` where frames are not compared.
    ///
    /// A word keeps it while it stays in view, and if it is back soon.
    public var id: UInt64?

    /// Creates a word of `characters`.
    public init(text: String, confidence: Float, box: Quad, characters: [TextCharacter], id: UInt64? = nil) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.characters = characters
        self.id = id
    }
}
