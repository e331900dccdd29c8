import Testing

@testable import TextFormats

/// Order of characters from left to right, by the examples of UAX #9 and by lines as they are read.
@Suite struct BidirectionalLineTests {
    /// The words of a line as a page shows them from left to right.
    private func fromLeft(_ line: String, runsLeft: Bool) -> [String] {
        let words = line.split(separator: " ").map(String.init)
        return BidirectionalLine(words: words, runsLeft: runsLeft).wordsFromLeft.map { String($0) }
    }

    @Test(arguments: [
        // Letters run left, and take their points with them.
        ("שלום", ["םולש"]), ("שָׁל", ["לשָׁ"]),
        // Numbers of any digits run right, with the signs in and at them.
        ("עם 2024", ["םע", "2024"]), ("ב-1/2/2024", ["1/2/2024-ב"]), ("-5", ["5-"]), ("12.5%", ["12.5%"]),
        ("$1,234.56", ["$1,234.56"]), ("12:30-13:45", ["12:30-13:45"]), ("1,a", ["a,1"]), ("٢٠٢٤", ["٢٠٢٤"]),
        ("۱۲۳٫۴", ["۱۲۳٫۴"]), ("٥٫٥", ["٥٫٥"]),
        // Behind Arabic letters, a percent sign is no part of a number.
        ("عام 12.5%", ["ماع", "%12.5"]), ("עם 12.5%", ["םע", "12.5%"]),
        // Letters of other scripts run right, and what is between both takes the direction of the line.
        ("Shalom", ["Shalom"]), ("A4-דף", ["ףד-A4"]), ("ABC.", [".ABC"]), ("(כולל)", [")ללוכ("]), ("v2.0", ["v2.0"]),
        // A sign between words of Latin letters is theirs.
        ("AT&T, Inc", ["AT&T,", "Inc"]),
    ])
    func wordsOfALineThatRunsLeft(line: String, words: [String]) {
        #expect(self.fromLeft(line, runsLeft: true) == words)
    }

    @Test(arguments: [
        ("Pier 5, 12.5%", ["Pier", "5,", "12.5%"]), ("Tel תל-אביב 5", ["Tel", "ביבא-לת", "5"]), ("אב12", ["12בא"]),
        ("東京 へ", ["東京", "へ"]), ("", []),
    ])
    func wordsOfALineThatRunsRight(line: String, words: [String]) {
        #expect(self.fromLeft(line, runsLeft: false) == words)
    }

    @Test func aWordOfNothingHasNoCharacters() {
        let words = BidirectionalLine(words: ["", "אב", ""], runsLeft: true).wordsFromLeft
        #expect(words == [[], ["ב", "א"], []])
    }
}
