import ImageCodecs
import TextModel
import Testing

@testable import TextRecognition

/// Readings of scripts that the networks do not read, with words that they do.
@Suite struct ScriptReadingTests {
    /// A word of which each character takes ten columns.
    private static func word(_ text: String, from left: Float, confidence: Float) -> ScriptReading.Word {
        ScriptReading.Word(
            characters: text.enumerated().map { index, character in
                let start = left + 10 * Float(index)
                return ScriptReading.Character(
                    text: String(character),
                    confidence: confidence,
                    columns: start..<start + 10
                )
            },
            confidence: confidence
        )
    }

    /// What the networks read, a character every ten columns.
    private static func letters(_ text: String, from left: Float, confidence: Float = 0.95) -> [LocatedLetter] {
        text.enumerated().map { index, character in
            LocatedLetter(text: String(character), confidence: confidence, centre: left + 10 * Float(index) + 5)
        }
    }

    @Test func anUnsureWordIsTheNameThatTheNetworksRead() {
        let reading = ScriptReading(words: [
            Self.word("через", from: 0, confidence: 0.95), Self.word("УбЬег", from: 60, confidence: 0.3),
        ])
        let named = reading.withNames(of: Self.letters("чepe3", from: 0) + Self.letters("Viber", from: 60))
        #expect(named.words.map(\.text) == ["через", "Viber"])
        #expect(named.words[1].characters.map(\.columns) == [60..<70, 70..<80, 80..<90, 90..<100, 100..<110])
        #expect(abs(named.words[1].confidence - 0.95) < 1e-5)
    }

    @Test func aWordOfTheScriptStays() {
        var known = Self.word("нет", from: 0, confidence: 0.3)
        known.isInDictionary = true
        let words = [known, Self.word("где", from: 40, confidence: 0.8), Self.word("дом", from: 80, confidence: 0.3)]
        let letters =
            Self.letters("HeT", from: 0) + Self.letters("rge", from: 40) + Self.letters("12", from: 80)
            + Self.letters("a", from: 100, confidence: 0.5)
        #expect(ScriptReading(words: words).withNames(of: letters).words.map(\.text) == ["нет", "где", "дом"])
        let digits = Self.letters("120", from: 80)
        #expect(ScriptReading(words: [words[2]]).withNames(of: digits).words.map(\.text) == ["дом"])
    }

    @Test func wordsThatAreNeitherCertainNorKnownNorNumbersMayBeNames() {
        var known = Self.word("или", from: 200, confidence: 0.9)
        known.isInDictionary = true
        let reading = ScriptReading(words: [
            Self.word("Звонко", from: 0, confidence: 0.96), Self.word("іРпопе", from: 70, confidence: 0.9),
            Self.word("15", from: 140, confidence: 0.9), Self.word("Рго", from: 170, confidence: 0.9), known,
            Self.word("16", from: 240, confidence: 0.9),
        ])
        #expect(reading.possibleNames == [1..<4])
    }

    @Test func aWordHasTheColumnsBetweenTheGapsOfTheInk() {
        let reading = ScriptReading(words: [
            Self.word("дом", from: 0, confidence: 0.9), Self.word("баіаху", from: 40, confidence: 0.9),
            Self.word("где", from: 110, confidence: 0.9),
        ])
        func ink(_ columns: [Range<Float>]) -> [BoundingBox] {
            columns.map { BoundingBox(x0: $0.lowerBound, y0: 0, x1: $0.upperBound, y1: 48) }
        }
        // The reader is off by some columns.
        let pieces = ink([0..<9, 10..<19, 20..<29, 36..<95, 103..<109, 110..<140])
        #expect(reading.columns(of: 1..<2, in: pieces, width: 150) == 32.5..<99)
        #expect(reading.columns(of: 0..<3, in: pieces, width: 150) == 0..<150)
        #expect(reading.columns(of: 0..<1, in: [], width: 150) == 0..<35)
    }

    @Test(arguments: [Float(0), 30])
    func aPointIsInTheColumnWhereItIsRectified(angle: Float) {
        let quad = Quad(x: 20, y: 10, width: 96, height: 24).mapCorners {
            // Leaning.
            Point(x: $0.x, y: $0.y + $0.x * angle / 100)
        }
        let page = PrintedPage(width: 160, height: 100, [])
        let column = page.pixels.withPixels { view in
            LineCrop(quad, in: UprightFrame(view, orientation: .up), image: LineImage()).column(
                of: Point(x: 68, y: 22 + 68 * angle / 100)
            )
        }
        #expect(abs(column - Float(LineSize(quad).width) / 2) < 1)
    }
}
