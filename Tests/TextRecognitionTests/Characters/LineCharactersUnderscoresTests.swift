import Testing

@testable import TextRecognition

@Suite struct LineCharactersUnderscoresTests {
    private static let alphabet = Alphabet(list: "n\n_\n-")
    private static let baseline: Float = 40

    /// A letter 14 wide, or a dash, in a line whose capitals are 28 high.
    private static func character(_ text: String, x: Float, y: ClosedRange<Float>) throws -> LocatedCharacter {
        LocatedCharacter(
            recognized: CTCCharacter(label: try #require(Self.alphabet.label(of: text)), confidence: 1, centre: x + 7),
            box: BoundingBox(x0: x, y0: y.lowerBound, x1: x + 14, y1: y.upperBound),
            spaceLogOdds: 0
        )
    }

    private static func bar(_ x: ClosedRange<Float>, y: Float = 43) -> BoundingBox {
        BoundingBox(x0: x.lowerBound, y0: y, x1: x.upperBound, y1: y + 3)
    }

    /// The text of `dash` and two letters behind it, after the bars are counted.
    private static func text(_ dash: String, bars: [BoundingBox], dashY: ClosedRange<Float> = 43...46) throws -> String
    {
        var line = LineCharacters(
            try [
                Self.character(dash, x: 10, y: dashY), Self.character("n", x: 60, y: 20...Self.baseline),
                Self.character("n", x: 80, y: 20...Self.baseline),
            ]
        )
        line.readUnderscores(Self.alphabet, bars: bars)
        return line.characters.indices.map { line.text(of: $0, Self.alphabet) }.joined()
    }

    @Test func twoBarsAreTwoUnderscores() throws {
        #expect(try Self.text("_", bars: [Self.bar(10...31), Self.bar(34...55)]) == "__nn")
    }

    @Test func aBarTwiceAsLongIsTwoUnderscores() throws {
        #expect(try Self.text("_", bars: [Self.bar(10...53)]) == "__nn")
    }

    @Test func theEdgesOfAThickBarAreOneUnderscore() throws {
        #expect(try Self.text("_", bars: [Self.bar(10...31), Self.bar(11...30, y: 46)]) == "_nn")
    }

    @Test func aBarBelowLettersIsAnUnderline() throws {
        #expect(try Self.text("_", bars: [Self.bar(10...94)]) == "_nn")
    }

    @Test func aHyphenStaysOne() throws {
        #expect(try Self.text("-", bars: [Self.bar(10...31, y: 30)], dashY: 30...33) == "-nn")
    }
}
