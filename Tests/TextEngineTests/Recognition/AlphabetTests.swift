import Testing

@testable import TextEngine

@Suite struct AlphabetTests {
    @Test func theBlankComesFirstAndTheSpaceLast() {
        let alphabet = Alphabet(list: "a\nb\nß")
        #expect(alphabet.characters == ["", "a", "b", "ß", " "])
        #expect(alphabet.count == 5)
        #expect((0..<5).map(alphabet.isSpace) == [false, false, false, false, true])
        #expect(alphabet.characters[Alphabet.blank].isEmpty)
    }

    @Test func theIdeographicSpaceIsASpace() {
        let alphabet = Alphabet(list: "漢\n\u{3000}\n字")
        #expect((0..<5).map(alphabet.isSpace) == [false, false, true, false, true])
        #expect(alphabet.characters[2] == " ")
    }

    @Test func aNewlineAtTheEndIsNoCharacter() {
        #expect(Alphabet(list: "a\nb\n").count == 4)
        #expect(Alphabet(list: "").characters == ["", " "])
    }

    @Test func marksThatCombineStandOnTheirOwnLine() {
        #expect(Alphabet(list: "a\n\u{301}\n\u{200D}\n🇩\n🇪").count == 7)
    }
}
