package import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore

/// Sink that publishes texts and events to an MQTT broker, with Home Assistant's discovery.
///
/// All messages have quality of service 1. Texts and availability are retained, and published again at each connection;
/// events that happen without a connection are not published. The broker publishes `offline` if the program is gone.
package final class MQTTPublisher: EventSink {
    /// Time for the last messages when the program ends.
    private static let grace = Duration.seconds(3)

    private struct State {
        var sources: [MQTTSource]
        var slugs: UniqueSlugs
        var client: MQTTClient?
        var isConnected = false
        var hasReportedFailure = false
        var lastMessage: Int32 = 0
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
    /// - Throws: ``EventError`` if the library is not installed, or rejects the configuration.
    package func start() throws(EventError) {
        let client = try MQTTClient(
            self.configuration,
            will: self.statusTopic,
            handlers: MQTTClient.Handlers(
                connected: { [weak self] in self?.connected() },
                disconnected: { [weak self] in self?.disconnected(reason: $0) },
                acknowledged: { [weak self] in self?.acknowledged($0) }
            )
        )
        self.state.withLockedValue { $0.client = client }
        client.start()
    }

    private var statusTopic: String { "\(self.configuration.prefix)/status" }

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
            guard state.isConnected else { return }
            for event in report.events { self.publish(source.event(event), &state) }
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
            guard state.isConnected else { return }
            for old in before {
                for publication in old.removal(except: state.sources) { self.publish(publication, &state) }
            }
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
                state.closing = continuation
                self.publish(status: "offline", &state)
                return true
            }
            if !isConnected { continuation.resume() }
        }
        limit.cancel()
        self.state.withLockedValue(\.client)?.stop()
        // Events without a connection are not published, and the library has the others.
        return 0
    }

    /// Publishes under the lock, so that a retained state never replaces a newer one.
    private func publish(_ publication: MQTTPublication, _ state: inout State) {
        state.lastMessage = state.client?.publish(publication) ?? state.lastMessage
    }

    private func publish(status: String, _ state: inout State) {
        self.publish(MQTTPublication(topic: self.statusTopic, payload: ByteBuffer(string: status)), &state)
    }
}

// MARK: Callbacks, on the library's thread

extension MQTTPublisher {
    private func connected() {
        self.state.withLockedValue { state in
            (state.isConnected, state.hasReportedFailure) = (true, false)
            for source in state.sources {
                for publication in source.publications { self.publish(publication, &state) }
            }
            self.publish(status: "online", &state)
        }
        self.logger.info("MQTT broker connected", metadata: ["host": "\(self.configuration.host)"])
    }

    private func disconnected(reason: String) {
        let isFirst = self.state.withLockedValue { state in
            defer { (state.isConnected, state.hasReportedFailure) = (false, true) }
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
            guard message == nil || message == state.lastMessage else { return nil }
            defer { state.closing = nil }
            return state.closing
        }
        closing?.resume()
    }
}
