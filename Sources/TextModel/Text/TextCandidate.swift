/// Candidate text of a line.
public struct TextCandidate: Sendable, Hashable {
    /// Text of the candidate.
    public var text: String
    /// Confidence of the candidate, 0...1.
    public var confidence: Float

    /// Creates a candidate with its confidence.
    public init(text: String, confidence: Float) {
        self.text = text
        self.confidence = confidence
    }
}
