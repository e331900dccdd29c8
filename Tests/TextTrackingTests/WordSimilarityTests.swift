import Testing

@testable import TextTracking

@Suite struct WordSimilarityTests {
    @Test(arguments: [
        ("WAY", "IAY"), ("CETSIM", "CATSI"), ("Häagen·Dans", "HäagenDas"),
    ])
    func readingsThatDifferByAFewLettersAreSimilar(a: String, b: String) {
        #expect(WordSimilarity(a, b) == .similar)
        #expect(WordSimilarity(b, a) == .similar)
    }

    @Test(arguments: [("SALE", "LE"), ("einJeans", "Jeans"), ("出口A", "出口")])
    func aTruncatedReadingIsASectionOfTheOther(a: String, b: String) {
        #expect(WordSimilarity(a, b) == .section)
        #expect(WordSimilarity(b, a) == .section)
        #expect(WordSimilarity.section > .similar)
    }

    @Test(arguments: [
        ("ON", "OFF"), ("A", "B"), ("IN", "ON"), ("A", ""), ("12:03", "12:04"), ("Gate7", "Gate17"), ("SALE", "E"),
        ("NORTH", "SOUTH"),
    ])
    func otherWordsAndOtherNumbersAreDifferent(a: String, b: String) {
        #expect(WordSimilarity(a, b) == .different)
        #expect(WordSimilarity(b, a) == .different)
    }

    @Test func equalReadingsAreIdentical() {
        #expect(WordSimilarity("", "") == .identical)
        #expect(WordSimilarity("SALE", "SALE") > WordSimilarity("SALE", "SALE!"))
        #expect(WordSimilarity("SALE", "SALE!") > WordSimilarity("SALE", "exit"))
    }
}
