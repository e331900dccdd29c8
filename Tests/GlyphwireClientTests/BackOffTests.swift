import Testing

@testable import GlyphwireClient

@Suite struct BackOffTests {
    @Test func delaysGrowWithTheFailuresInARow() {
        let policy = ReconnectPolicy(maxAttempts: 1, initialDelay: .seconds(1), maxDelay: .seconds(4), jitter: 0)
        var backOff = BackOff(policy)
        #expect(!backOff.hasFailed)
        let delays = (1...4).map { _ in backOff.failed() }
        #expect(delays == [1, 2, 4, 4].map { .seconds($0) })
        #expect(backOff.hasFailed)
    }

    @Test func aSuccessBeginsAgainWithTheShortestDelay() {
        var backOff = BackOff(ReconnectPolicy(initialDelay: .seconds(1), jitter: 0))
        _ = (backOff.failed(), backOff.failed())
        backOff.succeeded()
        #expect(!backOff.hasFailed)
        let delay = backOff.failed()
        #expect(delay == .seconds(1))
    }

    @Test func delaysLieBetweenThoseGiven() {
        var backOff = BackOff(from: .seconds(1), to: .seconds(2))
        for _ in 0..<1000 {
            let delay = backOff.failed()
            #expect(delay >= .milliseconds(800) && delay <= .seconds(2))
        }
    }
}
