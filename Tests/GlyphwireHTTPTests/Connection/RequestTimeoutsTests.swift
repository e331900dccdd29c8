import NIOCore
import Testing

@testable import GlyphwireHTTP

@Suite struct RequestTimeoutsTests {
    private func at(_ seconds: UInt64) -> NIODeadline { .uptimeNanoseconds(seconds * 1_000_000_000) }

    /// The timeouts of a connection that was accepted at 0.
    private func connected() -> RequestTimeouts {
        var timeouts = RequestTimeouts(
            firstRequestTime: .seconds(5),
            requestTime: .seconds(10),
            idleTime: .seconds(60)
        )
        timeouts.connected(at: self.at(0))
        return timeouts
    }

    @Test func aConnectionWithoutARequestCloses() {
        var timeouts = self.connected()
        #expect(timeouts.deadline == self.at(5))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(5)) == .close)
    }

    @Test func theTimeToTheFirstRequestIsNoLongerThanToTheNext() {
        var timeouts = RequestTimeouts(
            firstRequestTime: .seconds(5),
            requestTime: .seconds(10),
            idleTime: .seconds(1)
        )
        timeouts.connected(at: self.at(0))
        #expect(timeouts.deadline == self.at(1))
    }

    @Test func aConnectionIsIdleOnlyAfterItsResponseAndOnceThatIsSent() {
        var timeouts = self.connected()
        timeouts.bytesReceived(at: self.at(1))
        timeouts.headReceived(at: self.at(1))
        timeouts.requestReceived(at: self.at(1))
        #expect(timeouts.deadline == nil, "the server is busy")
        timeouts.responseBegan()
        timeouts.responseEnded(at: self.at(100))
        #expect(timeouts.deadline == self.at(160))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: true, at: self.at(160)) == .wait)
        #expect(timeouts.deadline == self.at(220))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(220)) == .close)
    }

    @Test func aRequestHasItsTimeFromItsFirstByteHoweverItsBytesTrickle() {
        var timeouts = self.connected()
        for second in 50..<55 { timeouts.bytesReceived(at: self.at(UInt64(second))) }
        #expect(timeouts.deadline == self.at(60))
        timeouts.headReceived(at: self.at(55))
        timeouts.bytesReceived(at: self.at(56))
        #expect(timeouts.deadline == self.at(60))
    }

    @Test func aLateHeadHasNoAnswer() {
        var timeouts = self.connected()
        timeouts.bytesReceived(at: self.at(1))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(11)) == .close)
    }

    @Test func aLateBodyIsAnsweredAndNothingMoreIsReceived() {
        var timeouts = self.connected()
        timeouts.headReceived(at: self.at(1))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(11)) == .answer)
        #expect(timeouts.isLate)
        timeouts.responseBegan()
        timeouts.responseEnded(at: self.at(12))
        timeouts.bytesReceived(at: self.at(13))
        #expect(timeouts.deadline == self.at(72))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(72)) == .close)
    }

    @Test func anAnswerToALateBodyThatDoesNotEndClosesTheConnection() {
        var timeouts = self.connected()
        timeouts.headReceived(at: self.at(1))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(11)) == .answer)
        timeouts.responseBegan()
        timeouts.bytesReceived(at: self.at(12))
        #expect(timeouts.deadline == self.at(21))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(21)) == .close)
    }

    @Test(arguments: [false, true])
    func aLateBodyWhoseResponseHasBegunHasNoOther(hasEnded: Bool) {
        var timeouts = self.connected()
        timeouts.headReceived(at: self.at(1))
        timeouts.responseBegan()
        if hasEnded { timeouts.responseEnded(at: self.at(2)) }
        #expect(timeouts.deadline == self.at(11))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(11)) == .close)
    }

    @Test func aRequestBehindAnotherHasItsTimeFromTheResponseToThat() {
        var timeouts = self.connected()
        timeouts.headReceived(at: self.at(1))
        timeouts.requestReceived(at: self.at(1))
        timeouts.bytesReceived(at: self.at(2))
        timeouts.headReceived(at: self.at(2))
        #expect(timeouts.deadline == nil)
        timeouts.responseBegan()
        timeouts.responseEnded(at: self.at(30))
        #expect(timeouts.deadline == self.at(40))
        #expect(timeouts.deadlinePassed(hasUnsentBytes: false, at: self.at(40)) == .answer)
    }

    @Test func theErrorOfARequestThatCannotBeParsedIsNoResponseTooMany() {
        var timeouts = self.connected()
        timeouts.bytesReceived(at: self.at(1))
        timeouts.responseBegan()
        timeouts.responseEnded(at: self.at(1))
        #expect(timeouts.deadline == self.at(11))
        timeouts.headReceived(at: self.at(2))
        timeouts.requestReceived(at: self.at(2))
        #expect(timeouts.deadline == nil)
    }
}
