import Testing

@testable import TextRecognition

@Suite struct AdvanceWidthTests {
    @Test func widthsOrderLettersAsTypefacesDo() {
        let ascending = ["i", "t", "n", "H", "m", "漢"].map(AdvanceWidth.relative)
        #expect(ascending == ascending.sorted())
        #expect(Set(ascending).count == ascending.count)
    }

    @Test func everyStringHasAWidth() {
        for text in ["", "é", "ß", "1", "9", "—", "🙂", "の"] { #expect(AdvanceWidth.relative(text) > 0) }
    }
}
