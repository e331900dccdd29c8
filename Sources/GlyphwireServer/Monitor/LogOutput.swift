internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers
package import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Output of the log, which takes whole lines, one after the other, also where it is set not to block.
///
/// What it does not take is lost: a log that cannot be written has nowhere to report that.
package struct LogOutput: TextOutputStream, Sendable {
    private let descriptor: Int32
    /// Held while a line is written, which an output with little room takes in parts.
    private let turn = NIOLock()

    /// Standard error.
    package init() { self.init(descriptor: STDERR_FILENO) }

    /// Creates an output to a file descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line, with its line feed.
    package func write(_ line: ByteBuffer) {
        _ = self.turn.withLock { DescriptorOutput.writeAll(line, to: self.descriptor) }
    }

    package func write(_ line: String) { self.write(ByteBuffer(string: line)) }
}
