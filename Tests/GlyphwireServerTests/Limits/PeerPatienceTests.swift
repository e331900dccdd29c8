import GlyphwireProtocol
import NIOCore
import Testing

@testable import GlyphwireServer

@Suite struct PeerPatienceTests {
    private func at(_ seconds: UInt64) -> NIODeadline { .uptimeNanoseconds(seconds * 1_000_000_000) }

    @Test func eachWaitHasItsOwnTime() {
        var patience = PeerPatience(limits: ServerLimits())
        #expect(patience.deadline == nil)
        patience.waits(.firstMessage, at: self.at(1))
        #expect(patience.deadline == self.at(6))
        patience.waits(.message(number: 0), at: self.at(2))
        #expect(patience.deadline == self.at(62))
        patience.waits(.nextMessage(number: 1), at: self.at(3))
        #expect(patience.deadline == self.at(603))
        patience.waits(.none, at: self.at(4))
        #expect(patience.deadline == nil)
    }

    @Test func aWaitThatGoesOnKeepsItsStartAndANewMessageHasItsOwn() {
        var patience = PeerPatience(limits: ServerLimits())
        patience.waits(.message(number: 0), at: self.at(1))
        patience.waits(.message(number: 0), at: self.at(50))
        #expect(patience.deadline == self.at(61))
        patience.waits(.message(number: 1), at: self.at(51))
        #expect(patience.deadline == self.at(111))
    }

    @Test func theErrorNamesTheTime() {
        var limits = ServerLimits()
        limits.idleTime = .milliseconds(1500)
        var patience = PeerPatience(limits: limits)
        patience.waits(.nextMessage(number: 1), at: self.at(0))
        #expect(patience.error.code == .timeout && patience.error.message.contains("1500 ms"))
        patience.waits(.firstMessage, at: self.at(0))
        #expect(patience.error.message.contains("5 s"))
    }
}
