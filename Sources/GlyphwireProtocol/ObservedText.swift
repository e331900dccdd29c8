public import TextModel

/// Text in its place, which is observed from frame to frame: a line, or with a search a match.
public struct ObservedText: Sendable, Hashable {
    /// Number that no other text of the stream has.
    public var id: UInt64
    /// The text.
    public var text: String
    /// Confidence of the text, 0...1; `nil` for a match, which is a part of a line.
    public var confidence: Float?
    /// Bounding box, in the coordinate space of the result.
    public var box: Quad
    /// Index of the pattern that it matches, among those of its region; `nil` for a line.
    public var pattern: Int?
    /// Name of the region that it is in; `nil` where the stream has no named regions.
    public var region: String?

    /// Creates a text.
    public init(id: UInt64, text: String, confidence: Float?, box: Quad, pattern: Int? = nil, region: String? = nil) {
        self.id = id
        self.text = text
        self.confidence = confidence
        self.box = box
        self.pattern = pattern
        self.region = region
    }
}
