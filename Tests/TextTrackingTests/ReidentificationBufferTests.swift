import GlyphwireProtocol
import TextModel
import TextRecognition
import Testing

@testable import TextTracking

@Suite struct ReidentificationBufferTests {
    private static func words(_ ids: Range<UInt64>) -> [TextWord] {
        ids.map { id in
            var word = TextWord("A", 0..<40)
            word.id = id
            return word
        }
    }

    @Test func theBufferKeepsTheLatestLostWords() {
        var buffer = ReidentificationBuffer()
        for frame in 0..<10 { buffer.record(Self.words(UInt64(frame * 100)..<UInt64(frame * 100 + 100)), at: .zero) }
        buffer.record([], at: .zero)
        func ids(excluding known: Set<UInt64> = [], at time: Duration = .zero) -> [UInt64] {
            buffer.candidates(excluding: known, at: time)[0].words.map(\.id)
        }
        #expect(ids() == Array(UInt64(1000 - ReidentificationBuffer.capacity)..<1000))
        #expect(ids(excluding: Set(ids().dropFirst())) == [ids()[0]])
        #expect(ids(at: .seconds(11)).isEmpty)
    }

    @Test func aWordOfTheLastFrameThatHasNoTrackNowIsACandidate() {
        var buffer = ReidentificationBuffer()
        buffer.record(Self.words(1..<3), at: .zero)
        #expect(buffer.candidates(excluding: [2], at: .zero)[0].words.map(\.id) == [1])
    }

    @Test func aLostWordIsExpectedWhereTheSceneMovedAndWhereItStood() {
        var buffer = ReidentificationBuffer()
        buffer.record(Self.words(1..<2), at: .zero)
        buffer.record([], at: .zero)
        for _ in 0..<2 { buffer.move(by: Affine(x: 30, y: 0)) }
        let candidates = buffer.candidates(excluding: [], at: .zero)
        #expect(candidates.map { $0.words.map(\.word.box.topLeft.x) } == [[60], [0]])
    }

    @Test func aWordThatWasReadAsAnotherForAMomentIsExpectedAsBoth() {
        var buffer = ReidentificationBuffer()
        let word = Self.words(1..<2)
        var joined = word
        joined[0].text = "AB"
        for words in [word, joined, word, joined, []] { buffer.record(words, at: .zero) }
        #expect(buffer.candidates(excluding: [], at: .zero)[0].words.map(\.word.text) == ["A", "AB"])
    }

    @Test func readingsOfAWordThatStaysDoNotPushOutWordsThatWent() {
        var buffer = ReidentificationBuffer()
        buffer.record(Self.words(1..<257), at: .zero)
        for step in 0..<400 {
            var ticker = Self.words(999..<1000)
            ticker[0].text = "B\(step)"
            buffer.record(ticker, at: .zero)
        }
        let ids = buffer.candidates(excluding: [999], at: .zero)[0].words.map(\.id)
        #expect(Set(ids) == Set(1..<257))
        #expect(buffer.candidates(excluding: [], at: .zero)[0].words.count { $0.id == 999 } == 3)
    }

    @Test func twoReadingsOfAWordGiveItsIDOnce() {
        func word(_ text: String, _ columns: Range<Int>, id: UInt64? = nil) -> TextWord {
            var word = TextWord(text, columns)
            word.id = id
            return word
        }
        var buffer = ReidentificationBuffer()
        for words in [[word("HELLOWORLD", 0..<100, id: 5)], [word("HELLO", 0..<50, id: 5)], []] {
            buffer.record(words, at: .zero)
        }
        let candidates = buffer.candidates(excluding: [], at: .zero)[0]
        #expect(Set(candidates.words.map(\.word.text)) == ["HELLO", "HELLOWORLD"])
        let ids = WordIDs.inherited(
            by: [word("HELLO", 0..<50), word("WORLD", 50..<100)],
            from: candidates.words,
            minSimilarity: candidates.minSimilarity
        )
        #expect(ids == [5, WordIDs.none])
    }
}
