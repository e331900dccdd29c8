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

    @Test func theLatestWordsAreRememberedAndNoMore() {
        var words = ReidentificationBuffer()
        for frame in 0..<10 { words.report(Self.words(UInt64(frame * 100)..<UInt64(frame * 100 + 100)), at: .zero) }
        words.report([], at: .zero)
        let ids = words.source(without: [], at: .zero).words.map(\.id)
        #expect(ids == Array(UInt64(1000 - ReidentificationBuffer.most)..<1000))
        #expect(words.source(without: Set(ids.dropFirst()), at: .zero).words.map(\.id) == [ids[0]])
        #expect(words.source(without: [], at: .seconds(11)).words.isEmpty)
    }
}
