/// Rejection policy of the first recognizer: which readings go on to the second, and how many.
public struct RejectionPolicy: Sendable {
    /// Confidence below which a character is rejected.
    var minCharacterConfidence: Float
    /// Confidence below which a letter or digit by itself, beside other words, is rejected.
    var minLoneConfidence: Float
    /// Share of the blank's probability from which a character that was not decoded is a near miss.
    var nearMiss: Float
    /// Mean confidence of its characters below which a line is rejected.
    package var minLineConfidence: Float
    /// Budget of lines that are read together, in columns of 48 pixels' height; see ``budget(forRejected:)``.
    ///
    /// All lines of a picture are read together. Those of a stream's frame are read in several turns, each of which has it.
    var maxColumns: Int

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - minCharacterConfidence: The confidence below which a character is rejected, with its word and neighbours.
    ///   - minLoneConfidence: The confidence below which a letter or digit by itself is rejected; `nil` for that of any character.
    ///   - nearMiss: The share of the blank's probability from which a near miss is rejected in the same way.
    ///   - minLineConfidence: The mean confidence of its characters below which a line is rejected.
    ///   - maxColumns: The most columns, 48 pixels high, that are read again of lines that are read together, less where more are
    ///     rejected; lines with the most rejected words for their width come first.
    public init(
        minCharacterConfidence: Float,
        minLoneConfidence: Float? = nil,
        nearMiss: Float = 1,
        minLineConfidence: Float,
        maxColumns: Int = .max
    ) {
        self.minCharacterConfidence = minCharacterConfidence
        self.minLoneConfidence = minLoneConfidence ?? minCharacterConfidence
        self.nearMiss = nearMiss
        self.minLineConfidence = minLineConfidence
        self.maxColumns = maxColumns
    }

    /// Returns the budget, in columns, of lines that are read together, of which `count` columns are rejected.
    ///
    /// A larger demand gets the square of the full budget over it: such lines are hard as a whole, and a column of
    /// them gains little for the same time (accuracy log, *A cascade budget for difficult frames*).
    func budget(forRejected count: Int) -> Int {
        count > self.maxColumns ? self.maxColumns * self.maxColumns / count : count
    }
}
