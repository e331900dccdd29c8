import GlyphwireProtocol
import NIOCore
import Testing

@testable import GlyphwireServer

@Suite struct ConnectionTimeoutsTests {
    private func at(_ seconds: UInt64) -> NIODeadline { .uptimeNanoseconds(seconds * 1_000_000_000) }

    @Test func eachWaitHasItsOwnTime() {
        var timeouts = ConnectionTimeouts(limits: ServerLimits())
        #expect(timeouts.deadline == nil)
        timeouts.waits(.firstMessage, at: self.at(1))
        #expect(timeouts.deadline == self.at(6))
        timeouts.waits(.message(number: 0), at: self.at(2))
        #expect(timeouts.deadline == self.at(62))
        timeouts.waits(.nextMessage(number: 1), at: self.at(3))
        #expect(timeouts.deadline == self.at(603))
        timeouts.waits(.none, at: self.at(4))
        #expect(timeouts.deadline == nil)
    }

    @Test func aWaitThatGoesOnKeepsItsStartAndANewMessageHasItsOwn() {
        var timeouts = ConnectionTimeouts(limits: ServerLimits())
        timeouts.waits(.message(number: 0), at: self.at(1))
        timeouts.waits(.message(number: 0), at: self.at(50))
        #expect(timeouts.deadline == self.at(61))
        timeouts.waits(.message(number: 1), at: self.at(51))
        #expect(timeouts.deadline == self.at(111))
    }

    @Test func aClientWithoutATokenIsNotAdvisedToSendAPing() {
        var timeouts = ConnectionTimeouts(limits: ServerLimits())
        timeouts.waits(.token, at: self.at(1))
        #expect(timeouts.deadline == self.at(6))
        #expect(timeouts.error.code == .timeout)
        #expect(timeouts.error.message.contains("token") && !timeouts.error.message.contains("ping"))
        timeouts.waits(.firstMessage, at: self.at(1))
        #expect(timeouts.error.message.contains("ping"))
    }

    @Test func theErrorNamesTheTime() {
        var limits = ServerLimits()
        limits.idleTime = .milliseconds(1500)
        var timeouts = ConnectionTimeouts(limits: limits)
        timeouts.waits(.nextMessage(number: 1), at: self.at(0))
        #expect(timeouts.error.code == .timeout && timeouts.error.message.contains("1500 ms"))
        timeouts.waits(.firstMessage, at: self.at(0))
        #expect(timeouts.error.message.contains("5 s"))
    }
}
