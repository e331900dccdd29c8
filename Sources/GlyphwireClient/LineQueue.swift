internal import NIOCore
internal import NIOConcurrencyHelpers

/// The lines between the event loop, which reads them, and the tasks that take them.
final class LineQueue: Sendable {
    private struct State {
        var lines = CircularBuffer<ReceivedLine>()
        var waiting: [(ticket: WaitTicket, continuation: CheckedContinuation<ReceivedLine?, any Error>)] = []
        var end: Result<Void, any Error>?
        /// Called when a reader that found no room may go on.
        var resume: (@Sendable () -> Void)?
    }

    private let capacity: Int
    private let state = NIOLockedValueBox(State())

    /// A queue that asks its reader to pause at `capacity` lines.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    /// Hands a line to the task that waits longest, or keeps it; nothing is taken after the end.
    func push(_ line: ReceivedLine) {
        let continuation = self.state.withLockedValue { state -> CheckedContinuation<ReceivedLine?, any Error>? in
            guard state.end == nil else { return nil }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.lines.append(line)
            return nil
        }
        continuation?.resume(returning: line)
    }

    /// Whether the reader should go on; if not, `resume` is called once when it should.
    func hasRoom(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        self.state.withLockedValue { state in
            guard state.lines.count >= self.capacity, state.end == nil else { return true }
            state.resume = resume
            return false
        }
    }

    /// Ends the sequence behind the lines that are still here; only the first end counts.
    func finish(throwing error: (any Error)? = nil) {
        let waiting = self.state.withLockedValue { state in
            guard state.end == nil else { return [] as [CheckedContinuation<ReceivedLine?, any Error>] }
            state.end = error.map { .failure($0) } ?? .success(())
            state.resume = nil
            defer { state.waiting = [] }
            return state.waiting.map(\.continuation)
        }
        for continuation in waiting {
            if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: nil) }
        }
    }

    /// The next line, `nil` after the last.
    ///
    /// - Throws: What the sequence ended with, or `CancellationError`.
    func next() async throws -> ReceivedLine? {
        let ticket = WaitTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.take(ticket, continuation)
            }
        } onCancel: {
            ticket.cancel()
            let continuation = self.state.withLockedValue { state in
                state.waiting.firstIndex { $0.ticket === ticket }.map { state.waiting.remove(at: $0).continuation }
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    private func take(_ ticket: WaitTicket, _ continuation: CheckedContinuation<ReceivedLine?, any Error>) {
        var resume: (@Sendable () -> Void)?
        let result = self.state.withLockedValue { state -> Result<ReceivedLine?, any Error>? in
            if ticket.isCancelled { return .failure(CancellationError()) }
            if let line = state.lines.popFirst() {
                if state.lines.count <= self.capacity / 2 {
                    resume = state.resume
                    state.resume = nil
                }
                return .success(line)
            }
            if let end = state.end { return end.map { nil } }
            state.waiting.append((ticket, continuation))
            return nil
        }
        resume?()
        if let result { continuation.resume(with: result) }
    }
}
