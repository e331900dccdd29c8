import Logging
import TestSupport
import Testing

@testable import GlyphwireServer

@Suite struct LogLimitTests {
    private static func kind(_ message: String, from address: String) -> LogLimit.Kind {
        LogLimit.Kind(level: .info, message: message, address: address)
    }

    @Test func eachKindFromEachAddressIsLimitedByTheMinuteAndTheRestIsCounted() {
        var limit = LogLimit()
        let start = ContinuousClock.now
        let (flood, other) = (Self.kind("a", from: "10.0.0.1"), Self.kind("a", from: "10.0.0.2"))
        let admitted = (0..<LogLimit.maxEntries + 3).count { _ in limit.admits(flood, at: start) }
        #expect(admitted == LogLimit.maxEntries)
        let others = [other, Self.kind("b", from: "10.0.0.1")].map { limit.admits($0, at: start + .seconds(59)) }
        #expect(others == [true, true])
        #expect(limit.takeExcess(at: start + .seconds(59)).isEmpty)
        let excess = limit.takeExcess(at: start + .seconds(60))
        #expect(excess.map(\.kind) == [flood] && excess.map(\.count) == [3])
        let isAdmittedAgain = limit.admits(flood, at: start + .seconds(61))
        #expect(isAdmittedAgain)
        #expect(limit.takeExcess(at: start + .seconds(200)).isEmpty, "what was written is no excess")
    }

    @Test func addressesBeyondThoseThatAreCountedShareALimit() {
        var limit = LogLimit()
        let now = ContinuousClock.now
        let count = LogLimit.maxKinds + LogLimit.maxEntries + 7
        let admitted = (0..<count).count { limit.admits(Self.kind("a", from: "\($0)"), at: now) }
        #expect(admitted == count - 7)
        let excess = limit.takeExcess(at: now + LogLimit.interval)
        #expect(excess.map(\.kind) == [Self.kind("a", from: LogLimit.otherAddresses)] && excess.map(\.count) == [7])
    }

    @Test(.timeLimit(.minutes(1))) func aFloodOfOneStatusHidesNoOther() async throws {
        let (logger, entries) = Logger.recorded()
        let log = PeerLog(logger)
        for status in Array(repeating: 404, count: LogLimit.maxEntries + 1) + [413] {
            log.logHTTP(.info, "request refused", from: nil, metadata: [LogKeys.status: .stringConvertible(status)])
        }
        log.reportRest()
        let other = try #require(await entries.first { $0.metadata["status"] != "404" })
        #expect(other.metadata["status"] == "413")
        let excess = try #require(await entries.first { $0.metadata["entry"] != nil })
        #expect(excess.metadata["entry"] == "request refused 404" && excess.metadata["count"] == "1")
    }
}
