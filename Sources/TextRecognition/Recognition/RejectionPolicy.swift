/// Which first readings are doubted, and how many of them are read again.
public struct RejectionPolicy: Sendable {
    /// The confidence below which a character is.
    var character: Float
    /// The share of the blank's probability from which on a letter that is not read is.
    var unread: Float
    /// The confidence, the mean over its characters, below which a line is.
    var line: Float
    /// How many columns of lines 48 pixels high are read again of a frame at most; see ``columns(ofDoubtful:)``.
    var columns: Int

    /// Doubts by these bounds.
    ///
    /// - Parameters:
    ///   - character: The confidence below which a character is doubted, and what stands around it.
    ///   - unread: The share of the blank's probability from which on a letter that was not read is doubted in the same way.
    ///   - line: The mean confidence of its characters below which a line is doubted.
    ///   - columns: How many columns of lines 48 pixels high are read again of a frame at most, and fewer where more are
    ///     doubted; of those with the most doubtful words for their width.
    public init(character: Float, unread: Float = 1, line: Float, columns: Int = .max) {
        self.character = character
        self.unread = unread
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
