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

    private static func corrected(_ texts: [String], options: ReadingOptions = ReadingOptions()) -> [String] {
        MachineReadableZone.corrected(Self.lines(texts), options: options).map(\.text)
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

    @Test func charactersThatNoZoneHasAreThoseThatTheyLookLike() {
        let read = Self.passport.map { $0.replacing("UTO", with: "∪T〇").replacing("<<<<<<<<<", with: "<<<Λ<<く<<") }
        #expect(Self.corrected(read) == Self.passport)
    }

    @Test func wordsAndCharactersChangeWithTheirLine() {
        let read = Self.passport.map { $0.replacing("UTO", with: "UT0") }
        let line = MachineReadableZone.corrected(Self.lines(read), options: ReadingOptions())[1]
        #expect(line.words.map(\.text) == [Self.passport[1]])
        #expect(line.words[0].characters.map(\.text).joined() == Self.passport[1])
    }

    @Test func aCandidateThatIsTheCorrectedLineIsNotReportedTwice() {
        var lines = Self.lines(Self.passport.map { $0.replacing("UTO", with: "UT0") })
        let others = [Self.passport[1], Self.passport[1].replacing("UTO", with: "UTQ")]
        lines[1].candidates = ([lines[1].text] + others).map { TextCandidate(text: $0, confidence: 1) }
        let corrected = MachineReadableZone.corrected(lines, options: ReadingOptions())
        #expect(corrected[1].candidates.map(\.text) == others)
    }

    @Test func linesStayWhereTheClientWantsThemAsTheyAreRead() {
        let read = Self.passport.map { $0.replacing("UTO", with: "UT0") }
        #expect(Self.corrected(read) == Self.passport)
        #expect(Self.corrected(read, options: ReadingOptions(languageCorrection: false)) == read)
        let allowed = ReadingOptions(allowedCharacters: AllowedCharacters("A-Z0-9<"))
        #expect(allowed.allowedCharacters != nil)
        #expect(Self.corrected(read, options: allowed) == read)
    }

    /// A wrong check digit of each field, misread numbers that one look-alike would make right, and a line too short.
    @Test(
        arguments: [
            (Self.passport, "L898902C36", "L898902C37"), (Self.passport, "7408122", "7408123"),
            (Self.passport, "1204159", "1204158"), (Self.passport, "L898902C3", "L8989O2C3"),
            (Self.passport, "L898902C36", "L898902C35"), (Self.card, "D231458907", "D231458900"),
            (Self.passport, "<<<<<10", "<<<<10"),
        ]
    )
    func whatCheckDigitsDoNotProveStays(zone: [String], text: String, other: String) {
        let read = zone.map { $0.replacing("UTO", with: "UT0").replacing(text, with: other) }
        #expect(Self.corrected(read) == read)
    }

    @Test func onlyNamesBesideAZoneAreCorrected() {
        #expect(Self.corrected([Self.passport[0].replacing("O", with: "0")]).first?.contains("O") == false)
        let read = ["TOTAL 100 PIECES, 20 OF THEM FOR THE 1ST MAN", Self.passport[1]]
        #expect(read[0].count == 44)
        #expect(Self.corrected(read) == read)
    }

    /// Lines beside a zone: of another code, without two fillers between names, and with a letter that no zone has.
    @Test(
        arguments: [
            "X<UT0ERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "P<UT0ERIKSSON<ANNA<MARIA<OF<THE<LONG<NAMES<0",
            "P<UT0ERIKßON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<<",
        ]
    )
    func linesThatAreNoNamesOfADocumentStay(line: String) {
        #expect(line.count == 44)
        #expect(Self.corrected([line, Self.passport[1]]) == [line, Self.passport[1]])
    }
}
