import GlyphwireProtocol
import HTTPRequests
import Logging
import NIOCore
import NIOPosix
import Testing

@testable import TextEvents

@Suite(.timeLimit(.minutes(1))) struct WebhookTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func report(_ reasons: [String]) -> EventReport {
        EventReport(
            events: reasons.map { TextEvent(.offline($0), source: "film", time: .position(microseconds: 0)) },
            texts: [],
            source: EventSource(name: "film")
        )
    }

    private static func report(_ count: Int) -> EventReport { self.report(Array(repeating: "end", count: count)) }

    /// A webhook that ends with the events that it has accepted.
    private static func webhook(
        _ receiver: StubReceiver,
        login: String = "",
        answerTime: Duration = .seconds(30),
        logger: Logger = Self.logger
    ) throws -> Webhook {
        let address = try #require(try HTTPAddress("http://\(login)127.0.0.1:\(receiver.port)/old"))
        return Webhook(address, answerTime: answerTime, grace: .seconds(50), logger: logger)
    }

    @Test func aFileWaitsForAnAddressThatIsSlowAndLosesNoEvent() async throws {
        let opening = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)
        let receiver = try await StubReceiver.start(opened: opening.futureResult)
        let webhook = try Self.webhook(receiver)
        webhook.send(Self.report(1100))
        let waiting = Task { await webhook.waitForRoom() }
        opening.succeed()
        await waiting.value
        // One event is on its way, and no more wait than may.
        #expect(receiver.requests.count >= 100)
        #expect(await webhook.close() == 0)
        #expect(receiver.requests.count == 1100)
        try await receiver.close()
    }

    @Test func whatIsNotDeliveredAtTheEndIsCounted() async throws {
        // Port 1 is never assigned.
        let address = try #require(try HTTPAddress("http://127.0.0.1:1/"))
        let webhook = Webhook(address, grace: .zero, logger: Self.logger)
        webhook.send(Self.report(3))
        #expect(await webhook.close() == 3)
    }

    @Test(arguments: ["307 Temporary Redirect", "308 Permanent Redirect"])
    func aRedirectThatKeepsTheRequestIsFollowedWithTheEvent(status: String) async throws {
        let receiver = try await StubReceiver.start { _, request in
            request.line == "POST /old"
                ? [StubReceiver.answer(status, headers: ["Location: /new"])] : [StubReceiver.answer("200 OK")]
        }
        let webhook = try Self.webhook(receiver)
        webhook.send(Self.report(1))
        #expect(await webhook.close() == 0)
        #expect(receiver.requests.map(\.line) == ["POST /old", "POST /new"])
        #expect(receiver.requests[0].body == receiver.requests[1].body)
        #expect(receiver.requests[1].body.contains(#""reason":"end""#))
        try await receiver.close()
    }

    @Test(arguments: ["301 Moved Permanently", "302 Found", "303 See Other"])
    func aRedirectThatLosesTheEventIsAnErrorAndTheEventIsRepeated(status: String) async throws {
        let receiver = try await StubReceiver.start { index, request in
            index == 0
                ? [StubReceiver.answer(status, headers: ["Location: /new"])] : [StubReceiver.answer("200 OK")]
        }
        let (logger, reasons) = Self.heard()
        let webhook = try Self.webhook(receiver, logger: logger)
        webhook.send(Self.report(1))
        #expect(await webhook.close() == 0)
        #expect(receiver.requests.map(\.line) == ["POST /old", "POST /old"])
        let reason = try #require(await reasons.first { $0 != "" })
        let redirect = "redirects to http://127.0.0.1:\(receiver.port)/new by \(status.prefix(3))"
        #expect(reason.contains(redirect), "\(reason)")
        try await receiver.close()
    }

    @Test func aRedirectToAPortThatIsNoneIsAnError() async throws {
        let receiver = try await StubReceiver.start { index, _ in
            let location = "Location: http://127.0.0.1:70000/x"
            return index == 0
                ? [StubReceiver.answer("307 Temporary Redirect", headers: [location])] : [StubReceiver.answer("200 OK")]
        }
        let webhook = try Self.webhook(receiver)
        webhook.send(Self.report(1))
        #expect(await webhook.close() == 0)
        #expect(receiver.requests.count == 2)
        try await receiver.close()
    }

    @Test func nameAndPasswordAreSentIfAskedForAndFromThenOn() async throws {
        let receiver = try await StubReceiver.start { _, request in
            let challenge = StubReceiver.answer("401 Unauthorized", headers: ["WWW-Authenticate: Basic realm=a"])
            return [request.authorization == nil ? challenge : StubReceiver.answer("200 OK")]
        }
        let webhook = try Self.webhook(receiver, login: "me:secret@")
        webhook.send(Self.report(2))
        #expect(await webhook.close() == 0)
        let login = "Basic bWU6c2VjcmV0"
        #expect(receiver.requests.map(\.authorization) == [nil, login, login])
        try await receiver.close()
    }

    @Test func anEventThatIsNeverAnsweredDoesNotBlockTheNext() async throws {
        let receiver = try await StubReceiver.start { _, request in
            request.body.contains("first") ? [] : [StubReceiver.answer("200 OK")]
        }
        let webhook = try Self.webhook(receiver, answerTime: .milliseconds(500))
        webhook.send(Self.report(["first", "second"]))
        #expect(await webhook.close() == 0)
        let reasons = receiver.requests.map { $0.body.contains("first") ? "first" : "second" }
        // The answer to the second may be late too on a busy machine.
        #expect(reasons.prefix(4) == ["first", "first", "first", "second"])
        try await receiver.close()
    }

    @Test func answersWithABodyKeepTheConnection() async throws {
        let answer = StubReceiver.answer("200 OK", body: "accepted")
        let receiver = try await StubReceiver.start { _, _ in
            // The body comes after the head.
            [String(answer.dropLast(8)), String(answer.suffix(8))]
        }
        let webhook = try Self.webhook(receiver)
        webhook.send(Self.report(5))
        #expect(await webhook.close() == 0)
        #expect(receiver.requests.map(\.connection) == [0, 0, 0, 0, 0])
        try await receiver.close()
    }

    /// A logger whose reasons a test can wait for.
    private static func heard() -> (logger: Logger, reasons: AsyncStream<String>) {
        let (reasons, reason) = AsyncStream<String>.makeStream()
        return (Logger(label: "test") { _ in ReasonLogHandler(reasons: reason) }, reasons)
    }
}

/// Passes the reason of every entry to a stream.
private struct ReasonLogHandler: LogHandler {
    let reasons: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) { self.reasons.yield(event.metadata?["reason"].map { "\($0)" } ?? "") }
}
