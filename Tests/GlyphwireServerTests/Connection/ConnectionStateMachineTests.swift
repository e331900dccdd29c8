import GlyphwireProtocol
import TextModel
import NIOCore
import TestSupport
import Testing

@testable import GlyphwireServer

@Suite struct ConnectionStateMachineTests {
    private typealias Request = ConnectionStateMachine.Request

    /// A machine for expectations, which take no noncopyable value, with its orders as words.
    private final class Connection {
        private var machine: ConnectionStateMachine
        private let token: AccessToken?

        init(
            token: String? = nil,
            requiresToken: Bool = false,
            delivery: Delivery = .every,
            maxFramesInFlight: Int = 4,
            maxUnanswered: Int = 16
        ) {
            self.token = token.map { AccessToken($0) }
            self.machine = ConnectionStateMachine(
                requiresToken: requiresToken || token != nil,
                delivery: delivery,
                maxFramesInFlight: maxFramesInFlight,
                maxUnansweredMessages: maxUnanswered
            )
        }

        var isUnauthenticated: Bool { self.machine.isUnauthenticated }
        var takesMessages: Bool { self.machine.takesMessages }
        var hasRoom: Bool { self.machine.hasRoom }
        var wantsInput: Bool { self.machine.wantsInput }

        func framingFailed(_ code: WireError.Code) {
            self.machine.framingFailed(WireError(code, ""))
        }
        func inputClosed() { self.machine.inputClosed() }
        func messagesExhausted() { self.machine.messagesExhausted() }
        func drainStarted() { self.machine.drainStarted() }
        func linesStuck() { self.machine.linesStuck() }

        @discardableResult
        func received(_ request: Request, _ sequence: UInt64) -> ConnectionStateMachine.MessageAction {
            guard case .configure(let configuration, _) = request, let token, let guess = configuration.token else {
                return self.machine.messageReceived(request, sequence: sequence)
            }
            let access: ConnectionStateMachine.Access = token.matches(guess) ? .granted : .wrong
            return self.machine.messageReceived(.configure(configuration, access), sequence: sequence)
        }

        /// Ends the delay of a wrong token.
        func refusalDue(_ action: ConnectionStateMachine.MessageAction) {
            guard case .refuseLater(let line, let ticket) = action else { return }
            self.machine.refusalDue(line, ticket: ticket)
        }

        /// Passes a valid frame and returns its ticket.
        func frame(_ sequence: UInt64) throws -> Int {
            guard case .read(_, let ticket) = self.received(.frame(gray), sequence) else { throw NotRead() }
            return ticket
        }

        private let result = FrameResult(
            sequence: 0,
            capturedMicroseconds: 0,
            outcome: .expired,
            timings: FrameTimings()
        )

        func finished(_ line: String, _ ticket: Int) {
            let frame = FinishedFrame(line: ByteBuffer(string: line), result: self.result)
            self.machine.frameFinished(frame, ticket: ticket)
        }

        func next() -> String? {
            switch self.machine.nextOutputAction() {
            case nil: nil
            case .finish: "finish"
            case .send(let reply):
                switch reply {
                case .hello: "hello"
                case .frame(let frame): "frame \(String(buffer: frame.line))"
                case .pong(let pong): "pong \(pong.sequence)"
                case .stats(let sequence): "stats \(sequence)"
                case .goAway: "goaway"
                case .line(.configured(let configured)):
                    "configured \(configured.sequence)\(configured.window.map { " window \($0)" } ?? "")"
                case .line(let line): line.summary
                }
            }
        }

        func all() -> [String] {
            var orders: [String] = []
            while let order = self.next() { orders.append(order) }
            return orders
        }

        struct NotRead: Error {}
    }

    private static let gray: FrameDescription = {
        let header = MessageHeader(type: .frame, format: .gray, width: 1, height: 1, payloadByteCount: 1)
        guard let description = try? FrameDescription(header: header, limits: WireLimits()) else {
            preconditionFailure("a gray pixel is a frame")
        }
        return description
    }()

    private func badFrame(_ sequence: UInt64) -> Request {
        .badFrame(
            FrameResult(
                sequence: sequence,
                capturedMicroseconds: 0,
                outcome: .error(WireError(.badOrientation, "")),
                timings: FrameTimings()
            )
        )
    }

    private func ping(_ sequence: UInt64) -> Request {
        .ping(Pong(sequence: sequence, capturedMicroseconds: 0, receivedMicroseconds: 0, sentMicroseconds: 0))
    }

    @Test func theServerSpeaksFirst() {
        let machine = Connection()
        #expect(machine.all() == ["hello"])
        #expect(machine.wantsInput)
    }

    @Test func resultsComeInTheOrderOfTheFramesWhicheverIsReadFirst() throws {
        let machine = Connection()
        let first = try machine.frame(1)
        let second = try machine.frame(2)
        let third = try machine.frame(3)
        #expect(machine.all() == ["hello"])
        machine.finished("3", third)
        #expect(machine.all() == [])
        machine.finished("1", first)
        #expect(machine.all() == ["frame 1"])
        machine.finished("2", second)
        #expect(machine.all() == ["frame 2", "frame 3"])
    }

