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

    @Test func aPlaceOfWhichNothingIsKnownIsDue() {
        #expect(NegativeCache().isDue(Self.place()))
    }

    @Test func aPlaceRestsTwiceAsLongEachTimeUpToEightLooks() {
        var places = NegativeCache()
        for rest in [1, 2, 4, 8, 8] {
            places.scanned(at: [Self.place()], illegible: [Self.place()])
            for _ in 0..<rest {
                #expect(!places.isDue(Self.place()))
                places.scanned(at: [Self.place()], illegible: [])
            }
            #expect(places.isDue(Self.place()))
        }
    }

    @Test func aFrameThatIsNotLookedAtCountsAsOneThatPassedOver() {
        var places = NegativeCache()
        places.scanned(at: [Self.place()], illegible: [Self.place()])
        let around = Box(around: Self.place(), margin: 10)
        places.scanned(at: [], illegible: [], butNotIn: [around])
        #expect(places.isDue(Self.place()))
        places.scanned(at: [Self.place()], illegible: [Self.place()])
        places.scanned(at: [], illegible: [], butNotIn: [around])
        #expect(!places.isDue(Self.place()), "what is known of it is kept")
    }

    @Test func aPlaceIsFollowedAsItMoves() {
        var places = NegativeCache()
        places.scanned(at: [Self.place()], illegible: [Self.place()])
        places.scanned(at: [Self.place()], illegible: [Self.place()])
        places.scanned(at: [Self.place(x: 115)], illegible: [])
        #expect(!places.isDue(Self.place(x: 130)))
        #expect(places.isDue(Self.place(y: 80)))
    }

    @Test(arguments: [(20, false), (100, false), (130, true)] as [(Float, Bool)])
    func aLineThatIsLongerByFarIsAnother(width: Float, isDue: Bool) {
        var places = NegativeCache()
        places.scanned(at: [Self.place()], illegible: [Self.place()])
        #expect(places.isDue(Self.place(width: width)) == isDue)
    }

    @Test func whatIsFoundThereNoMoreIsForgotten() {
        var places = NegativeCache()
        places.scanned(at: [Self.place()], illegible: [Self.place()])
        places.scanned(at: [], illegible: [])
        #expect(places.isDue(Self.place()))
    }
}
