import GlyphwireProtocol
import TextModel
import Testing

@testable import TextTracking

@Suite struct NegativeCacheTests {
    private static func place(x: Float = 100, y: Float = 50, width: Float = 40) -> Quad {
        Quad(
            topLeft: Point(x: x, y: y),
            topRight: Point(x: x + width, y: y),
            bottomRight: Point(x: x + width, y: y + 20),
            bottomLeft: Point(x: x, y: y + 20)
        )
    }

    @Test func anUnknownPlaceIsDue() {
        #expect(NegativeCache().isDue(Self.place()))
    }

    @Test func aPlaceIsSkippedTwiceAsLongEachTimeUpToEightScans() {
        var cache = NegativeCache()
        for backOff in [1, 2, 4, 8, 8] {
            cache.record([Self.place()], illegible: [Self.place()])
            for _ in 0..<backOff {
                #expect(!cache.isDue(Self.place()))
                cache.record([Self.place()], illegible: [])
            }
            #expect(cache.isDue(Self.place()))
        }
    }

    @Test func aFrameThatIsNotScannedCountsAsASkippedScan() {
        var cache = NegativeCache()
        cache.record([Self.place()], illegible: [Self.place()])
        let around = Box(around: Self.place(), margin: 10)
        cache.record([], illegible: [], skipped: [around])
        #expect(cache.isDue(Self.place()))
        cache.record([Self.place()], illegible: [Self.place()])
        cache.record([], illegible: [], skipped: [around])
        #expect(!cache.isDue(Self.place()), "the entry is kept")
    }

    @Test func aPlaceIsTrackedAsItMoves() {
        var cache = NegativeCache()
        cache.record([Self.place()], illegible: [Self.place()])
        cache.record([Self.place()], illegible: [Self.place()])
        cache.record([Self.place(x: 115)], illegible: [])
        #expect(!cache.isDue(Self.place(x: 130)))
        #expect(cache.isDue(Self.place(y: 80)))
    }

    @Test(arguments: [(20, false), (100, false), (130, true)] as [(Float, Bool)])
    func aFarLongerLineIsAnotherPlace(width: Float, isDue: Bool) {
        var cache = NegativeCache()
        cache.record([Self.place()], illegible: [Self.place()])
        #expect(cache.isDue(Self.place(width: width)) == isDue)
    }

    @Test func aPlaceThatIsNoLongerDetectedIsForgotten() {
        var cache = NegativeCache()
        cache.record([Self.place()], illegible: [Self.place()])
        cache.record([], illegible: [])
        #expect(cache.isDue(Self.place()))
    }
}
