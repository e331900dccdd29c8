internal import Dispatch
internal import NIOConcurrencyHelpers
package import NIOCore

/// Thread that writes lines to an output, which may block for any time without holding up those whose lines they are.
///
/// Lines are written whole: those that the output does not take are lost, but the rest of a line that was begun follows later.
package final class OutputThread<Backlog: OutputBacklog>: Sendable {
    private struct State {
        var backlog: Backlog
        /// Lines that the thread has taken, and that are neither written nor lost.
        var inWork = ByteBuffer()
        /// Number of lines that the output has not taken.
        var lostCount = 0
        var isClosed = false
        var hasLostReader = false
    }

    /// Called on the thread after it has written; with the reason where the output did not take all, and the number of lost lines.
    package typealias WriteHandler = @Sendable (_ failure: OutputResult.Failure?, _ lostCount: Int) -> Void

    private let state: NIOLockedValueBox<State>
    private let write: @Sendable (ByteBuffer) -> OutputResult
    /// Signalled for the first line that waits, and at the end.
    private let arrivals = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    /// Creates a thread that does not run yet.
    ///
    /// - Parameters:
    ///   - backlog: The lines that wait.
    ///   - write: Writes bytes, and blocks until they are taken.
    package init(_ backlog: Backlog, write: @escaping @Sendable (ByteBuffer) -> OutputResult) {
        self.state = NIOLockedValueBox(State(backlog: backlog))
        self.write = write
    }

    /// Starts the thread, which ends with ``close(within:)`` or when the output's reader has gone.
    ///
    /// - Parameters:
    ///   - name: The name, at most 15 bytes.
    ///   - taken: Called on the thread when it has taken the lines that wait.
    ///   - written: Called on the thread after it has written.
    /// - Throws: ``ThreadError`` if the system cannot start another thread.
    package func start(
        name: String,
        taken: @escaping @Sendable () -> Void = {},
        written: @escaping WriteHandler = { _, _ in }
    ) throws(ThreadError) {
        try NamedThread.start(name: name) {
            self.run(taken: taken, written: written)
            self.end.signal()
        }
    }

    /// Whether the output's reader has gone, after which lines are discarded.
    package var hasLostReader: Bool { self.state.withLockedValue(\.hasLostReader) }

    /// Returns what `body` finds in the lines that wait.
    package func read<Value>(_ body: (Backlog) -> Value) -> Value { self.state.withLockedValue { body($0.backlog) } }

    /// Changes the lines that wait, and has them written.
    ///
    /// - Returns: What `change` returns; `nil` once the output's reader has gone, after which it is not called.
    @discardableResult
    package func update<Value>(_ change: (inout Backlog) -> Value) -> Value? {
        let (value, isFirst) = self.state.withLockedValue { state -> (Value?, Bool) in
            guard !state.hasLostReader else { return (nil, false) }
            let wasEmpty = state.backlog.isEmpty
            let value = change(&state.backlog)
            return (value, wasEmpty && !state.backlog.isEmpty)
        }
        if isFirst { self.arrivals.signal() }
        return value
    }

    /// Waits until the lines are written, or their time is over; then no more are.
    ///
    /// - Parameter grace: The time, at least that of a reader that is there.
    /// - Returns: The number of lines that the output has not taken, of all.
    @discardableResult
    package func close(within grace: Duration) -> Int {
        self.state.withLockedValue { $0.isClosed = true }
        self.arrivals.signal()
        let hasEnded = self.end.wait(timeout: .now() + .nanoseconds(Int(TimeAmount(grace).nanoseconds)))
        // Another call finds the end as well.
        if hasEnded == .success { self.end.signal() }
        return self.state.withLockedValue { state in
            state.lostCount + state.inWork.readableBytesView.lineCount
                + state.backlog.takeLines().readableBytesView.lineCount
        }
    }

    /// Waits like the other ``close(within:)``, without blocking the task pool.
    package func close(within grace: Duration) async -> Int {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: self.close(within: grace)) }
        }
    }
}

// MARK: The thread

extension OutputThread {
    private func run(taken: () -> Void, written: WriteHandler) {
        var output = LineOutput(write: self.write)
        while let lines = self.next() {
            taken()
            guard self.put(lines, to: &output, written) else { return }
        }
        // No later lines follow with which the rest of one could be written.
        if output.isCut, self.put(ByteBuffer(), to: &output, written), output.isCut { self.lose(1) }
    }

    /// All lines that wait, once there are some; `nil` at the end.
    private func next() -> ByteBuffer? {
        while true {
            let (lines, isClosed) = self.state.withLockedValue { state in
                state.inWork = state.backlog.takeLines()
                return (state.inWork, state.isClosed)
            }
            if lines.readableBytes > 0 { return lines }
            if isClosed { return nil }
            self.arrivals.wait()
        }
    }

    /// Writes lines.
    ///
    /// - Returns: Whether the output may take more.
    private func put(_ lines: ByteBuffer, to output: inout LineOutput, _ written: WriteHandler) -> Bool {
        let (lostCount, failure) = output.put(lines)
        if failure == .closed { self.loseReader() } else { self.lose(lostCount) }
        written(failure, lostCount)
        return failure != .closed
    }

    /// Counts lines that the output has not taken of those in work, of which the others are written.
    private func lose(_ count: Int) {
        self.state.withLockedValue { state in
            state.lostCount += count
            state.inWork = ByteBuffer()
            state.backlog.lost(count)
        }
    }

    /// Discards lines from now on.
    private func loseReader() {
        self.state.withLockedValue { state in
            state.hasLostReader = true
            state.inWork = ByteBuffer()
            _ = state.backlog.takeLines()
        }
    }
}
