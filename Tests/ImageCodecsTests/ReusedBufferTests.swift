import Testing

@testable import ImageCodecs

@Suite("Reused buffer")
struct ReusedBufferTests {
    @Test("stays where it is for frames that fit, and is aligned")
    func isReused() {
        var buffer = ReusedBuffer()
        let first = buffer.reserve(10_000).baseAddress
        for byteCount in [10_000, 5_000, 1, 9_999] {
            let memory = buffer.reserve(byteCount)
            #expect(memory.baseAddress == first)
            #expect(memory.count == byteCount)
        }
        #expect(UInt(bitPattern: first) % UInt(ReusedBuffer.alignment) == 0)
        #expect(buffer.byteCount == 10_000)
    }

    @Test("grows to what is needed")
    func grows() {
        var buffer = ReusedBuffer()
        _ = buffer.reserve(100)
        _ = buffer.reserve(70_000)
        #expect(buffer.byteCount == 70_000)
    }

    @Test("shrinks once many frames in a row were much smaller, to the largest of them")
    func shrinks() {
        var buffer = ReusedBuffer()
        _ = buffer.reserve(1_000_000)
        for use in 0..<2 * ReusedBuffer.reviewInterval { _ = buffer.reserve(use % 2 == 0 ? 1000 : 2000) }
        #expect(buffer.byteCount == 2000)
    }

    @Test("does not shrink while large frames come now and then")
    func keepsWhatIsNeeded() {
        var buffer = ReusedBuffer()
        for use in 0..<10 * ReusedBuffer.reviewInterval { _ = buffer.reserve(use % 100 == 0 ? 1_000_000 : 1000) }
        #expect(buffer.byteCount == 1_000_000)
    }
}
