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
}
