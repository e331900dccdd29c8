internal import Dispatch
internal import Foundation
package import Logging
internal import NIOConcurrencyHelpers
package import NIOCore

/// Sink that writes each event as a line of JSON, on a thread of its own, since an output may block for any time.
///
/// Lines are written whole: those that the output does not take are lost, but the rest of a line that was begun follows later.
/// Where the reader is slow, the oldest events of live sources are dropped, and files wait.
package final class EventLines: EventSink {
    /// Time for what is left when the program ends.
    private static let grace = Duration.seconds(5)
    private static let newline = UInt8(ascii: "\n")

    private struct State {
        var waiting = EventBacklog()
        var isClosed = false
        var isFinished = false
        var hasLostReader = false
        /// Number of events that the thread has taken, and neither written nor lost.
        var inWork = 0
        /// Number of events that the output has not taken.
        var lostCount = 0
        /// Waits for the thread's end.
        var closing: CheckedContinuation<Void, Never>?
    }

    private let write: @Sendable (ByteBuffer) -> OutputResult
    private let logger: Logger
    private let onReaderLost: @Sendable () -> Void
    private let state = NIOLockedValueBox(State())
    private let room = RoomWaiters()
    private let arrivals = DispatchSemaphore(value: 0)

    /// Creates a sink, which begins at once.
    ///
    /// - Parameters:
    ///   - logger: Reports once that the output takes nothing, once that it does again, and at the end how many events it lost.
    ///   - onReaderLost: Called once when the output's reader has gone, after which events are discarded.
    ///   - write: Writes bytes, and blocks until they are taken.
    package init(
        logger: Logger,
        onReaderLost: @escaping @Sendable () -> Void = {},
        write: @escaping @Sendable (ByteBuffer) -> OutputResult
    ) {
        self.logger = logger
        self.onReaderLost = onReaderLost
        self.write = write
        Thread.detachNewThread { self.run() }
    }

    /// Whether the output's reader has gone.
    package var hasLostReader: Bool { self.state.withLockedValue(\.hasLostReader) }

    package func send(_ report: EventReport) {
        for event in report.events {
            var line = event.json(of: report.source)
            line.writeString("\n")
            self.append(line, mayBeDropped: event.time.isLive)
        }
    }

    package func close() async -> Int {
        let limit = Task {
            try await Task.sleep(for: Self.grace)
            self.finish()
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFinished = self.state.withLockedValue { state in
                state.isClosed = true
                if !state.isFinished { state.closing = continuation }
                return state.isFinished
            }
            if isFinished { continuation.resume() }
            self.arrivals.signal()
        }
        limit.cancel()
        let lostCount = self.state.withLockedValue { $0.lostCount + $0.inWork + $0.waiting.count }
        if lostCount > 0 {
            self.logger.error("standard output did not take all events", metadata: ["lost": "\(lostCount)"])
        }
        return lostCount
    }

    private func append(_ line: ByteBuffer, mayBeDropped: Bool) {
        let isFirstDrop = self.state.withLockedValue { state in
            !state.hasLostReader && state.waiting.append(line, mayBeDropped: mayBeDropped)
        }
        self.arrivals.signal()
        if isFirstDrop { self.logger.warning("standard output is behind: the oldest events are dropped") }
    }

    package func waitForRoom() async {
        await self.room.wait { self.state.withLockedValue(\.waiting.hasRoom) }
    }

    private func finish() {
        let closing = self.state.withLockedValue { state in
            defer { (state.isFinished, state.closing) = (true, nil) }
            return state.closing
        }
        closing?.resume()
    }
}

// MARK: The thread

extension EventLines {
    private func run() {
        /// The rest of a line that was begun.
        var rest = ByteBuffer()
        /// Number of lines lost so far; `nil` while the output takes them.
        var lostCount: Int?
        while let lines = self.next() {
            var bytes = rest
            for line in lines { bytes.writeImmutableBuffer(line) }
            let result = self.write(bytes)
            switch result.failure {
            case nil:
                rest.clear()
                if let lostCount {
                    self.logger.notice("standard output takes events again", metadata: ["lost": "\(lostCount)"])
                }
                lostCount = nil
            case .closed: return self.loseReader()
            case .other(let reason):
                if lostCount == nil {
                    self.logger.warning("standard output takes no events", metadata: ["reason": "\(reason)"])
                }
                bytes.moveReaderIndex(forwardBy: result.byteCount)
                rest = Self.begun(in: bytes, after: result.byteCount, of: rest)
                let left = bytes.readableBytesView.count { $0 == Self.newline }
                let lost = left - (rest.readableBytes > 0 ? 1 : 0)
                self.lose(lost)
                lostCount = (lostCount ?? 0) + lost
            }
        }
        // No later lines follow with which it could be written.
        if rest.readableBytes > 0, self.write(rest).failure != nil { self.lose(1) }
        self.finish()
    }

    /// Counts lines that the output has not taken.
    private func lose(_ count: Int) {
        self.state.withLockedValue { state in
            state.lostCount += count
            state.inWork = 0
        }
    }

    /// All lines that wait, once there are some; `nil` at the end.
    private func next() -> [ByteBuffer]? {
        while true {
            let (lines, isClosed) = self.state.withLockedValue { state in
                let lines = state.waiting.removeAll()
                state.inWork = lines.count
                return (lines, state.isClosed)
            }
            self.room.release()
            if !lines.isEmpty { return lines }
            if isClosed { return nil }
            self.arrivals.wait()
        }
    }

    /// What is left of the line that an output has begun to take.
    ///
    /// - Parameters:
    ///   - left: The bytes that it did not take.
    ///   - count: The number of bytes that it took.
    ///   - earlier: The rest of a line that came first.
    /// - Returns: The rest of the line, with its end.
    private static func begun(in left: ByteBuffer, after count: Int, of earlier: ByteBuffer) -> ByteBuffer {
        // Nothing was taken, and a line was begun before or was not.
        guard count > 0 else { return earlier }
        guard left.getInteger(at: left.readerIndex - 1, as: UInt8.self) != Self.newline,
            let end = left.readableBytesView.firstIndex(of: Self.newline)
        else { return ByteBuffer() }
        return left.getSlice(at: left.readerIndex, length: end + 1 - left.readerIndex) ?? ByteBuffer()
    }

    /// Discards events from now on.
    private func loseReader() {
        self.logger.warning("standard output is closed: its reader has gone")
        self.state.withLockedValue { state in
            state.hasLostReader = true
            state.waiting = EventBacklog()
            state.inWork = 0
        }
        self.room.release()
        self.finish()
        self.onReaderLost()
    }
}
