internal import AsyncHTTPClient
internal import Foundation
internal import GlyphwireClient
package import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1

/// Sink that posts each event to a web address, in order, and repeats it until the address accepts it.
///
/// Where the address is slow, the oldest events of live sources are dropped, and files wait.
package final class Webhook: EventSink {
    /// Time for one request.
    private static let timeout = TimeAmount.seconds(10)

    private struct State {
        var waiting = EventBacklog()
        var isClosed = false
        /// Whether an event was taken that the address has not accepted.
        var isPosting = false
        var taker: CheckedContinuation<ByteBuffer?, Never>?
    }

    private let url: String
    private let grace: Duration
    private let logger: Logger
    private let client: HTTPClient
    private let state = NIOLockedValueBox(State())
    private let room = RoomWaiters()
    private let worker = NIOLockedValueBox<Task<Void, Never>?>(nil)

    /// Creates a sink, which begins at once.
    ///
    /// - Parameters:
    ///   - url: The address, HTTP or HTTPS.
    ///   - grace: The time for what is left when the program ends; 5 seconds by default.
    ///   - logger: Reports once that the address does not accept events, and once that it does again.
    package init(url: String, grace: Duration = .seconds(5), logger: Logger) {
        self.url = url
        self.grace = grace
        self.logger = logger
        var configuration = HTTPClient.Configuration()
        // Events are repeated here, and the reason is reported at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        self.client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.worker.withLockedValue { $0 = Task { [self] in await self.work() } }
    }

    package func send(_ report: EventReport) {
        for event in report.events { self.append(event.json(of: report.source), mayBeDropped: event.time.isLive) }
    }

    package func waitForRoom() async {
        await self.room.wait { self.state.withLockedValue(\.waiting.hasRoom) }
    }

    package func close() async -> Int {
        let taker = self.state.withLockedValue { state in
            state.isClosed = true
            defer { state.taker = nil }
            return state.waiting.isEmpty ? state.taker : nil
        }
        taker?.resume(returning: nil)
        let worker = self.worker.withLockedValue(\.self)
        let limit = Task {
            try await Task.sleep(for: self.grace)
            worker?.cancel()
        }
        await worker?.value
        limit.cancel()
        try? await self.client.shutdown()
        let left = self.state.withLockedValue { $0.waiting.count + ($0.isPosting ? 1 : 0) }
        if left > 0 {
            self.logger.error("webhook did not accept the last events", metadata: ["lost": "\(left)"])
        }
        return left
    }

    /// Whether `url` is an address to which events can be posted.
    package static func accepts(_ url: String) -> Bool {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased() else { return false }
        return ["http", "https"].contains(scheme) && parts.host?.isEmpty == false
    }

    private func append(_ body: ByteBuffer, mayBeDropped: Bool) {
        let (taker, isFirstDrop) = self.state.withLockedValue {
            state -> (CheckedContinuation<ByteBuffer?, Never>?, Bool) in
            if let taker = state.taker {
                state.taker = nil
                state.isPosting = true
                return (taker, false)
            }
            return (nil, state.waiting.append(body, mayBeDropped: mayBeDropped))
        }
        taker?.resume(returning: body)
        if isFirstDrop { self.logger.warning("webhook is behind: the oldest events are dropped") }
    }

    private func next() async -> ByteBuffer? {
        await withCheckedContinuation { continuation in
            let event = self.state.withLockedValue { state -> ByteBuffer?? in
                if let first = state.waiting.popFirst() {
                    state.isPosting = true
                    return first
                }
                if state.isClosed { return .some(nil) }
                state.taker = continuation
                return nil
            }
            if let event {
                continuation.resume(returning: event)
                if self.state.withLockedValue(\.waiting.hasRoom) { self.room.release() }
            }
        }
    }

    /// Posts events until the sink is closed.
    private func work() async {
        while let event = await self.next() {
            var backOff = BackOff(from: .milliseconds(500), to: .seconds(60))
            while let reason = await self.post(event) {
                if Task.isCancelled { return }
                if !backOff.hasFailed {
                    self.logger.warning("webhook does not accept events", metadata: ["reason": "\(reason)"])
                }
                try? await Task.sleep(for: backOff.failed())
                if Task.isCancelled { return }
            }
            self.state.withLockedValue { $0.isPosting = false }
            if backOff.hasFailed { self.logger.notice("webhook accepts events again") }
        }
    }

    /// Posts an event once.
    ///
    /// - Returns: Why it should be repeated; `nil` if it need not be.
    private func post(_ event: ByteBuffer) async -> String? {
        var request = HTTPClientRequest(url: self.url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(event)
        do {
            let status = try await self.client.execute(request, timeout: Self.timeout).status
            // Repeating what the address rejects as wrong would block all later events.
            if (400..<500).contains(status.code), ![408, 429].contains(status.code) {
                self.logger.warning("webhook rejects an event", metadata: ["status": "\(status.code)"])
                return nil
            }
            return (200..<300).contains(status.code) ? nil : "it answers \(status.code)"
        } catch {
            return (error as? HTTPClientError)?.shortDescription ?? error.reason
        }
    }
}