    @Test func everyMessageThatAsksForALineGetsItsLineInItsTurn() throws {
        let machine = Connection()
        let ticket = try machine.frame(1)
        #expect(machine.received(self.badFrame(2), 2) == .none)
        #expect(machine.received(self.ping(3), 3) == .none)
        let configuration = StreamConfiguration(client: "door camera", temporal: true)
        #expect(machine.received(.configure(configuration), 4) == .configure(configuration))
        #expect(machine.received(.badConfiguration(WireError(.badOption, "")), 5) == .none)
        #expect(machine.received(.unknown(WireError(.unknownType, "")), 6) == .none)
        #expect(machine.received(.stats, 7) == .none)
        #expect(machine.received(.end, 8) == .none)
        #expect(machine.all() == ["hello"])
        machine.finished("1", ticket)
        #expect(
            machine.all() == [
                "frame 1", "2: bad_orientation", "pong 3", "configured 4", "bad_option 5", "unknown_type 6", "stats 7",
                "end 8 after 2", "finish",
            ]
        )
    }

    @Test func noMoreFramesAreTakenThanTheWindowHolds() throws {
        let machine = Connection(maxFramesInFlight: 2)
        #expect(machine.all() == ["hello"])
        let first = try machine.frame(1)
        #expect(machine.hasRoom)
        let second = try machine.frame(2)
        #expect(!machine.hasRoom && !machine.wantsInput && machine.takesMessages)
        machine.finished("2", second)
        #expect(!machine.hasRoom, "a frame that is read but held back keeps its place")
        machine.finished("1", first)
        #expect(machine.next() == "frame 1")
        #expect(machine.hasRoom && machine.wantsInput)
    }

    @Test func aFrameThatNoWorkerReadsHoldsItsPlaceUntilItIsAnswered() {
        let machine = Connection(maxFramesInFlight: 1)
        machine.received(self.badFrame(1), 1)
        #expect(!machine.hasRoom)
        #expect(machine.all() == ["hello", "1: bad_orientation"])
        #expect(machine.hasRoom)
    }

    @Test func aLiveStreamIsLimitedByItsMessagesAlone() throws {
        let machine = Connection(delivery: .live, maxFramesInFlight: 2, maxUnanswered: 4)
        #expect(machine.all() == ["hello"])
        let tickets = try (1...4).map { try machine.frame($0) }
        #expect(!machine.hasRoom)
        machine.finished("1", tickets[0])
        #expect(machine.all() == ["frame 1"])
        #expect(machine.hasRoom)
    }

    @Test func theWindowHoldsFromTheConfigureOnThatAsksForEveryFrame() throws {
        let machine = Connection(delivery: .live, maxFramesInFlight: 2)
        let tickets = try (1...3).map { try machine.frame($0) }
        machine.received(.configure(StreamConfiguration(delivery: .every)), 4)
        #expect(!machine.hasRoom)
        for ticket in tickets { machine.finished("\(ticket)", ticket) }
        #expect(machine.all() == ["hello", "frame 1", "frame 2", "frame 3", "configured 4 window 2"])
        #expect(machine.hasRoom)
        machine.received(.configure(StreamConfiguration()), 5)
        #expect(machine.all() == ["configured 5"])
    }

    @Test func aClientThatDoesNotReadGetsAnErrorAndNoMoreLines() throws {
        let machine = Connection()
        let tickets = try (1...3).map { try machine.frame($0) }
        machine.finished("1", tickets[0])
        #expect(machine.all() == ["hello", "frame 1"])
        machine.linesStuck()
        #expect(!machine.takesMessages)
        machine.finished("2", tickets[1])
        #expect(machine.all() == ["slow_reader -", "finish"])
        machine.finished("3", tickets[2])
        machine.linesStuck()
        #expect(machine.all() == [])
    }

    @Test func otherMessagesAreTakenBesideAFullWindowButNotWithoutEnd() throws {
        let machine = Connection(maxFramesInFlight: 2, maxUnanswered: 4)
        #expect(machine.all() == ["hello"])
        let ticket = try machine.frame(1)
        for sequence in UInt64(2)...4 { machine.received(self.ping(sequence), sequence) }
        #expect(!machine.hasRoom)
        machine.finished("1", ticket)
        #expect(machine.all() == ["frame 1", "pong 2", "pong 3", "pong 4"])
        #expect(machine.hasRoom)
    }

    @Test func nothingIsTakenAfterTheEnd() {
        let machine = Connection()
        machine.received(.end, 1)
        #expect(!machine.takesMessages && !machine.hasRoom && !machine.wantsInput)
        #expect(machine.all() == ["hello", "end 1 after 0", "finish"])
        #expect(machine.all() == [], "an order is given once")
    }

    @Test func aBrokenStreamAnswersWhatItHeldAndFinishes() throws {
        let machine = Connection()
        let ticket = try machine.frame(1)
        machine.framingFailed(.messageTooLarge)
        #expect(!machine.takesMessages)
        #expect(machine.all() == ["hello"])
        machine.finished("1", ticket)
        #expect(machine.all() == ["frame 1", "message_too_large -", "finish"])
    }

    @Test func whatWasTakenIsAnsweredWhenTheServerStops() throws {
        let machine = Connection()
        let ticket = try machine.frame(1)
        machine.received(self.ping(2), 2)
        machine.drainStarted()
        #expect(!machine.takesMessages && !machine.wantsInput)
        #expect(machine.all() == ["hello", "goaway"], "outstanding replies come first")
        machine.finished("1", ticket)
        #expect(machine.all() == ["frame 1", "pong 2", "finish"])
        machine.drainStarted()
        #expect(machine.all() == [])
    }

    @Test func aClientThatHasEndedGetsNoGoAway() {
        let machine = Connection()
        machine.received(.end, 1)
        machine.drainStarted()
        #expect(machine.all() == ["hello", "end 1 after 0", "finish"])
    }

    @Test func aClientThatSendsNoMoreGetsAllItsLines() throws {
        let machine = Connection(maxFramesInFlight: 1)
        let first = try machine.frame(1)
        machine.inputClosed()
        #expect(!machine.wantsInput)
        #expect(machine.takesMessages, "whole messages may wait for room")
        machine.finished("1", first)
        #expect(machine.all() == ["hello", "frame 1"])
        #expect(machine.hasRoom)
        let second = try machine.frame(2)
        machine.finished("2", second)
        #expect(machine.all() == ["frame 2"])
        machine.messagesExhausted()
        #expect(machine.all() == ["finish"])
    }

    @Test func runningOutOfMessagesEndsNothingWhileMoreCanCome() {
        let machine = Connection()
        machine.messagesExhausted()
        #expect(machine.all() == ["hello"])
        #expect(machine.wantsInput)
    }

    // MARK: - Tokens

    @Test func theRightTokenLetsAClientIn() throws {
        let machine = Connection(token: "s3cret")
        #expect(machine.isUnauthenticated)
        let configuration = StreamConfiguration(token: "s3cret", client: "door")
        #expect(
            machine.received(.configure(configuration), 1)
                == .configure(StreamConfiguration(client: "door", temporal: true)),
            "the token goes no further"
        )
        #expect(!machine.isUnauthenticated)
        #expect(try machine.frame(2) > 0)
        #expect(machine.all() == ["hello", "configured 1"])
    }

    @Test func aWrongTokenEndsTheConnectionAlsoLater() {
        let first = Connection(token: "s3cret")
        let action = first.received(.configure(StreamConfiguration(token: "guess")), 1)
        #expect(first.all() == ["hello"] && !first.takesMessages)
        first.refusalDue(action)
        #expect(first.all() == ["auth_failed 1", "finish"])

        let second = Connection(token: "s3cret")
        second.received(.configure(StreamConfiguration(token: "s3cret")), 1)
        second.received(.configure(StreamConfiguration()), 2)
        second.refusalDue(second.received(.configure(StreamConfiguration(token: "guess")), 3))
        #expect(second.all() == ["hello", "configured 1", "configured 2", "auth_failed 3", "finish"])
    }

    @Test func aRightTokenMayBeRefusedForAnotherReason() {
        let machine = Connection(token: nil, requiresToken: true)
        let refusal = WireError(.tooManyConnections, "")
        machine.received(.configure(StreamConfiguration(token: "s3cret"), .refused(refusal)), 1)
        #expect(machine.all() == ["hello", "too_many_connections 1", "finish"])
    }

    @Test func withoutATokenNothingIsDone() {
        let requests: [Request] = [
            .frame(Self.gray), self.badFrame(1), .configure(StreamConfiguration()), self.ping(1), .stats, .end,
            .unknown(WireError(.unknownType, "")),
        ]
        for request in requests {
            let machine = Connection(token: "s3cret")
            #expect(machine.received(request, 1) == .none)
            #expect(machine.all() == ["hello", "auth_required 1", "finish"])
        }
    }

    @Test func aMistypedOptionBesideTheTokenMayBeCorrected() {
        let machine = Connection(token: "s3cret")
        machine.received(.badConfiguration(WireError(.unknownOption, "")), 1)
        #expect(machine.isUnauthenticated)
        machine.received(.configure(StreamConfiguration(token: "s3cret")), 2)
        #expect(machine.all() == ["hello", "unknown_option 1", "configured 2"])
    }

    @Test func anUnneededTokenIsAccepted() {
        let machine = Connection()
        let action = machine.received(.configure(StreamConfiguration(token: "whatever")), 1)
        #expect(action == .configure(StreamConfiguration(temporal: true)))
    }
}
