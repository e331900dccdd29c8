internal import TextModel

/// First reading of which some or all is recognized again by the second recognizer.
struct RejectedReading {
    let source: DirectedReading
    /// Number of rejected words.
    let rejectedWordCount: Int
    /// Whether only the second recognizer reads its script, so that the first reading means nothing.
    let isRequired: Bool
    /// Columns of the rectified line that are recognized again.
    var spans: [Range<Float>]

    /// Rejected spans, in sent pixels.
    var quads: [Quad] { self.spans.map(self.source.reading.quad(of:)) }
}

extension RecognitionCascade {
    /// The rejection of a first reading; `nil` if it is kept or has no characters, or if neither recognizer reads its script.
    func rejection(of source: DirectedReading, _ options: ReadingOptions) -> RejectedReading? {
        let reading = source.reading
        guard !reading.characters.isEmpty || reading.certainUnavailableScript != nil else { return nil }
        let isRequired = reading.unavailableScript?.isOne(of: self.recognizer.scripts?.readable ?? []) == true
        guard isRequired || reading.certainUnavailableScript == nil && self.rejects(reading) else { return nil }
        return RejectedReading(
            source: source,
            rejectedWordCount: self.rejectedWords(of: reading),
            isRequired: isRequired,
            spans: isRequired ? [reading.span] : self.rejectedSpans(of: reading, options)
        )
    }

    /// Returns the rejected readings of lines that are read together; those beyond the budget without spans, so that they stay.
    ///
    /// Lines in a script that only the second recognizer reads are always within it, and take nothing from it.
    func withinBudget(_ lines: [RejectedReading]) -> [RejectedReading] {
        var lines = lines
        let columns = lines.map { $0.quads.reduce(0) { $0 + LineSize($1).inputWidth } }
        let gains = lines.indices.map { Float(lines[$0].rejectedWordCount) / Float(columns[$0]) }
        let optional = lines.indices.filter { !lines[$0].isRequired }
        var left = self.policy.budget(forRejected: optional.reduce(0) { $0 + columns[$1] })
        for index in optional.sorted(by: { (gains[$0], $1) > (gains[$1], $0) }) {
            if columns[index] <= left { left -= columns[index] } else { lines[index].spans = [] }
        }
        return lines
    }
}
