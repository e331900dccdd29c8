/// Which first readings are doubted.
public struct Doubt: Sendable {
    /// The confidence below which a character is.
    var character: Float
    /// The confidence, the mean over its characters, below which a line is.
    var line: Float

    /// Doubts what is less sure than these.
    ///
    /// - Parameters:
    ///   - character: The confidence below which a character is doubted, and what stands around it.
    ///   - line: The mean confidence of its characters below which a line is doubted.
    public init(character: Float, line: Float) {
        self.character = character
        self.line = line
    }
}
