import Testing

@testable import TextTracking

@Suite struct WordSimilarityTests {
    @Test(arguments: [
        ("WAY", "IAY"), ("CETSIM", "CATSI"), ("SALE", "LE"), ("einJeans", "Jeans"), ("Häagen·Dans", "HäagenDas"),
        ("出口A", "出口"),
    ])
    func readingsThatDifferByAFewLettersOrATruncationAreSimilar(a: String, b: String) {
        #expect(WordSimilarity(a, b) == .similar)
        #expect(WordSimilarity(b, a) == .similar)
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
