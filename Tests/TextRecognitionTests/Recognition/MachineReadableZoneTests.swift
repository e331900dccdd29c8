import GlyphwireProtocol
import TextModel
import Testing

@testable import TextRecognition

/// The zones are the specimens of ICAO Doc 9303, parts 4 to 6, of the imaginary Utopia.
@Suite struct MachineReadableZoneTests {
    private static let passport = [
        "P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<",
        "L898902C36UTO7408122F1204159ZE184226B<<<<<10",
    ]
    private static let card = ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"]
    private static let smallCard = [
        "I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<",
    ]

    /// Lines of one word each.
    private static func lines(_ texts: [String]) -> [TextLine] {
        let box = Quad(x: 0, y: 0, width: 10, height: 10)
        return texts.map { text in
            let characters = text.map { TextCharacter(text: String($0), confidence: 1, box: box) }
            let word = TextWord(text: text, confidence: 1, box: box, characters: characters)
            return TextLine(text: text, confidence: 1, box: box, words: [word])
        }
    }

    private static func corrected(_ texts: [String]) -> [String] {
        MachineReadableZone.corrected(Self.lines(texts)).map(\.text)
    }

    @Test(arguments: [Self.passport, Self.card, Self.smallCard])
    func aZoneThatIsReadRightlyStays(zone: [String]) {
        #expect(Self.corrected(zone) == zone)
        #expect(Self.corrected(["PASSPORT"] + zone + ["Utopia"]) == ["PASSPORT"] + zone + ["Utopia"])
    }

    @Test(arguments: [Self.passport, Self.card, Self.smallCard])
    func lettersAndDigitsStandWhereTheFormatHasThem(zone: [String]) {
        let read = zone.map {
            $0.replacing("UTO", with: "UT0").replacing("SS", with: "5S").replacing("1204", with: "I2O4")
        }
        #expect(Self.corrected(read) == zone)
    }

    @Test func aCheckDigitDecidesAboutALookAlikeInANumber() {
        let read = Self.passport.map { $0.replacing("L898902C3", with: "L8989O2C3") }
        #expect(Self.corrected(read) == Self.passport)
    }

    @Test func charactersThatNoZoneHasAreThoseThatTheyLookLike() {
        let read = Self.passport.map { $0.replacing("UTO", with: "∪T〇").replacing("<<<<<<<<<", with: "<<<Λ<<く<<") }
        #expect(Self.corrected(read) == Self.passport)
    }

    @Test func wordsAndCharactersChangeWithTheirLine() {
        let read = Self.passport.map { $0.replacing("UTO", with: "UT0") }
        let line = MachineReadableZone.corrected(Self.lines(read))[1]
        #expect(line.words.map(\.text) == [Self.passport[1]])
        #expect(line.words[0].characters.map(\.text).joined() == Self.passport[1])
    }

    /// A wrong check digit of each field, a number with two look-alikes in doubt, and a line too short.
    @Test(
        arguments: [
            ("L898902C36", "L898902C37"), ("7408122", "7408123"), ("1204159", "1204158"), ("L898902C3", "L8989O2CB"),
            ("<<<<<10", "<<<<10"),
        ]
    )
    func whatCheckDigitsDoNotProveStays(text: String, other: String) {
        let read = Self.passport.map { $0.replacing("UTO", with: "UT0").replacing(text, with: other) }
        #expect(Self.corrected(read) == read)
    }

    @Test func onlyNamesBesideAZoneAreCorrected() {
        #expect(Self.corrected([Self.passport[0].replacing("O", with: "0")]).first?.contains("O") == false)
        let read = ["TOTAL 100 PIECES, 20 OF THEM FOR THE 1ST MAN", Self.passport[1]]
        #expect(read[0].count == 44)
        #expect(Self.corrected(read) == read)
    }
}
