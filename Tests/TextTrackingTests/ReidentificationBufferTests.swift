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
        let ids = buffer.candidates(excluding: [], at: .zero).words.map(\.id)
        #expect(ids == Array(UInt64(1000 - ReidentificationBuffer.capacity)..<1000))
        #expect(buffer.candidates(excluding: Set(ids.dropFirst()), at: .zero).words.map(\.id) == [ids[0]])
        #expect(buffer.candidates(excluding: [], at: .seconds(11)).words.isEmpty)
    }

    @Test func aWordOfTheLastFrameThatHasNoTrackNowIsACandidate() {
        var buffer = ReidentificationBuffer()
        buffer.record(Self.words(1..<3), at: .zero)
        #expect(buffer.candidates(excluding: [2], at: .zero).words.map(\.id) == [1])
    }
}
