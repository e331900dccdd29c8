import Testing

@testable import TextRecognition

@Suite struct LineCharactersSignsTests {
    private static let alphabet = Alphabet(list: "a\nb\n5\n窗\n中\n√\n✓\n•")

    /// A line of characters in words with equal confidence, except the named ones.
    private static func parts(_ text: String, _ confidences: [Character: Float] = [:]) throws -> LineCharacters {
        let words = text.split(separator: " ")
        let characters = words.joined()
        var parts = LineCharacters(
            try characters.map { character in
                LocatedCharacter(
                    recognized: CTCCharacter(
                        label: try #require(Self.alphabet.label(of: String(character))),
                        confidence: confidences[character] ?? 1,
                        centre: 0
                    ),
                    box: BoundingBox(x0: 0, y0: 0, x1: 1, y1: 1),
                    spaceLogOdds: 0
                )
            }
        )
        parts.words = words.map(\.count).reduce(into: []) { ranges, count in
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<start + count)
        }
        return parts
    }

    @Test(arguments: [("b aa aa", 0.6, [0]), ("aa aa b", 0.6, [4]), ("b aa aa", 0.9, []), ("bb aa", 0.5, [])])
    func anUnsureLetterBesideWordsIsAnUnknownSign(text: String, confidence: Float, unknown: [Int]) throws {
        #expect(try Self.parts(text, ["b": confidence]).unknownSigns(Self.alphabet) == unknown)
    }

    @Test func aLetterThatIsOneOfTwoForSureIsNoSign() throws {
        var parts = try Self.parts("aa aa b", ["b": 0.5])
        let five = try #require(Self.alphabet.label(of: "5"))
        parts.recognized[4].alternatives = [CTCCharacter.Alternative(label: five, logRatio: -0.5)]
        #expect(parts.unknownSigns(Self.alphabet).isEmpty)
    }

    @Test(arguments: ["b", "b 5", "5 b 5 b", "• aa"])
    func lettersAmongTheirLikeAndMarksAreNot(text: String) throws {
        #expect(try Self.parts(text, ["b": 0.6, "•": 0.5]).unknownSigns(Self.alphabet).isEmpty)
    }

    @Test func anIdeographAmongLettersMustBeSurer() throws {
        #expect(try Self.parts("窗 aa", ["窗": 0.9]).unknownSigns(Self.alphabet) == [0])
        #expect(try Self.parts("窗 中中", ["窗": 0.9]).unknownSigns(Self.alphabet).isEmpty)
        #expect(try Self.parts("窗 aa", ["窗": 0.99]).unknownSigns(Self.alphabet).isEmpty)
    }

    @Test func aRadicalSignByItselfIsACheckMark() throws {
        var parts = try Self.parts("√ aa √5")
        parts.readCheckMarks(Self.alphabet)
        #expect(parts.characters.indices.map { parts.text(of: $0, Self.alphabet) }.joined() == "✓aa√5")
    }
}
