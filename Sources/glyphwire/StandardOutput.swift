internal import NIOCore
internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Standard output, written without a buffer, to keep the order with standard error.
enum StandardOutput {
    /// Writes all of `buffer`.
    ///
    /// - Throws: ``Failure`` if it takes no more, such as a full disk.
    static func write(_ buffer: ByteBuffer) throws(Failure) {
        switch self.writeEvents(buffer).failure {
        case nil: break
        case .closed: throw Failure("Standard output is closed: its reader has gone.")
        case .other(let reason): throw Failure("Standard output cannot be written: \(reason).")
        }
    }

    /// Writes a text, with a line feed behind it.
    static func writeLine(_ text: String) throws(Failure) { try self.write(ByteBuffer(string: text + "\n")) }

    /// Writes as much of `buffer` as standard output takes.
    static func writeEvents(_ buffer: ByteBuffer) -> OutputResult {
        let (byteCount, error) = DescriptorOutput.writeAll(buffer, to: STDOUT_FILENO)
        return OutputResult(
            byteCount: byteCount,
            failure: error.map { $0 == EPIPE ? .closed : .other(String(cString: strerror($0))) }
        )
    }
}
