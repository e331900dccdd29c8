import Testing

@testable import TextTracking

@Suite struct BackOffRegionsTests {
    private static func region(_ x: Int) -> Box { Box(left: x, top: 100, right: x + 50, bottom: 150) }

    private static func scanned(
        at boxes: [Box],
        after before: BackOffRegions = BackOffRegions(),
        changedText: [Box] = [],
        found: [Box] = []
    ) -> BackOffRegions {
        var regions = BackOffRegions(boxes, after: before, changedText: changedText)
        regions.record(text: found)
        return regions
    }

    @Test func aRegionWithoutTextIsSkippedForAFrame() {
        var regions = BackOffRegions()
        for frame in 0..<8 {
            let region = Self.region(10 * frame)
            regions = Self.scanned(at: [region], after: regions)
            #expect(regions.scanned == (frame % 2 == 0 ? [region] : []))
            #expect(regions.skipped == (frame % 2 == 0 ? [] : [region]))
        }
    }

    @Test func regionsThatJoinAreScannedWhereOneWasSkipped() {
        let first = Self.scanned(at: [Self.region(0)])
        // The left one is skipped; the right one is scanned, without text.
        let second = Self.scanned(at: [Self.region(0), Self.region(200)], after: first)
        #expect(second.scanned == [Self.region(200)])
        let joined = Self.region(0).union(Self.region(200))
        #expect(Self.scanned(at: [joined], after: second).scanned == [joined])
    }

    @Test func aRegionWithTextIsScannedAgain() {
        let found = Self.scanned(at: [Self.region(0)], found: [Self.region(20)])
        #expect(Self.scanned(at: [Self.region(0)], after: found).scanned == [Self.region(0)])
        let withoutText = Self.scanned(at: [Self.region(0)])
        #expect(
            Self.scanned(at: [Self.region(0)], after: withoutText, changedText: [Self.region(20)]).scanned == [
                Self.region(0)
            ]
        )
    }

    @Test func anotherRegionIsScannedAtOnce() {
        let before = Self.scanned(at: [Self.region(0)])
        #expect(Self.scanned(at: [Self.region(60)], after: before).scanned == [Self.region(60)])
    }
}
