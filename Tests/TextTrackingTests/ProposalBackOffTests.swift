import TextModel
import Testing

@testable import TextTracking

@Suite struct ProposalBackOffTests {
    private static func proposal(_ score: Float) -> Proposal {
        Proposal(place: Quad(Box(left: 100, top: 100, right: 200, bottom: 120)), score: score)
    }

    /// Frames in which a proposal is scanned in vain, of some with these scores.
    private static func scans(scores: [Float], lost: [Quad] = []) -> [Int] {
        var backOff = ProposalBackOff()
        return scores.indices.filter { index in
            let proposals = [Self.proposal(scores[index])]
            let due = backOff.due(proposals, beside: lost)
            backOff.record(proposals, scanned: due, text: [])
            return !due.isEmpty
        }
    }

    @Test func aPlaceWithoutTextIsScannedEverMoreSeldom() {
        #expect(Self.scans(scores: [Float](repeating: 0.3, count: 20)) == [0, 2, 5, 10, 19])
    }

    @Test func aPlaceThatMovesWithTheCameraIsTheSame() {
        var backOff = ProposalBackOff()
        let step = Affine(x: 60, y: 15)
        var proposals = [Self.proposal(0.3)]
        let scans = (0..<6).filter { _ in
            let due = backOff.due(proposals, beside: [])
            backOff.record(proposals, scanned: due, text: [])
            backOff.move(by: step)
            proposals = proposals.map { Proposal(place: step($0.place), score: $0.score) }
            return !due.isEmpty
        }
        #expect(scans == [0, 2, 5])
    }

    @Test func aPlaceThatLooksMoreLikeTextIsScannedAtOnce() {
        #expect(Self.scans(scores: [0.3, 0.3, 0.3, 0.3, 0.45, 0.45]) == [0, 2, 4])
    }

    @Test func aPlaceOfLostTextIsScannedInEachFrame() {
        let place = Self.proposal(0).place
        #expect(Self.scans(scores: [0.3, 0.3, 0.3], lost: [place]) == [0, 1, 2])
    }

    @Test func aPlaceWithTextIsScannedAgain() {
        var backOff = ProposalBackOff()
        let proposals = [Self.proposal(0.3)]
        backOff.record(proposals, scanned: proposals, text: [proposals[0].place])
        #expect(backOff.due(proposals, beside: []).count == 1)
    }
}
