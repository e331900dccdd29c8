/// How much a text says of which way up it stands.
enum OrientationCue {
    /// Letters and figures that upside down look like themselves or like another.
    private static let bothWays = Set("0Oo1Il689HNSsXxZzbqdpnumwMW一二三十口日田中工王回")

    /// The letters and figures of a line that was read; 0 where it could have been read as well upside down, as a row of
    /// asterisks or NOON.
    static func evidence(in text: some StringProtocol) -> Int {
        let letters = text.filter { $0.isLetter || $0.isNumber }
        return letters.allSatisfy(self.bothWays.contains) ? 0 : letters.count
    }
}
