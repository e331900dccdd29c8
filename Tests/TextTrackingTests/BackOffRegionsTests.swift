import Testing

@testable import TextTracking

@Suite struct BackOffRegionsTests {
    private static func part(_ x: Int) -> Box { Box(left: x, top: 100, right: x + 50, bottom: 150) }

    private static func scanned(
        at parts: [Box],
        after before: BackOffRegions = BackOffRegions(),
        changedText: [Box] = [],
        found: [Box] = []
    ) -> BackOffRegions {
        var looked = BackOffRegions(parts, after: before, changedText: changedText)
        looked.scanned(found: found)
        return looked
    }

    @Test func aPartThatIsLookedAtInVainRestsForAFrame() {
        var parts = BackOffRegions()
        for frame in 0..<8 {
            let part = Self.part(10 * frame)
            parts = Self.scanned(at: [part], after: parts)
            #expect(parts.due == (frame % 2 == 0 ? [part] : []))
            #expect(parts.resting == (frame % 2 == 0 ? [] : [part]))
        }
    }

    @Test func wherePartsJoinWhatRestedIsLookedAt() {
        let first = Self.scanned(at: [Self.part(0)])
        // The left one rests; the right one is scanned, in vain.
        let second = Self.scanned(at: [Self.part(0), Self.part(200)], after: first)
        #expect(second.due == [Self.part(200)])
        let joined = Self.part(0).union(Self.part(200))
        #expect(Self.scanned(at: [joined], after: second).due == [joined])
    }

    @Test func aPartWithTextIsLookedAtAgain() {
        let found = Self.scanned(at: [Self.part(0)], found: [Self.part(20)])
        #expect(Self.scanned(at: [Self.part(0)], after: found).due == [Self.part(0)])
        let inVain = Self.scanned(at: [Self.part(0)])
        #expect(Self.scanned(at: [Self.part(0)], after: inVain, changedText: [Self.part(20)]).due == [Self.part(0)])
    }

    @Test func anotherPartIsLookedAtAtOnce() {
        let before = Self.scanned(at: [Self.part(0)])
        #expect(Self.scanned(at: [Self.part(60)], after: before).due == [Self.part(60)])
    }
}
