internal import NIOCore
internal import NIOConcurrencyHelpers

/// Queue of lines between the event loop, which reads them, and the tasks that take them.
final class LineQueue: Sendable {
    private struct State {
        var lines = CircularBuffer<(line: ReceivedLine, isTaken: Bool)>()
        /// Number of the lines that no caller has: they pause the reader.
        var heldCount = 0
        var waiting: [(ticket: WaitTicket, continuation: CheckedContinuation<ReceivedLine?, any Error>)] = []
        var end: Result<Void, any Error>?
        /// Whether its reader pauses at the capacity.
        var isLimited = true
        /// Callback for a reader that found no room and may continue.
        var resume: (@Sendable () -> Void)?
    }

    private let capacity: Int
    private let state = NIOLockedValueBox(State())

    /// Creates a queue that pauses its reader at `capacity` lines that no caller has.
    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    /// Passes a line to the task that has waited longest, or keeps it; lines after the end are dropped.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - isTaken: Whether a caller has it already; then it pauses no reader, and is kept only where few are unread.
    func push(_ line: ReceivedLine, isTaken: Bool = false) {
        let continuation = self.state.withLockedValue { state -> CheckedContinuation<ReceivedLine?, any Error>? in
            guard state.end == nil else { return nil }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            if isTaken, state.lines.count >= self.capacity { return nil }
            state.lines.append((line, isTaken))
            if !isTaken { state.heldCount += 1 }
            return nil
        }
        continuation?.resume(returning: line)
    }

    /// Whether the reader may continue; if not, `resume` is called once when it may.
    func hasRoom(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        self.state.withLockedValue { state in
            guard state.isLimited, state.heldCount >= self.capacity, state.end == nil else {
                // That of a connection that was lost while it was paused.
                state.resume = nil
                return true
            }
            state.resume = resume
            return false
        }
    }

    /// Sets whether the reader pauses where many lines are unread; without a limit, one that waits continues.
    func setLimited(_ isLimited: Bool) {
        let resume = self.state.withLockedValue { state -> (@Sendable () -> Void)? in
            state.isLimited = isLimited
            guard !isLimited else { return nil }
            defer { state.resume = nil }
            return state.resume
        }
        resume?()
    }

    /// Whether a reader waits for room.
    var isPaused: Bool { self.state.withLockedValue { $0.resume != nil } }

    /// Ends the sequence after the remaining lines; only the first end counts.
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

    /// Returns the next line; `nil` after the last.
    ///
    /// - Throws: The error that ended the sequence, or `CancellationError`.
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
            if let (line, isTaken) = state.lines.popFirst() {
                if !isTaken { state.heldCount -= 1 }
                if state.heldCount <= self.capacity / 2 {
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
