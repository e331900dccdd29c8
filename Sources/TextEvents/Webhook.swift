internal import GlyphwireClient
package import HTTPRequests
package import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1

/// Sink that posts each event to a web address, in order, and repeats it until the address accepts it.
///
/// Where the address is slow, the oldest events of live sources are dropped, and files wait.
package final class Webhook: EventSink {
    /// Maximum number of requests with one event that stay without an answer; by then the address most likely has it.
    private static let maxSilentRequests = 3

    private struct State {
        var waiting = EventBacklog()
        var isClosed = false
        /// Whether an event was taken that the address has not accepted.
        var isPosting = false
        var taker: CheckedContinuation<ByteBuffer?, Never>?
    }

    /// What became of a request.
    private enum Answer {
        case accepted
        /// The address rejects the event as wrong: repeating it would block all later ones.
        case rejected(code: UInt)
        case failed(reason: String)
        /// The address took the request, and did not answer in time.
        case missing(reason: String)
    }

    private let address: HTTPAddress
    private let answerTime: Duration
    private let grace: Duration
    private let logger: Logger
    private let state = NIOLockedValueBox(State())
    private let room = RoomWaiters()
    private let worker = NIOLockedValueBox<Task<Void, Never>?>(nil)

    /// Creates a sink, which begins at once.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - answerTime: The time for one request; 30 seconds by default, in which a function in a cloud has started.
    ///   - grace: The time for what is left when the program ends; 5 seconds by default.
    ///   - logger: Reports once that the address does not accept events, and once that it does again.
    package init(
        _ address: HTTPAddress,
        answerTime: Duration = .seconds(30),
        grace: Duration = .seconds(5),
        logger: Logger
    ) {
        (self.address, self.answerTime, self.grace, self.logger) = (address, answerTime, grace, logger)
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
        let left = self.state.withLockedValue { $0.waiting.count + ($0.isPosting ? 1 : 0) }
        if left > 0 {
            self.logger.error("webhook did not accept the last events", metadata: ["lost": .stringConvertible(left)])
        }
        return left
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
        var requester = HTTPRequester(self.address, headTime: self.answerTime)
        while let event = await self.next() {
            guard await self.deliver(event, with: &requester) else { return }
            self.state.withLockedValue { $0.isPosting = false }
        }
    }

    /// Posts an event until it is accepted or left out.
    ///
    /// - Returns: Whether it was; `false` if the task was cancelled before.
    private func deliver(_ event: ByteBuffer, with requester: inout HTTPRequester) async -> Bool {
        var backOff = BackOff(from: .milliseconds(500), to: .seconds(60))
        var silentRequests = 0
        while true {
            switch await Self.post(event, with: &requester) {
            case .accepted:
                if backOff.hasFailed { self.logger.notice("webhook accepts events again") }
                return true
            case .rejected(let code):
                self.logger.warning(
                    "webhook rejects an event",
                    metadata: ["status": .stringConvertible(Int(clamping: code))]
                )
                return true
            case .missing where silentRequests + 1 == Self.maxSilentRequests:
                self.logger.warning("webhook does not answer, and an event is left out")
                return true
            case .missing(let reason):
                silentRequests += 1
                self.report(reason, backOff)
            case .failed(let reason): self.report(reason, backOff)
            }
            if Task.isCancelled { return false }
            try? await Task.sleep(for: backOff.failed())
            if Task.isCancelled { return false }
        }
    }

    /// Reports the first failure of an event.
    private func report(_ reason: String, _ backOff: BackOff) {
        guard !backOff.hasFailed, !Task.isCancelled else { return }
        self.logger.warning("webhook does not accept events", metadata: ["reason": "\(reason)"])
    }

    /// Posts an event once.
    private static func post(_ event: ByteBuffer, with requester: inout HTTPRequester) async -> Answer {
        do {
            let status = try await requester.post(event)
            switch status.code {
            case 200..<300: return .accepted
            case 408, 429: return .failed(reason: "it answers \(status.code)")
            case 400..<500: return .rejected(code: status.code)
            default: return .failed(reason: "it answers \(status.code)")
            }
        } catch let error as HTTPRequestError where error.code == .noAnswer {
            return .missing(reason: error.message)
        } catch {
            return .failed(reason: error.requestReason)
        }
    }
}
