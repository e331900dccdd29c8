/// Which first readings are doubted, and how many of them are read again.
public struct Doubt: Sendable {
    /// The confidence below which a character is.
    var character: Float
    /// The confidence, the mean over its characters, below which a line is.
    var line: Float
    /// How many columns of lines 48 pixels high are read again of a frame at most.
    var columns: Int

    /// Doubts what is less sure than these.
    ///
    /// - Parameters:
    ///   - character: The confidence below which a character is doubted, and what stands around it.
    ///   - line: The mean confidence of its characters below which a line is doubted.
    ///   - columns: How many columns of lines 48 pixels high are read again of a frame at most; of those with the most
    ///     doubtful words for their width.
    public init(character: Float, line: Float, columns: Int = .max) {
        self.character = character
        self.line = line
        self.columns = columns
    }
}
