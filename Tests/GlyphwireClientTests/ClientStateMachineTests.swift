import GlyphwireProtocol
import TextModel
import NIOCore
import NIOSSL
import Testing

@testable import GlyphwireClient

@Suite struct ClientStateMachineTests {
    private static let hello = ServerLine.hello(Hello(version: "0", limits: WireLimits(), levels: [.fast]))
    private static let pong = ServerLine.pong(
        Pong(sequence: 1, capturedMicroseconds: 0, receivedMicroseconds: 0, sentMicroseconds: 0)
    )
    private static let loss = GlyphwireClientError(.connectionLost, "")

    private static func result(_ sequence: UInt64) -> ServerLine {
        .result(
            FrameResult(
                sequence: sequence,
                capturedMicroseconds: 0,
                outcome: .other(status: "test"),
                timings: FrameTimings()
            )
        )
    }

    private static func frame(_ sequence: UInt64) -> SentFrame {
        SentFrame(sequence: sequence, capturedMicroseconds: 0, sentAt: .now)
    }

    private static func configured(window: Int?) -> ServerLine {
        .configured(Configured(sequence: 1, options: StreamConfiguration(), window: window))
    }

    private static func openMachine(_ policy: ReconnectPolicy? = nil) -> ClientStateMachine {
        var machine = ClientStateMachine(reconnect: policy)
        machine.channelOpened()
        _ = machine.lineReceived(Self.hello)
        return machine
    }

    @Test func nothingIsWrittenBeforeTheHello() {
        var machine = ClientStateMachine(reconnect: nil)
        let atFirst = machine.isOpen
        machine.channelOpened()
        let beforeHello = machine.isOpen
        _ = machine.lineReceived(Self.hello)
        let afterHello = machine.isOpen
        #expect([atFirst, beforeHello, afterHello] == [false, false, true])
    }

