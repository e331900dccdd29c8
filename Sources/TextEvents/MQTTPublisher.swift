package import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Sink that publishes texts and events to an MQTT broker, with Home Assistant's discovery.
///
/// All messages have quality of service 1. Texts and availability are retained, and published again at each connection; events
/// that happen without a connection are not published, but counted. The first connection removes the texts of earlier runs, later ones
/// those of this run alone. The broker publishes `offline` if the program is gone.
package final class MQTTPublisher: EventSink {
    /// Time for the last messages when the program ends.
    private static let grace = Duration.seconds(3)
    private static let online = "online"
    private static let offline = "offline"

    private struct State {
        var sources: [MQTTSource]
        var slugs: UniqueSlugs
        /// Topics of what is no longer watched, until the broker has acknowledged their removal.
        var formerTopics: Set<String> = []
        /// Number of the message that removes the last of ``formerTopics``.
        var lastRemoval: Int32?
        var client: MQTTClient?
        var isConnected = false
        /// Number of connections so far.
        var connectionCount = 0
        /// Number of times that the broker has yet to send back the `online` of this connection.
        var awaitedEchoes = 0
        /// Whether another program has the prefix, so that topics which are not known here may be its own.
        var isPrefixShared = false
        var isEnding = false
        var hasReportedFailure = false
        var lastMessage: Int32 = 0
        /// Numbers of the messages with events that the broker has not acknowledged.
        var unacknowledged: Set<Int32> = []
        /// Number of events that were not published, or not acknowledged, since the broker was last connected.
        var missedCount = 0
        /// Waits for the broker to acknowledge ``lastMessage``.
        var closing: CheckedContinuation<Void, Never>?
    }

    private let configuration: MQTTConfiguration
    private let logger: Logger
    private let state: NIOLockedValueBox<State>

    /// Creates a publisher without a connection.
    ///
    /// - Parameters:
    ///   - configuration: The broker.
    ///   - sources: The sources.
    ///   - logger: Reports once that the broker is gone, and once that it is back.
    package init(
        _ configuration: MQTTConfiguration,
        sources: [EventSource],
        logger: Logger
    ) {
        (self.configuration, self.logger) = (configuration, logger)
        var slugs = UniqueSlugs()
        let sources = sources.map { MQTTSource($0, configuration: configuration, slugs: &slugs) }
        self.state = NIOLockedValueBox(State(sources: sources, slugs: slugs))
    }

    /// Connects, and again whenever the connection is lost.
    ///
    /// - Throws: ``EventError`` if the library is not installed, or rejects the configuration, or there is no thread for it.
    package func start() throws(EventError) {
        let client = try MQTTClient(
            self.configuration,
            will: self.configuration.statusTopic,
            handlers: MQTTClient.Handlers(
                connected: { [weak self] in self?.connected() },
                disconnected: { [weak self] in self?.disconnected(reason: $0) },
                acknowledged: { [weak self] in self?.acknowledged($0) },
                received: { [weak self] in self?.received($0) }
            )
        )
        self.state.withLockedValue { $0.client = client }
        try client.start()
    }

    package func send(_ report: EventReport) {
        self.state.withLockedValue { state in
            // A source that is no longer watched may still send what it had in work.
            guard let index = state.sources.firstIndex(where: { $0.source == report.source }) else { return }
            let before = state.sources[index]
            var source = before
            source.texts = report.texts
            for event in report.events {
                switch event.kind {
                case .online: source.isOnline = true
                case .offline: source.isOnline = false
                default: break
                }
            }
            state.sources[index] = source
            guard state.isConnected else {
                state.missedCount += report.events.count
                return
            }
            for event in report.events { self.publish(event, of: source, &state) }
            for (publication, old) in zip(source.state, before.state) where publication != old {
                self.publish(publication, &state)
            }
            if source.isOnline != before.isOnline { self.publish(source.status, &state) }
        }
    }

    package func sourcesChanged(to sources: [EventSource]) {
        self.state.withLockedValue { state in
            let before = state.sources
            state.slugs.keep(sources.map(\.name))
            state.sources = sources.map { source in
                before.first { $0.source == source }
                    ?? MQTTSource(source, configuration: self.configuration, slugs: &state.slugs)
            }
            state.formerTopics.formUnion(before.flatMap(\.topics))
            state.formerTopics.subtract(state.sources.flatMap(\.topics))
            guard state.isConnected else { return }
            self.removeFormerTopics(&state)
            for source in state.sources where !before.contains(where: { $0.source == source.source }) {
                for publication in source.publications { self.publish(publication, &state) }
            }
        }
    }

    package func close() async -> Int {
        let limit = Task {
            try await Task.sleep(for: Self.grace)
            self.acknowledged(nil)
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isConnected = self.state.withLockedValue { state in
                guard state.isConnected else { return false }
                (state.closing, state.isEnding) = (continuation, true)
                for index in state.sources.indices where state.sources[index].isOnline {
                    state.sources[index].isOnline = false
                    self.publish(state.sources[index].status, &state)
                }
                self.publish(status: Self.offline, &state)
                return true
            }
            if !isConnected { continuation.resume() }
        }
        limit.cancel()
        let (client, lost) = self.state.withLockedValue { ($0.client, $0.missedCount + $0.unacknowledged.count) }
        client?.stop()
        if lost > 0 {
            self.logger.error(
                "MQTT broker did not accept the last events",
                metadata: ["lost": .stringConvertible(lost)]
            )
        }
        return lost
    }

    /// Publishes under the lock, so that a retained state never replaces a newer one.
    ///
    /// - Returns: The number with which the broker acknowledges it; `nil` if it is not published.
    @discardableResult
    private func publish(_ publication: MQTTPublication, _ state: inout State) -> Int32? {
        let message = state.client?.publish(publication)
        state.lastMessage = message ?? state.lastMessage
        return message
    }

    /// Publishes an event, which is missed unless the broker acknowledges it.
    private func publish(_ event: TextEvent, of source: MQTTSource, _ state: inout State) {
        if let message = self.publish(source.event(event), &state) {
            state.unacknowledged.insert(message)
        } else {
            state.missedCount += 1
        }
    }

    private func removeFormerTopics(_ state: inout State) {
        for topic in state.formerTopics { self.publish(MQTTPublication(removalOf: topic), &state) }
        state.lastRemoval = state.formerTopics.isEmpty ? nil : state.lastMessage
    }

    private func publish(status: String, _ state: inout State) {
        let topic = self.configuration.statusTopic
        self.publish(MQTTPublication(topic: topic, payload: ByteBuffer(string: status)), &state)
        if status == Self.online { state.awaitedEchoes += 1 }
    }
}

