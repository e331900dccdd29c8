import Testing

@testable import TextTracking

@Suite struct RestingPartsTests {
    private static func part(_ x: Int) -> Box { Box(left: x, top: 100, right: x + 50, bottom: 150) }

    private static func looked(
        at parts: [Box],
        after before: RestingParts = RestingParts(),
        changedText: [Box] = [],
        found: [Box] = []
    ) -> RestingParts {
        var looked = RestingParts(parts, after: before, changedText: changedText)
        looked.looked(found: found)
        return looked
    }

    @Test func aPartThatIsLookedAtInVainRestsForAFrame() {
        var parts = RestingParts()
        for frame in 0..<8 {
            let part = Self.part(10 * frame)
            parts = Self.looked(at: [part], after: parts)
            #expect(parts.due == (frame % 2 == 0 ? [part] : []))
            #expect(parts.resting == (frame % 2 == 0 ? [] : [part]))
        }
    }

    @Test func wherePartsJoinWhatRestedIsLookedAt() {
        let first = Self.looked(at: [Self.part(0)])
        // The left one rests; the right one is looked at, in vain.
        let second = Self.looked(at: [Self.part(0), Self.part(200)], after: first)
        #expect(second.due == [Self.part(200)])
        let joined = Self.part(0).union(Self.part(200))
        #expect(Self.looked(at: [joined], after: second).due == [joined])
    }

    @Test func aPartWithTextIsLookedAtAgain() {
        let found = Self.looked(at: [Self.part(0)], found: [Self.part(20)])
        #expect(Self.looked(at: [Self.part(0)], after: found).due == [Self.part(0)])
        let inVain = Self.looked(at: [Self.part(0)])
        #expect(Self.looked(at: [Self.part(0)], after: inVain, changedText: [Self.part(20)]).due == [Self.part(0)])
    }

    @Test func anotherPartIsLookedAtAtOnce() {
        let before = Self.looked(at: [Self.part(0)])
        #expect(Self.looked(at: [Self.part(60)], after: before).due == [Self.part(60)])
    }
}
