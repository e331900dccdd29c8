package import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Output to file descriptors, which may be set not to block.
///
/// That belongs to the open file, so that any other program on the same terminal or pipe can set it.
package enum DescriptorOutput {
    /// Writes all of `bytes`, and waits where there is no room.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - descriptor: The descriptor.
    /// - Returns: The number of bytes that were taken, and the system's error if these are not all.
    package static func writeAll(_ bytes: ByteBuffer, to descriptor: Int32) -> (byteCount: Int, error: Int32?) {
        var rest = bytes
        while rest.readableBytes > 0 {
            let count = rest.withUnsafeReadableBytes { write(descriptor, $0.baseAddress, $0.count) }
            let error = count < 0 ? errno : 0
            switch error {
            case 0: rest.moveReaderIndex(forwardBy: count)
            case EINTR: break
            case EAGAIN: Self.waitForRoom(in: descriptor)
            default: return (bytes.readableBytes - rest.readableBytes, error)
            }
        }
        return (bytes.readableBytes, nil)
    }

    /// Writes all of a text like ``writeAll(_:to:)``.
    ///
    /// - Returns: The system's error; `nil` if it was written.
    package static func writeAll(_ text: String, to descriptor: Int32) -> Int32? {
        self.writeAll(ByteBuffer(string: text), to: descriptor).error
    }

    /// Returns when there is room, or an error that the next write reports.
    private static func waitForRoom(in descriptor: Int32) {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&output, 1, -1)
    }
}
