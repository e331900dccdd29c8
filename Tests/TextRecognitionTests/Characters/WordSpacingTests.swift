import Testing

@testable import TextRecognition

@Suite struct WordSpacingTests {
    private static let alphabet = Alphabet(list: "a\nc\ne\nn\no\ns\nA\nC\nE\nN\nO\nS\n7\nm\ni\nh\nP\n.")

    /// Splits letters that are 20 high and 2 apart, of which one stands further from the one before it.
    ///
    /// - Parameters:
    ///   - text: The letters; at most one is narrow, so the line is not monospaced.
    ///   - place: The index of the letter that stands further off.
    ///   - gap: Its distance.
    ///   - odds: The recognizer's log-odds of a space there.
    ///   - words: The words of the dictionary.
    ///   - customWords: The words that are expected.
    private static func words(
        _ text: String,
        at place: Int,
        gap: Float,
        odds: Float,
        _ words: [String],
        customWords: [String] = []
    ) -> [String] {
        var right: Float = 0
        let characters = text.enumerated().map { index, letter in
            let left = right + (index == place ? gap : 2)
            right = left + 10
            return LocatedCharacter(
                recognized: CTCCharacter(
                    label: Self.alphabet.label(of: String(letter)) ?? 0,
                    confidence: 1,
                    centre: left + 5
                ),
                box: BoundingBox(left, right, y0: 10, y1: 30),
                spaceLogOdds: index == place ? odds : -12
            )
        }
        var line = LineCharacters(characters)
        line.split(
            Self.alphabet,
            WordDictionary(WordFilter(of: words), in: Self.alphabet),
            expected: Lexicon(customWords, in: Self.alphabet, allowed: nil),
            rules: []
        )
        return line.words.map { range in range.map { line.text(of: $0, Self.alphabet) }.joined() }
    }

    @Test func aWordStaysWholeAtAnUnevenGap() {
        func words(_ text: String, _ words: [String]) -> [String] {
            Self.words(text, at: 3, gap: 5, odds: 0.5, words)
        }
        #expect(words("season", []) == ["sea", "son"])
        #expect(words("season", ["season"]) == ["season"])
        #expect(words("SEASON", ["season"]) == ["SEASON"])
        #expect(words("seAsON", ["season"]) == ["seA", "sON"])
        #expect(words("season", ["sea", "son"]) == ["sea", "son"])
    }

    @Test func aClearSpaceStaysInsideAWord() {
        #expect(Self.words("season", at: 3, gap: 5, odds: 4, ["season"]) == ["sea", "son"])
        #expect(Self.words("season", at: 3, gap: 9, odds: 0.5, ["season"]) == ["sea", "son"])
    }

    @Test func wordsArePartedWhereAGapIsSeen() {
        func words(_ words: [String]) -> [String] { Self.words("seasoncanoe", at: 6, gap: 6, odds: -2, words) }
        #expect(words([]) == ["seasoncanoe"])
        #expect(words(["season", "canoe"]) == ["season", "canoe"])
        #expect(words(["seasoncanoe"]) == ["seasoncanoe"])
    }

    /// Compound words are no spaces: neither the gap alone nor the recognizer's doubt.
    @Test(arguments: [(4, -0.5), (12, -5)] as [(Float, Float)])
    func wordsStayOneWithoutASpaceToSee(gap: Float, odds: Float) {
        let words = ["season", "canoe"]
        #expect(Self.words("seasoncanoe", at: 6, gap: gap, odds: odds, words) == ["seasoncanoe"])
    }

    @Test(arguments: ["seasoncanoe", "SEASONCANOE", "SeasonCanoe"])
    func anExpectedWordIsNeverParted(text: String) {
        for (gap, odds) in [(6, -2), (5, 1)] as [(Float, Float)] {
            let words = ["season", "canoe"]
            let read = Self.words(text, at: 6, gap: gap, odds: odds, words, customWords: ["SeasonCanoe"])
            #expect(read == [text])
        }
    }

    @Test func aShortExpectedWordPartsNoOther() {
        #expect(Self.words("season", at: 3, gap: 6, odds: -2, ["season"], customWords: ["son"]) == ["season"])
    }

    @Test(arguments: [("seasoncanoe7", 6), ("seasoncanoe.com", 6), ("iPhone", 1)])
    func codesAndAddressesAreNotParted(text: String, place: Int) {
        let words = ["season", "canoe", "com", "phone"]
        #expect(Self.words(text, at: place, gap: 6, odds: -2, words) == [text])
    }

    @Test func aCodeIsSplitAsItsGapsAre() {
        #expect(Self.words("season7", at: 3, gap: 5, odds: 0.5, ["season"]) == ["sea", "son7"])
    }

    @Test func aFullStopMakesNoAddress() {
        let words = Self.words("seasoncanoe.", at: 6, gap: 6, odds: -2, ["season", "canoe"])
        #expect(words == ["season", "canoe."])
    }

    @Test func wordsArePartedFromWordsAlone() {
        #expect(Self.words("seasonace", at: 6, gap: 6, odds: -2, ["season"]) == ["seasonace"])
    }

    @Test func whatIsNoLetterIsLeft() {
        #expect(Self.words("sea7season", at: 4, gap: 6, odds: -2, ["sea", "season"]) == ["sea7season"])
    }

    @Test func charactersInOnePlaceShowNoGrid() {
        let places = (0..<9).map { Float($0) * 1e-30 } + [40]
        let pitch = CharacterPitch(places.map { BoundingBox(x0: $0, y0: 10, x1: $0, y1: 30) })
        #expect(pitch?.isAdjacent(9) != true)
    }
}
