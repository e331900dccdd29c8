/// Which first readings are doubted, beside those in which a letter was nearly read, and how many of them are read again.
public struct Doubt: Sendable {
    /// The confidence below which a character is.
    var character: Float
    /// The confidence, the mean over its characters, below which a line is.
    var line: Float
    /// How many columns of lines 48 pixels high are read again of a frame at most; see ``columns(ofDoubtful:)``.
    var columns: Int

    /// Doubts what is less sure than these.
    ///
    /// - Parameters:
    ///   - character: The confidence below which a character is doubted, and what stands around it.
    ///   - line: The mean confidence of its characters below which a line is doubted.
    ///   - columns: How many columns of lines 48 pixels high are read again of a frame at most, and fewer where more are
    ///     doubted; of those with the most doubtful words for their width.
    public init(character: Float, line: Float, columns: Int = .max) {
        self.character = character
        self.line = line
        self.columns = columns
    }

    /// How many columns are read again of a frame in which `count` are doubted.
    ///
    /// Where not all can be, so many fewer as there are too many: such a frame is hard to read as a whole, and what a part
    /// of it would gain is little beside the rest, and takes as long as anywhere.
    func columns(ofDoubtful count: Int) -> Int {
        count > self.columns ? self.columns * self.columns / count : count
    }
}
