import Testing

@testable import GlyphwireClient

@Suite struct ReconnectPolicyTests {
    @Test func pausesGrowUpToTheLongest() {
        let policy = ReconnectPolicy(
            initialDelay: .milliseconds(100),
            multiplier: 3,
            maxDelay: .milliseconds(1000),
            jitter: 0
        )
        let delays = (1...5).map { policy.delay(before: $0) }
        #expect(delays == [100, 300, 900, 1000, 1000].map { .milliseconds($0) })
    }

    @Test func chanceShortensAPauseByItsPartAtMost() {
        let policy = ReconnectPolicy(initialDelay: .seconds(1), jitter: 0.25)
        for _ in 0..<1000 {
            let delay = policy.delay(before: 1)
            #expect(delay >= .milliseconds(750) && delay <= .seconds(1))
        }
    }

    @Test func manyAttemptsDoNotOverflow() {
        let policy = ReconnectPolicy(maxDelay: .seconds(5), jitter: 0)
        #expect(policy.delay(before: 1_000_000) == .seconds(5))
        #expect(ReconnectPolicy(initialDelay: .zero).delay(before: 3) == .zero)
    }
}