    @Test func anotherFirstLineIsNoServer() {
        var machine = ClientStateMachine(reconnect: nil)
        machine.channelOpened()
        let action = machine.lineReceived(Self.result(1))
        guard case .fail(let error) = action else { return #expect(Bool(false), "\(action)") }
        #expect(error.code == .notGlyphwire)
    }

    @Test func anotherProtocolVersionIsRefused() {
        var machine = ClientStateMachine(reconnect: nil)
        machine.channelOpened()
        let hello = Hello(version: "9", protocolVersion: 2, limits: WireLimits(), levels: [])
        let action = machine.lineReceived(.hello(hello))
        guard case .fail(let error) = action else { return #expect(Bool(false), "\(action)") }
        #expect(error.code == .unsupportedProtocol)
    }

    @Test func resultsAnswerFramesInOrder() {
        var machine = Self.openMachine()
        for sequence in [7, 7, 3] as [UInt64] { machine.frameWritten(Self.frame(sequence)) }
        for sequence in [7, 7, 3] as [UInt64] {
            let action = machine.lineReceived(Self.result(sequence))
            guard case .deliver(let frame?) = action else { return #expect(Bool(false), "\(action)") }
            #expect(frame.sequence == sequence)
        }
    }

    @Test(arguments: [[], [2, 1]] as [[UInt64]])
    func aResultThatNoFrameWaitsForIsAnError(waiting: [UInt64]) {
        var machine = Self.openMachine()
        for sequence in waiting { machine.frameWritten(Self.frame(sequence)) }
        let action = machine.lineReceived(Self.result(1))
        guard case .fail(let error) = action else { return #expect(Bool(false), "\(action)") }
        #expect(error.code == .badLine)
    }

    @Test func unansweredFramesAreLostWithTheConnection() {
        var machine = Self.openMachine()
        for sequence in 1...3 as ClosedRange<UInt64> { machine.frameWritten(Self.frame(sequence)) }
        _ = machine.lineReceived(Self.result(1))
        let (lost, action) = machine.failed(Self.loss)
        let hasEnded = machine.hasEnded
        #expect(lost.map(\.sequence) == [2, 3])
        #expect(action == .stop)
        #expect(hasEnded)
    }

    @Test func attemptsInARowAreCountedAndAnAnswerStartsOver() {
        var machine = Self.openMachine(ReconnectPolicy(maxAttempts: 2))
        let first = machine.failed(Self.loss).action
        let second = machine.failed(GlyphwireClientError(.cannotConnect, "")).action
        machine.channelOpened()
        _ = machine.lineReceived(Self.hello)
        _ = machine.lineReceived(Self.pong)
        let third = machine.failed(Self.loss).action
        let fourth = machine.failed(Self.loss).action
        let fifth = machine.failed(Self.loss).action
        #expect([first, second, third, fourth, fifth] == [1, 2, 1, 2].map { .reconnect(attempt: $0) } + [.stop])
    }

    @Test func aGreetingDoesNotStartTheAttemptsOver() {
        var machine = Self.openMachine(ReconnectPolicy(maxAttempts: 3))
        let noRoom = GlyphwireClientError.refused(WireError(.tooManyConnections, ""))
        var actions = [machine.failed(Self.loss).action]
        for _ in 0..<3 {
            machine.channelOpened()
            _ = machine.lineReceived(Self.hello)
            actions.append(machine.failed(noRoom).action)
        }
        #expect(actions == [1, 2, 3].map { .reconnect(attempt: $0) } + [.stop])
    }

    @Test func refusedOptionsDoNotStartTheAttemptsOver() {
        var machine = Self.openMachine(ReconnectPolicy(maxAttempts: 3))
        let noMemory = WireError(.overloaded, "")
        var actions = [machine.failed(Self.loss).action]
        for _ in 0..<3 {
            machine.channelOpened()
            _ = machine.lineReceived(Self.hello)
            _ = machine.lineReceived(.error(ErrorLine(error: noMemory, sequence: 1)))
            actions.append(machine.failed(.refused(noMemory)).action)
        }
        #expect(actions == [1, 2, 3].map { .reconnect(attempt: $0) } + [.stop])
    }

    @Test(arguments: [WireError.Code.badOption, .unknownOption, .unsupportedLanguage, .levelUnavailable])
    func optionsThatMustBeFixedFirstAreNotSentAgain(code: WireError.Code) {
        var machine = Self.openMachine(ReconnectPolicy())
        let action = machine.failed(.refused(WireError(code, ""))).action
        #expect(action == .stop)
    }

    @Test func wrongGuessesOfOthersCostAMinute() {
        #expect(GlyphwireClientError.refused(WireError(.tooManyGuesses, "")).minimumPause == .seconds(60))
        #expect(GlyphwireClientError.refused(WireError(.tooManyConnections, "")).minimumPause == .zero)
    }

    @Test func theFirstConnectionIsNotTriedAgain() {
        var machine = ClientStateMachine(reconnect: ReconnectPolicy())
        let action = machine.failed(GlyphwireClientError(.cannotConnect, "")).action
        #expect(action == .stop)
    }

    @Test(arguments: [WireError.Code.authFailed, .authRequired, .messageTooLarge, .wrongProtocol])
    func aLastingRefusalIsNotTriedAgain(code: WireError.Code) {
        var machine = Self.openMachine(ReconnectPolicy())
        let line = ServerLine.error(ErrorLine(error: WireError(code, ""), sequence: nil))
        guard case .refuse(let error) = machine.lineReceived(line) else { return #expect(Bool(false)) }
        let action = machine.failed(error).action
        #expect(action == .stop)
    }

    @Test func noConnectionIsMadeAgainForAStreamThatIsEnding() {
        var machine = Self.openMachine(ReconnectPolicy())
        machine.finishRequested()
        machine.messageWritten(.end)
        let action = machine.failed(Self.loss).action
        #expect(action == .stop)
    }

    @Test func anEndThatWasNotWrittenWaitsForTheNextConnection() {
        var machine = Self.openMachine(ReconnectPolicy())
        _ = machine.lineReceived(.goAway(GoAway(graceMilliseconds: 1)))
        machine.finishRequested()
        let mayWriteBehindGoAway = machine.mayWrite(.end)
        let action = machine.failed(Self.loss).action
        machine.channelOpened()
        _ = machine.lineReceived(Self.hello)
        let mayWrite = machine.mayWrite(.end)
        #expect(!mayWriteBehindGoAway && mayWrite)
        #expect(action == .reconnect(attempt: 1))
    }

    @Test func framesAndTheEndWaitForAnswersBeyondTwoWindows() {
        var machine = Self.openMachine()
        _ = machine.lineReceived(Self.configured(window: 2))
        var written: UInt64 = 0
        while machine.mayWrite(.frame), written < 9 {
            written += 1
            machine.frameWritten(Self.frame(written))
        }
        #expect(written == 4)
        var mayPingAndEnd = [machine.mayWrite(.ping), machine.mayWrite(.end)]
        #expect(mayPingAndEnd == [true, false])
        for sequence in 1...written { _ = machine.lineReceived(Self.result(sequence)) }
        mayPingAndEnd = [machine.mayWrite(.ping), machine.mayWrite(.end)]
        #expect(mayPingAndEnd == [true, true])
    }

    @Test func aFrameOfACameraIsSendableWhileFewerThanTwoAreUnanswered() {
        var machine = ClientStateMachine(reconnect: nil)
        var isSendable = [machine.isSendable]
        machine.channelOpened()
        _ = machine.lineReceived(Self.hello)
        isSendable.append(machine.isSendable)
        machine.frameWritten(Self.frame(1))
        isSendable.append(machine.isSendable)
        machine.frameWritten(Self.frame(2))
        isSendable.append(machine.isSendable)
        _ = machine.lineReceived(Self.result(1))
        isSendable.append(machine.isSendable)
        #expect(isSendable == [false, true, true, false, true])
    }

    /// The server has not seen the options yet, which set the window and may be refused.
    @Test func theAnswerToATokenAloneSaysNothingOfTheOptions() {
        var machine = Self.openMachine(ReconnectPolicy())
        _ = machine.lineReceived(Self.configured(window: 1))
        let first = machine.failed(Self.loss).action
        machine.channelOpened()
        _ = machine.lineReceived(Self.hello)
        machine.willOpen(withTokenAlone: true)
        _ = machine.lineReceived(Self.configured(window: nil))
        for sequence in 1...2 { machine.frameWritten(Self.frame(UInt64(sequence))) }
        let mayWrite = machine.mayWrite(.frame)
        let second = machine.failed(Self.loss).action
        #expect(!mayWrite)
        #expect([first, second] == [.reconnect(attempt: 1), .reconnect(attempt: 2)])
    }

    @Test(arguments: [-1, 0, Int.max, nil] as [Int?])
    func anyWindowLeavesRoomForAFrame(window: Int?) {
        var machine = Self.openMachine()
        _ = machine.lineReceived(Self.configured(window: window))
        machine.frameWritten(Self.frame(1))
        let mayWrite = machine.mayWrite(.frame)
        #expect(mayWrite)
    }

    @Test func theFirstPingIsDueBeforeTheServerLosesPatience() {
        var machine = Self.openMachine()
        let (atFirst, shorter) = (machine.pingDelay(within: .seconds(240)), machine.pingDelay(within: .seconds(1)))
        machine.messageWritten(.frame)
        let later = machine.pingDelay(within: .seconds(240))
        #expect([atFirst, shorter, later] == [.seconds(2), .seconds(1), .seconds(240)])
    }

    @Test(arguments: Hello.Authentication.allCases)
    func noPingIsSentInPlaceOfAToken(authentication: Hello.Authentication) {
        var machine = ClientStateMachine(reconnect: nil)
        machine.channelOpened()
        let hello = Hello(version: "0", authentication: authentication, limits: WireLimits(), levels: [.fast])
        _ = machine.lineReceived(.hello(hello))
        let atFirst = machine.mayPing
        machine.messageWritten(.configure)
        let later = machine.mayPing
        #expect(atFirst == (authentication == .none) && later)
    }

    @Test func aHandshakeThatFailedIsNotTriedAgain() {
        var machine = Self.openMachine(ReconnectPolicy())
        let error = NIOSSLExtraError.failedToValidateHostname
        let action = machine.failed(.notSecured("localhost:1", error)).action
        #expect(error.isHandshakeFailure && action == .stop)
    }

    @Test func aServerThatLeavesDuringTheHandshakeIsTriedAgain() {
        let error = NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))
        #expect(!error.isHandshakeFailure)
        #expect(NIOSSLError.handshakeFailed(.sslError([])).isHandshakeFailure)
    }

    @Test func nothingIsWrittenAfterAGoaway() {
        var machine = Self.openMachine(ReconnectPolicy())
        machine.frameWritten(Self.frame(1))
        _ = machine.lineReceived(.goAway(GoAway(graceMilliseconds: 1)))
        let (isOpen, hasHello) = (machine.isOpen, machine.hasHello)
        #expect(!isOpen && hasHello)
        guard case .deliver(_?) = machine.lineReceived(Self.result(1)) else { return #expect(Bool(false)) }
        let action = machine.failed(Self.loss).action
        #expect(action == .reconnect(attempt: 1))
    }

    @Test func aFinishThatWasNotSentCanBeTakenBack() {
        var machine = Self.openMachine(ReconnectPolicy())
        machine.finishRequested()
        let refusedBefore = machine.refusesMessages
        machine.finishCancelled()
        let refusedAfter = machine.refusesMessages
        #expect(refusedBefore && !refusedAfter)
    }

    @Test func theEndOfTheStreamIsTheEnd() {
        var machine = Self.openMachine()
        machine.finishRequested()
        machine.messageWritten(.end)
        let action = machine.lineReceived(.end(EndLine(sequence: 1, frames: 0)))
        let hasEnded = machine.hasEnded
        guard case .finish = action else { return #expect(Bool(false), "\(action)") }
        #expect(hasEnded)
    }
}
