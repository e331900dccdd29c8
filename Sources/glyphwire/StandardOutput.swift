internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Standard output, written without a buffer, to keep the order with standard error.
enum StandardOutput {
    /// Writes all of `buffer` at once, so that lines of several threads never mix.
    static func write(_ buffer: ByteBuffer) {
        var rest = buffer
        while rest.readableBytes > 0 {
            let count = rest.withUnsafeReadableBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            // Standard output that takes nothing, such as a full disk, loses the rest.
            guard count > 0 || errno == EINTR else { return }
            rest.moveReaderIndex(forwardBy: max(0, count))
        }
    }
}
