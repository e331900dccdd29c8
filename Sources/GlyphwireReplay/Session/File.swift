internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Open file for sequential reading or writing.
final class File: Sendable {
    let path: String
    private let descriptor: Int32
    private let closes: Bool

    /// Opens the file at `path` for reading.
    init(reading path: String) throws(ReplayError) {
        self.path = path
        self.descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.closes = true
        if self.descriptor < 0 { throw self.failure(.unreadable, "read") }
    }

    /// Creates an empty file at `path`, or truncates an existing one.
    init(writing path: String) throws(ReplayError) {
        self.path = path
        self.descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        self.closes = true
        if self.descriptor < 0 { throw self.failure(.unwritable, "written") }
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
        if count < 0 { throw self.failure(.unreadable, "read") }
        return buffer
    }

    /// Appends all of `buffer`.
    func append(_ buffer: ByteBuffer) throws(ReplayError) {
        var rest = buffer
        while rest.readableBytes > 0 {
            let count = rest.readWithUnsafeReadableBytes { bytes in
                max(write(self.descriptor, bytes.baseAddress, bytes.count), 0)
            }
            if count == 0, errno != EINTR { throw self.failure(.unwritable, "written") }
        }
    }

    private func failure(_ code: ReplayError.Code, _ verb: String) -> ReplayError {
        ReplayError(code, "\(self.path) cannot be \(verb): \(String(cString: strerror(errno)))")
    }
}
