import Testing

@testable import TextRecognition

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

    @Test func theOthersFollowTheCommonOnesAndTheSpace() {
        let alphabet = Alphabet(list: "a\n（\n\n漢\nの\n")
        #expect(alphabet.characters == ["", "a", "（", " ", "漢", "の"])
        #expect(alphabet.commonCount == 4 && alphabet.count == 6)
        #expect(alphabet.space == 3 && alphabet.isSpace(3))
        #expect(alphabet.label(of: "漢") == 4)
        #expect([4, 6, 5].map(alphabet.matches(classCount:)) == [true, true, false])
    }

    @Test func allClassesAreCommonWhereNoOthersFollow() {
        let alphabet = Alphabet(list: "漢\na")
        #expect(alphabet.commonCount == alphabet.count && alphabet.space == 3)
    }

    @Test func variantsOfALetterHaveItsCase() {
        let alphabet = Alphabet(characters: ["A", "Ä", "a", "å", "Ø", "Õ", "0", "Á", "国"])
        // There is no O without accents.
        let variants = [[2, 8], [1, 8], [4], [3], [], [], [], [1, 2], []]
        #expect((1...9).map { alphabet.variants(of: $0) } == variants)
    }
}