// MARK: Callbacks, on the library's thread

extension MQTTPublisher {
    private func connected() {
        let missed = self.state.withLockedValue { state in
            (state.isConnected, state.hasReportedFailure) = (true, false)
            state.connectionCount += 1
            state.awaitedEchoes = 0
            // Before anything is published, since the broker then has what was there.
            state.client?.subscribe(to: self.configuration.subscriptions)
            self.removeFormerTopics(&state)
            for source in state.sources {
                for publication in source.publications { self.publish(publication, &state) }
            }
            self.publish(status: Self.online, &state)
            defer { state.missedCount = 0 }
            return state.missedCount
        }
        var facts: Logger.Metadata = ["host": "\(self.configuration.host)"]
        if missed > 0 { facts["missed"] = .stringConvertible(missed) }
        self.logger.info("MQTT broker connected", metadata: facts)
    }

    private func received(_ message: MQTTPublication) {
        guard message.topic != self.configuration.statusTopic else { return self.received(status: message) }
        self.state.withLockedValue { state in
            guard !state.isEnding else { return }
            if message.isRetained {
                self.removeLeftover(message, &state)
            } else if message.payload.readableBytes == 0 {
                self.restore(message.topic, &state)
            }
        }
    }

    /// Removes what an earlier run has left, unless another program has the prefix.
    ///
    /// Only the first connection knows that: at a later one, the `online` that the broker has kept may be this program's own.
    private func removeLeftover(_ message: MQTTPublication, _ state: inout State) {
        guard state.connectionCount == 1, !state.isPrefixShared,
            let leftover = MQTTLeftover(message, configuration: self.configuration, sources: state.sources)
        else { return }
        for publication in leftover.removal { self.publish(publication, &state) }
    }

    /// Publishes a source again whose texts another program has removed, such as one that took them for leftovers.
    private func restore(_ topic: String, _ state: inout State) {
        guard let source = state.sources.first(where: { $0.topics.contains(topic) }) else { return }
        for publication in source.publications { self.publish(publication, &state) }
    }

    /// Takes the status of this program, as the broker sends it back, or of another one with the same prefix.
    private func received(status message: MQTTPublication) {
        let status = String(buffer: message.payload)
        let isFirstSign = self.state.withLockedValue { state in
            // The end of another program, or the last will of a connection before this one.
            if status == Self.offline, !message.isRetained, !state.isEnding {
                self.publish(status: Self.online, &state)
            }
            guard status == Self.online, Self.isOfAnother(isRetained: message.isRetained, &state) else { return false }
            defer { state.isPrefixShared = true }
            return !state.isPrefixShared
        }
        guard isFirstSign else { return }
        self.logger.warning(
            "another program publishes below this MQTT prefix, or was cut off: each needs its own",
            metadata: ["prefix": "\(self.configuration.prefix)"]
        )
    }

    /// Whether an `online` is of another program: it was there before the first connection, or comes once too often.
    private static func isOfAnother(isRetained: Bool, _ state: inout State) -> Bool {
        if isRetained { return state.connectionCount == 1 }
        state.awaitedEchoes -= 1
        return state.awaitedEchoes < 0
    }

    private func disconnected(reason: String) {
        let isFirst = self.state.withLockedValue { state in
            defer { (state.isConnected, state.hasReportedFailure) = (false, true) }
            // Another connection does not repeat them.
            state.missedCount += state.unacknowledged.count
            state.unacknowledged = []
            return !state.hasReportedFailure
        }
        self.acknowledged(nil)
        guard isFirst else { return }
        self.logger.warning(
            "MQTT broker not connected, and is tried again",
            metadata: ["host": "\(self.configuration.host)", "reason": "\(reason)"]
        )
    }

    /// Continues the end of the program when the last message is acknowledged, or with `nil` in any case.
    private func acknowledged(_ message: Int32?) {
        let closing = self.state.withLockedValue { state -> CheckedContinuation<Void, Never>? in
            if let message {
                state.unacknowledged.remove(message)
                if message == state.lastRemoval { state.formerTopics = [] }
            }
            guard message == nil || message == state.lastMessage else { return nil }
            defer { state.closing = nil }
            return state.closing
        }
        closing?.resume()
    }
}
