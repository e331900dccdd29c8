/// Rejection policy of the first recognizer: which readings go on to the second, and how many.
public struct RejectionPolicy: Sendable {
    /// Confidence below which a character is rejected.
    var character: Float
    /// Confidence below which a letter or digit by itself is rejected.
    var lone: Float
    /// Share of the blank's probability from which a character that was not decoded is a near miss.
    var nearMiss: Float
    /// Mean confidence of its characters below which a line is rejected.
    var line: Float
    /// Budget of lines that are read together, in columns of 48 pixels' height; see ``columns(ofRejected:)``.
    ///
    /// All lines of a picture are read together. Those of a stream's frame are read in several turns, each of which has it.
    var columns: Int

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - character: The confidence below which a character is rejected, with its word and neighbours.
    ///   - lone: The confidence below which a letter or digit by itself is rejected; `nil` for that of `character`.
    ///   - nearMiss: The share of the blank's probability from which a near miss is rejected in the same way.
    ///   - line: The mean confidence of its characters below which a line is rejected.
    ///   - columns: The most columns, 48 pixels high, that are read again of lines that are read together, less where more are
    ///     rejected; lines with the most rejected words for their width come first.
    public init(character: Float, lone: Float? = nil, nearMiss: Float = 1, line: Float, columns: Int = .max) {
        self.character = character
        self.lone = lone ?? character
        self.nearMiss = nearMiss
        self.line = line
        self.columns = columns
    }

    /// Returns the budget of lines that are read together, of which `count` columns are rejected.
    ///
    /// A larger demand gets the square of the full budget over it: such lines are hard as a whole, and a column of
    /// them gains little for the same time (accuracy log, *A cascade budget for difficult frames*).
    func columns(ofRejected count: Int) -> Int {
        count > self.columns ? self.columns * self.columns / count : count
    }
}
