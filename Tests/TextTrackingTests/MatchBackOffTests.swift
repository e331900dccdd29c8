import Testing

@testable import TextTracking

@Suite struct MatchBackOffTests {
    /// Frames of the next `count` in which the tracks are matched, of which a share is found again.
    private static func matched(_ backOff: inout MatchBackOff, count: Int, tracks: Int, found: Int = 0) -> [Int] {
        (0..<count).filter { _ in
            backOff.nextFrame()
            guard !backOff.skips(tracks) else { return false }
            backOff.record(matched: found, of: tracks)
            return true
        }
    }

    @Test func aPageThatIsLostTimeAndAgainIsMatchedEverMoreSeldom() {
        var backOff = MatchBackOff()
        #expect(Self.matched(&backOff, count: 36, tracks: 200) == [0, 1, 3, 6, 11, 20, 29])
    }

    @Test func aPageOfWhichSomeLinesAreFoundIsMatchedInEachFrame() {
        var backOff = MatchBackOff()
        #expect(Self.matched(&backOff, count: 8, tracks: 200, found: 20) == Array(0..<8))
    }

    @Test func aFewLinesAreMatchedInEachFrame() {
        var backOff = MatchBackOff()
        #expect(Self.matched(&backOff, count: 8, tracks: 10) == Array(0..<8))
    }

    @Test func aPageThatIsFoundAgainIsMatchedInEachFrame() {
        var backOff = MatchBackOff()
        _ = Self.matched(&backOff, count: 3, tracks: 200)
        #expect(Self.matched(&backOff, count: 4, tracks: 200, found: 150) == [0, 1, 2, 3])
    }

    @Test func aSceneOfFewLinesAfterALostPageIsMatchedInEachFrame() {
        var backOff = MatchBackOff()
        _ = Self.matched(&backOff, count: 21, tracks: 200)
        #expect(Self.matched(&backOff, count: 4, tracks: 3) == [0, 1, 2, 3])
    }

    @Test func aFrameWithoutMotionEndsTheBackOff() {
        var backOff = MatchBackOff()
        _ = Self.matched(&backOff, count: 4, tracks: 200)
        backOff.nextFrame()
        #expect(Self.matched(&backOff, count: 2, tracks: 200) == [0, 1])
    }
}
