import Glibc
import GlyphwireProtocol
import Logging
import NIOCore
import Testing

@testable import TextEvents

/// Whether libmosquitto is installed.
private let hasMosquitto = dlopen("libmosquitto.so.1", RTLD_LAZY) != nil

/// What the publisher says to a broker, by Mosquitto's library.
@Suite(.enabled(if: hasMosquitto, "libmosquitto is missing"), .timeLimit(.minutes(1))) struct MQTTPublisherTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let gate = EventSource(name: "gate", patterns: ["a"])
    private static let texts = #"{"text":"TWO","texts":["TWO"]}"#

    /// What removes the texts of a source called meter.
    private static let removal = [
        "glyphwire/meter/status", "homeassistant/sensor/glyphwire_meter/find_0/config", "glyphwire/meter/find/0",
    ]

    private static func publisher(_ broker: StubBroker, sources: [EventSource] = [Self.gate]) throws -> MQTTPublisher {
        let configuration = try MQTTConfiguration("mqtt://127.0.0.1:\(broker.port)")
        let publisher = MQTTPublisher(configuration, sources: sources, logger: Self.logger)
        try publisher.start()
        return publisher
    }

    /// The next messages, up to the one with a topic and a content.
    private static func messages(
        of broker: StubBroker,
        upTo topic: String,
        _ payload: String
    ) async -> [StubBroker.Message] {
        var seen: [StubBroker.Message] = []
        for await message in broker.messages {
            seen.append(message)
            if message.topic == topic, message.payload == payload { break }
        }
        return seen
    }

    /// The next messages, up to the answer to the end of another program, which comes behind all that the broker has sent.
    private static func lastMessages(of broker: StubBroker) async -> [StubBroker.Message] {
        broker.send("glyphwire/status", "offline")
        return await Self.messages(of: broker, upTo: "glyphwire/status", "online")
    }

    private static func removed(in messages: [StubBroker.Message]) -> [String] {
        messages.filter { $0.payload.isEmpty && $0.isRetained }.map(\.topic)
    }

    @Test func whatAnEarlierRunHasLeftIsRemovedAndNothingOfOthers() async throws {
        let broker = try await StubBroker.start(retained: [
            ("glyphwire/status", "offline"), ("glyphwire/gate/find/0", Self.texts), ("glyphwire/lamp/text", "on"),
            ("glyphwire/meter/find/0", Self.texts),
        ])
        let publisher = try Self.publisher(broker)
        let messages = await Self.messages(of: broker, upTo: "glyphwire/meter/find/0", "")
        #expect(Self.removed(in: messages) == Self.removal)
        #expect(await publisher.close() == 0)
        try await broker.close()
    }

    @Test func whatWasRemovedWhileTheBrokerWasAwayIsRemovedOnceItIsBack() async throws {
        let broker = try await StubBroker.start(retained: [("glyphwire/meter/find/0", Self.texts)])
        let publisher = try Self.publisher(broker, sources: [Self.gate, EventSource(name: "meter", patterns: ["b"])])
        let first = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        #expect(Self.removed(in: first) == [])
        broker.disconnect()
        publisher.sourcesChanged(to: [Self.gate])
        let second = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        #expect(Set(Self.removed(in: second)) == Set(Self.removal))
        #expect(await publisher.close() == 0)
        try await broker.close()
    }

    @Test func aSourceThatIsNoLongerWatchedIsRemovedOnceAndMayBeAnotherProgramsThen() async throws {
        let broker = try await StubBroker.start(retained: [])
        let publisher = try Self.publisher(broker, sources: [Self.gate, EventSource(name: "meter", patterns: ["b"])])
        _ = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        publisher.sourcesChanged(to: [EventSource(name: "gate", patterns: ["a", "c"])])
        let first = await Self.lastMessages(of: broker)
        #expect(Set(Self.removed(in: first)) == Set(Self.removal))
        // The acknowledgements come before this.
        _ = await Self.lastMessages(of: broker)
        broker.disconnect()
        let second = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        #expect(Self.removed(in: second) == [])
        #expect(await publisher.close() == 0)
        try await broker.close()
    }

    @Test func theTopicsOfAProgramThatCameMeanwhileStayOnceTheBrokerIsBack() async throws {
        let broker = try await StubBroker.start(retained: [])
        let publisher = try Self.publisher(broker)
        _ = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        broker.keep([("glyphwire/status", "online"), ("glyphwire/meter/find/0", Self.texts)])
        broker.disconnect()
        let before = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        let after = await Self.lastMessages(of: broker)
        #expect(Self.removed(in: before + after) == [])
        #expect(await publisher.close() == 0)
        try await broker.close()
    }

    @Test func whatAnotherProgramRemovesIsPublishedAgain() async throws {
        let broker = try await StubBroker.start(retained: [])
        let publisher = try Self.publisher(broker)
        _ = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        broker.send("glyphwire/gate/find/0", "")
        let messages = await Self.messages(of: broker, upTo: "glyphwire/gate/status", "offline")
        #expect(
            messages.map(\.topic) == [
                "homeassistant/sensor/glyphwire_gate/find_0/config", "glyphwire/gate/find/0", "glyphwire/gate/status",
            ]
        )
        #expect(Self.removed(in: messages) == [])
        #expect(await publisher.close() == 0)
        try await broker.close()
    }

    @Test func theTopicsOfAnotherProgramWithThePrefixStayAndTheStatusIsOnlineAfterItsEnd() async throws {
        let broker = try await StubBroker.start(retained: [
            ("glyphwire/status", "online"), ("glyphwire/meter/find/0", Self.texts),
        ])
        let publisher = try Self.publisher(broker)
        let before = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        let after = await Self.lastMessages(of: broker)
        #expect(Self.removed(in: before + after) == [])
        #expect(await publisher.close() == 0)
        try await broker.close()
    }

    @Test func atTheEndSourcesAreOffline() async throws {
        let broker = try await StubBroker.start(retained: [])
        let publisher = try Self.publisher(broker)
        _ = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        publisher.send(Self.report)
        _ = await Self.messages(of: broker, upTo: "glyphwire/gate/status", "online")
        #expect(await publisher.close() == 0)
        let last = await Self.messages(of: broker, upTo: "glyphwire/status", "offline")
        #expect(last.map(\.topic) == ["glyphwire/gate/status", "glyphwire/status"])
        #expect(last.map(\.payload) == ["offline", "offline"])
        try await broker.close()
    }

    /// A report of the gate with one event.
    private static var report: EventReport {
        let online = TextEvent(.online, source: "gate", time: .wall(microseconds: 0))
        return EventReport(events: [online], texts: [], source: Self.gate)
    }

    @Test func anEventThatTheBrokerDoesNotAcknowledgeIsLost() async throws {
        let broker = try await StubBroker.start(retained: [], acknowledges: false)
        let publisher = try Self.publisher(broker)
        _ = await Self.messages(of: broker, upTo: "glyphwire/status", "online")
        publisher.send(Self.report)
        _ = await Self.messages(of: broker, upTo: "glyphwire/gate/status", "online")
        // The end does not wait for a broker that is gone.
        try await broker.close()
        broker.disconnect()
        #expect(await publisher.close() == 1)
    }

    @Test func anEventWithoutABrokerIsLost() async throws {
        let broker = try await StubBroker.start(retained: [])
        try await broker.close()
        let publisher = try Self.publisher(broker)
        publisher.send(Self.report)
        #expect(await publisher.close() == 1)
    }

    @Test func aFileOfAuthoritiesThatIsNoneIsNamed() throws {
        var configuration = try MQTTConfiguration("mqtts://127.0.0.1")
        let mistakes = [
            "/nowhere.pem": "cannot be read: No such file or directory", "/": "cannot be read: Is a directory",
            "/dev/null": "has no certificate in PEM",
        ]
        for (file, mistake) in mistakes {
            configuration.authorities = file
            let error = EventError("the file \(file) \(mistake)")
            let publisher = MQTTPublisher(configuration, sources: [], logger: Self.logger)
            #expect(throws: error) { try publisher.start() }
        }
    }
}
