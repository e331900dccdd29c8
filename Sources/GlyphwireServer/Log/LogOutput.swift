package import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
package import SystemSupport

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
    /// Time for what is left when the program ends, which a reader that is still there takes at once.
    private static let grace = Duration.seconds(1)

    private let format: LogFormat
    private let grace: Duration
    private let output: OutputThread<LogBacklog>

    /// Creates an output to standard error.
    ///
    /// - Parameter format: The format of the lines.
    /// - Throws: ``ThreadError`` if the system cannot start another thread.
    package convenience init(format: LogFormat) throws(ThreadError) {
        try self.init(format: format, grace: Self.grace) { lines in
            let (byteCount, error) = DescriptorOutput.writeAll(lines, to: STDERR_FILENO)
            // A pipe whose reader has gone may have another one soon.
            return OutputResult(byteCount: byteCount, failure: error.map { .other(String(cString: strerror($0))) })
        }
    }

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - format: The format of the lines.
    ///   - grace: The time that ``close()`` has.
    ///   - write: Writes bytes, and blocks until they are taken.
    /// - Throws: ``ThreadError`` if the system cannot start another thread.
    init(
        format: LogFormat,
        grace: Duration,
        write: @escaping @Sendable (ByteBuffer) -> OutputResult
    ) throws(ThreadError) {
        self.format = format
        self.grace = grace
        self.output = OutputThread(LogBacklog { LogOutput.notice(of: $0, in: format) }, write: write)
        try self.output.start(name: "log")
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
    func write(_ line: ByteBuffer) { self.output.update { $0.append(line) } }

    /// Waits until what was logged is written, or its time is over; then no more is.
    package func close() { self.output.close(within: self.grace) }

    /// Line that says how many others are lost.
    private static func notice(of lostCount: Int, in format: LogFormat) -> ByteBuffer {
        let line = NIOLockedValueBox(ByteBuffer())
        let logger = Logger(label: Self.label) { label in
            format.handler(label: label) { bytes in line.withLockedValue { $0 = bytes } }
        }
        logger.warning(
            "the log could not be written in time: lines are lost",
            metadata: [LogKeys.lost: .stringConvertible(lostCount)]
        )
        return line.withLockedValue(\.self)
    }
}
