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
        cache.record([Self.place()], illegible: [Self.place()])
        cache.record([], illegible: [], in: [Box(around: Self.place(), margin: 10)])
        #expect(cache.isDue(Self.place()))
    }

    @Test func aPlaceIsDueOnceTheRefreshTimeHasPassedSinceItsLastReading() {
        var cache = NegativeCache()
        cache.nextFrame(at: .seconds(1), refresh: .seconds(2))
        cache.record([Self.place()], illegible: [Self.place()])
        cache.nextFrame(at: .milliseconds(2_999), refresh: .seconds(2))
        #expect(!cache.isDue(Self.place()))
        cache.nextFrame(at: .seconds(3), refresh: .seconds(2))
        #expect(cache.isDue(Self.place()))
    }

    /// Cache with a place that a scan of other regions has left out.
    private static func dormant() -> NegativeCache {
        var cache = NegativeCache()
        cache.record([Self.place()], illegible: [Self.place()])
        cache.record([], illegible: [], in: [Box(around: Self.place(x: 300), margin: 10)])
        return cache
    }

    @Test func aPlaceOutsideTheScannedRegionsIsSkippedAndCountedByFullScansOnly() {
        var cache = Self.dormant()
        cache.record([], illegible: [], in: [], skipped: [Box(around: Self.place(), margin: 10)])
        #expect(!cache.isDue(Self.place()))
        cache.record([Self.place()], illegible: [])
        #expect(cache.isDue(Self.place()))
    }

    @Test func aScanOfRegionsThatDetectsADormantPlaceReadsIt() {
        var cache = Self.dormant()
        #expect(cache.isDue(Self.place(), isFullScan: false))
        cache.record([Self.place()], illegible: [Self.place()], in: [Box(around: Self.place(), margin: 10)])
        #expect(!cache.isDue(Self.place(), isFullScan: false))
    }

    @Test func dormantPlacesAreForgottenByThemselves() {
        var cache = Self.dormant()
        cache.record([Self.place(y: 90)], illegible: [Self.place(y: 90)], in: [])
        cache.removeDormant()
        #expect(cache.isDue(Self.place()))
        #expect(!cache.isDue(Self.place(y: 90)))
    }

    @Test func aPlaceMovesWithTheCamera() {
        var cache = Self.dormant()
        cache.move(by: Affine(x: 100, y: 0))
        #expect(cache.isDue(Self.place()))
        #expect(!cache.isDue(Self.place(x: 200)))
    }
}
