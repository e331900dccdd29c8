/// Reading of a line in its most confident direction, with its pixels.
struct OrientedReading {
    var source: DirectedReading
    /// Rectified line that was recognized; its receiver recycles it.
    let image: LineImage

    var line: DetectedLine { self.source.line }
    var quarterTurns: Int { self.source.quarterTurns }
    var reading: RecognizedLine { self.source.reading }

    /// Returns this reading, which is better than another one of the line, with the line's first reading.
    func replacing(_ other: OrientedReading) -> OrientedReading {
        var better = self
        better.source.first =
            other.source.first ?? FirstReading(quarterTurns: other.quarterTurns, reading: other.reading)
        return better
    }
}
