/// Character of a word.
public struct TextCharacter: Sendable, Hashable {
    /// The character; empty where only boxes were requested.
    public var text: String
    /// Confidence of the character, 0...1.
    public var confidence: Float
    /// Bounding box of the ink, in pixels of the frame as sent.
    public var box: Quad

    /// Creates a character with its box.
    public init(text: String, confidence: Float, box: Quad) {
        self.text = text
        self.confidence = confidence
        self.box = box
    }
}
