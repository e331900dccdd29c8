import Testing

@testable import TextTracking

@Suite struct WordLikenessTests {
    @Test(arguments: [
        ("WAY", "IAY"), ("CETSIM", "CATSI"), ("SALE", "LE"), ("einJeans", "Jeans"), ("Häagen·Dans", "HäagenDas"),
        ("出口A", "出口"),
    ])
    func aFewLettersAndWhatAnEdgeCutsOffMakeNoOtherWord(a: String, b: String) {
        #expect(WordLikeness(a, b) == .alike)
        #expect(WordLikeness(b, a) == .alike)
    }

    @Test(arguments: [
        ("ON", "OFF"), ("A", "B"), ("IN", "ON"), ("A", ""), ("12:03", "12:04"), ("Gate7", "Gate17"), ("SALE", "E"),
        ("NORTH", "SOUTH"),
    ])
    func otherWordsAndOtherNumbersAreTold(a: String, b: String) {
        #expect(WordLikeness(a, b) == .other)
        #expect(WordLikeness(b, a) == .other)
    }

    @Test func wordsThatSayTheSameAgreeMost() {
        #expect(WordLikeness("", "") == .same)
        #expect(WordLikeness("SALE", "SALE") > WordLikeness("SALE", "SALE!"))
        #expect(WordLikeness("SALE", "SALE!") > WordLikeness("SALE", "exit"))
    }
}
