import Testing

@testable import GlyphwireHTTP

@Suite struct WaitingFramesTests {
    /// The frames in order.
    private func all(of frames: WaitingFrames<String>) -> [String] {
        var rest = frames
        var all: [String] = []
        while let frame = rest.popFirst() { all.append(frame) }
        #expect(rest.isEmpty)
        return all
    }

    @Test func aNewFrameTakesThePlaceOfTheLastOfItsStream() {
        var frames = WaitingFrames<String>(maxBytes: 10)
        frames.add("a1", byteCount: 9, of: 1)
        frames.add("b1", byteCount: 1, of: 2)
        frames.add("a2", byteCount: 4, of: 1)
        #expect(self.all(of: frames) == ["a2", "b1"])
    }

    @Test func thoseThatHaveWaitedLongestAreDroppedBeyondTheCount() {
        var frames = WaitingFrames<String>(maxCount: 2, maxBytes: 10)
        for (stream, frame) in ["a", "b", "c"].enumerated() { frames.add(frame, byteCount: 1, of: UInt64(stream)) }
        #expect(self.all(of: frames) == ["b", "c"])
    }

    @Test func thoseThatHaveWaitedLongestAreDroppedBeyondTheBytes() {
        var frames = WaitingFrames<String>(maxBytes: 10)
        for (stream, frame) in ["a", "b", "c"].enumerated() { frames.add(frame, byteCount: 4, of: UInt64(stream)) }
        #expect(self.all(of: frames) == ["b", "c"])
        frames.add("b2", byteCount: 7, of: 1)
        #expect(self.all(of: frames) == ["b2"])
    }

    @Test func theNewestFrameStaysHoweverLargeItIs() {
        var frames = WaitingFrames<String>(maxBytes: 10)
        frames.add("a", byteCount: 1, of: 1)
        frames.add("b", byteCount: 11, of: 2)
        #expect(self.all(of: frames) == ["b"])
    }

    @Test func framesOfOtherStreamsAreRemoved() {
        var frames = WaitingFrames<String>(maxBytes: 10)
        for (stream, frame) in ["a", "b", "c"].enumerated() { frames.add(frame, byteCount: 3, of: UInt64(stream)) }
        frames.removeAll(except: [1, 7])
        let removed = frames.remove(0)
        #expect(removed == nil)
        // Their bytes are free again.
        frames.add("d", byteCount: 7, of: 3)
        #expect(self.all(of: frames) == ["b", "d"])
        frames.removeAll()
        #expect(frames.isEmpty)
    }
}
