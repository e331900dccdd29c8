internal import TextModel

/// Evidence of a reading for the orientation of its line.
enum OrientationCue {
    /// Letters and digits that look like themselves or another upside down.
    ///
    /// By their shapes; on receipts at `accurate` they take bag of words from 0.891 to 0.896 (accuracy log, *Orientation votes
    /// from text that reads both ways*).
    private static let ambiguous = Set("0Oo1Il689HNSsXxZzbqdpnumwMW一二三十口日田中工王回")

    /// Letters that count, far more than a picture has, so that sums are far from overflow.
    static let counts = 0...1_000_000

    /// Returns the number of letters that a line in an unavailable script has, roughly: two for each height of the line.
    static func evidence(inLineWithoutText line: TextLine) -> Int {
        Int(clamping: 2 * line.box.width / max(line.box.height, 1), to: Self.counts)
    }

    /// Returns the number of letters and digits of a reading; 0 for an ambiguous one such as NOON or asterisks.
    static func evidence(in text: some StringProtocol) -> Int {
        let letters = text.filter { $0.isLetter || $0.isNumber }
        return letters.allSatisfy(self.ambiguous.contains) ? 0 : letters.count
    }

    /// Whether a reading is that of a line of a machine-readable zone upside down, whose fillers point to the left.
    ///
    /// Such lines are mostly fillers: of 60 names in drawn zones, 4 were read upside down at `fast` and 8 at `accurate` (accuracy
    /// log, *Machine-readable zones*).
    static func isTurnedZone(_ text: some StringProtocol, upright: some StringProtocol) -> Bool {
        text.hasPrefix(">>>>>") && upright.hasSuffix("<<<<<")
    }
}
