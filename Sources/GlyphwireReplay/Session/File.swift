internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Open file for reading.
final class File: Sendable {
    let path: String
    private let descriptor: Int32
    private let closes: Bool

    /// Opens the file at `path` for reading.
    init(reading path: String) throws(ReplayError) {
        self.path = path
        self.descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.closes = true
        if self.descriptor < 0 { throw self.failure }
    }

    /// Wraps an open file; `path` is its name in errors.
    init(path: String, descriptor: Int32, closes: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.closes = closes
    }

    /// Standard input of the process.
    static let standardInput = File(path: "standard input", descriptor: STDIN_FILENO, closes: false)

    deinit {
        if self.closes, self.descriptor >= 0 { _ = close(self.descriptor) }
    }

    /// Waits for bytes, or for the end.
    ///
    /// - Parameter milliseconds: The longest time to wait.
    /// - Returns: Whether the next read returns at once.
    func isReady(within milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: self.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) > 0
    }

    /// Reads the next bytes, up to `byteCount`; a pipe may return fewer.
    ///
    /// - Returns: The bytes; empty at the end.
    func bytes(atMost byteCount: Int) throws(ReplayError) -> ByteBuffer {
        try self.buffer(of: byteCount) { read(self.descriptor, $0, $1) }
    }

    /// Reads up to `byteCount` bytes at `offset`; several threads may do so concurrently.
    ///
    /// - Returns: The bytes; empty at the end.
    func bytes(atMost byteCount: Int, at offset: Int) throws(ReplayError) -> ByteBuffer {
        try self.buffer(of: byteCount) { pread(self.descriptor, $0, $1, offset) }
    }

    private func buffer(
        of byteCount: Int,
        filledBy fill: (UnsafeMutableRawPointer?, Int) -> Int
    ) throws(ReplayError) -> ByteBuffer {
        var buffer = ByteBuffer()
        var count = -1
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: byteCount) { bytes in
            repeat { count = fill(bytes.baseAddress, byteCount) } while count < 0 && errno == EINTR
            return max(count, 0)
        }
        if count < 0 { throw self.failure }
        return buffer
    }

    private var failure: ReplayError {
        ReplayError(.unreadable, "\(self.path) cannot be read: \(String(cString: strerror(errno)))")
    }
}
