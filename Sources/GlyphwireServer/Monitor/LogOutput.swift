internal import Dispatch
internal import GlyphwireProtocol
package import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Output of the log, written on a thread of its own, so that a log that is not read holds up nothing else.
///
/// Lines are lost where too many wait, or where the output does not take them, such as a full disk. Their number is a line of
/// the log as soon as it is taken again.
package final class LogOutput: Sendable {
    /// Name of the program in lines of text.
    private static let label = "glyphwire"
    /// Maximum number of bytes that wait: about 5000 lines, so that none is lost while a collector starts again.
    private static let capacity = 1 << 20
    /// Time for what is left when the program ends, which a reader that is still there takes at once.
    private static let grace = Duration.seconds(1)
    private static let newline = UInt8(ascii: "\n")

    /// Lines that wait for the thread.
    private struct Queue {
        var lines = ByteBuffer()
        /// Number of lines that came after these and found no room.
        var lostCount = 0

        /// Whether there is room for `line`: no later one comes before one that is lost.
        func hasRoom(for line: ByteBuffer) -> Bool {
            self.lines.readableBytes == 0
                || self.lostCount == 0 && self.lines.readableBytes + line.readableBytes <= LogOutput.capacity
        }
    }

    private let format: LogFormat
    private let grace: Duration
    private let writeAll: @Sendable (ByteBuffer) -> (byteCount: Int, error: Int32?)
    private let queue = NIOLockedValueBox(Queue())
    /// Signalled for the first line that waits, and at the end.
    private let arrivals = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    /// Creates an output to standard error.
    ///
    /// - Parameter format: The format of the lines.
    /// - Throws: ``GlyphwireServerError`` if the system cannot start another thread.
    package convenience init(format: LogFormat) throws(GlyphwireServerError) {
        try self.init(format: format, grace: Self.grace) { DescriptorOutput.writeAll($0, to: STDERR_FILENO) }
    }

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - format: The format of the lines.
    ///   - grace: The time that ``close()`` has.
    ///   - writeAll: Writes bytes, and blocks until they are taken; returns the number of those that were, and why not all were.
    /// - Throws: ``GlyphwireServerError`` if the system cannot start another thread.
    init(
        format: LogFormat,
        grace: Duration,
        writeAll: @escaping @Sendable (ByteBuffer) -> (byteCount: Int, error: Int32?)
    ) throws(GlyphwireServerError) {
        self.format = format
        self.grace = grace
        self.writeAll = writeAll
        try WorkerThread.start(name: "log") { self.run() }
    }

    /// Creates a log that writes to this output.
    package func logger(level: Logger.Level) -> Logger {
        var logger = Logger(label: Self.label) { label in
            self.format.handler(label: label) { self.write($0) }
        }
        logger.logLevel = level
        return logger
    }

    /// Has a line written, with its line feed, and never waits.
    func write(_ line: ByteBuffer) {
        let isFirst = self.queue.withLockedValue { queue in
            guard queue.hasRoom(for: line) else {
                queue.lostCount += 1
                return false
            }
            queue.lines.writeImmutableBuffer(line)
            return queue.lines.readableBytes == line.readableBytes
        }
        if isFirst { self.arrivals.signal() }
    }

    /// Waits until what was logged is written, or its time is over; then no more is.
    package func close() {
        self.arrivals.signal()
        _ = self.end.wait(timeout: .now() + .nanoseconds(Int(TimeAmount(self.grace).nanoseconds)))
    }
}

extension LogOutput {
    private func run() {
        /// Number of lost lines that the log does not report yet.
        var lostCount = 0
        /// Whether the output has taken a part of the last line.
        var isCut = false
        while let next = self.next() {
            lostCount += self.put(next.lines, &isCut) + next.lostCount
            if lostCount > 0, self.put(self.lossLine(lostCount), &isCut) == 0 { lostCount = 0 }
        }
        self.end.signal()
    }

    /// All lines that wait, once there are some; `nil` at the end.
    private func next() -> Queue? {
        self.arrivals.wait()
        return self.queue.withLockedValue { queue in
            defer { queue = Queue() }
            return queue.lines.readableBytes > 0 ? queue : nil
        }
    }

    /// Writes lines; they begin a new one where the last was cut.
    ///
    /// - Returns: The number of lines that the output has not taken whole.
    private func put(_ lines: ByteBuffer, _ isCut: inout Bool) -> Int {
        var bytes = ByteBuffer()
        if isCut { bytes.writeInteger(Self.newline) }
        bytes.writeImmutableBuffer(lines)
        let (byteCount, error) = self.writeAll(bytes)
        if byteCount > 0 {
            isCut = bytes.getInteger(at: bytes.readerIndex + byteCount - 1, as: UInt8.self) != Self.newline
        }
        guard error != nil else { return 0 }
        return lines.readableBytesView.suffix(bytes.readableBytes - byteCount).count { $0 == Self.newline }
    }

    /// Line that says how many others are lost.
    private func lossLine(_ count: Int) -> ByteBuffer {
        let line = NIOLockedValueBox(ByteBuffer())
        let logger = Logger(label: Self.label) { label in
            self.format.handler(label: label) { bytes in line.withLockedValue { $0 = bytes } }
        }
        logger.warning(
            "the log could not be written in time: lines are lost",
            metadata: [LogKeys.lost: .stringConvertible(count)]
        )
        return line.withLockedValue(\.self)
    }
}
