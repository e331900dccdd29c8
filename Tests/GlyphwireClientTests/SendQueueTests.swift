import GlyphwireProtocol
import NIOCore
import Testing

@testable import GlyphwireClient

@Suite struct SendQueueTests {
    private static func request(_ ticket: WaitTicket, in queue: inout SendQueue) -> PendingSend {
        PendingSend(
            message: queue.numbered(.ping(capturedMicroseconds: 0)),
            ticket: ticket,
            waiter: .answered { _ in }
        )
    }

    private static func pong(_ sequence: UInt64) -> ServerLine {
        .pong(Pong(sequence: sequence, capturedMicroseconds: 0, receivedMicroseconds: 0, sentMicroseconds: 0))
    }

    @Test func aFrameWithoutANumberFollowsTheLastOne() {
        var queue = SendQueue()
        let numbers = ([nil, 7, nil] as [UInt64?]).map { number in
            queue.message(of: Frame(jpeg: ByteBuffer(), sequence: number)).header.sequence
        }
        #expect(numbers == [1, 7, 8])
    }

    @Test func aMessageThatWaitsIsRemovedByItsTicketAndARequestByItsAnswerToo() {
        var queue = SendQueue()
        let tickets = (0..<3).map { _ in WaitTicket() }
        for ticket in tickets {
            let request = Self.request(ticket, in: &queue)
            queue.append(request)
        }
        for _ in 0..<2 {
            let request = queue.removeFirst()
            queue.written(request)
        }
        let unwritten = tickets.map { queue.removeUnwritten($0)?.ticket === $0 }
        #expect(unwritten == [false, false, true])
        let answered = queue.removeRequest(answeredBy: Self.pong(2))
        let cancelled = queue.removeRequest(tickets[0])
        #expect(answered?.ticket === tickets[1] && cancelled?.ticket === tickets[0])
        #expect(queue.isEmpty && !queue.isAwaitingAnswers)
    }

    @Test(arguments: [nil, 3, 4] as [UInt64?])
    func anErrorAnswersTheRequestOfItsNumberAlone(sequence: UInt64?) {
        let error = ServerLine.error(ErrorLine(error: WireError(.badOption, ""), sequence: sequence))
        #expect(error.answers(MessageHeader(type: .ping, sequence: 3, payloadByteCount: 0)) == (sequence == 3))
        #expect(!error.answers(MessageHeader(type: .ping, payloadByteCount: 0)))
    }

    @Test func atTheEndRequestsThatWereWrittenComeFirst() {
        var queue = SendQueue()
        let tickets = (0..<3).map { _ in WaitTicket() }
        let requests = tickets.map { Self.request($0, in: &queue) }
        queue.append(requests[2])
        queue.prepend(requests[1])
        queue.written(requests[0])
        let all = queue.removeAll()
        #expect(all.map(\.message.header.sequence) == [1, 2, 3])
        #expect(queue.isEmpty && !queue.isAwaitingAnswers)
    }
}
