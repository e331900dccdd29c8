internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// An open file, read or written from front to back.
final class File: Sendable {
    let path: String
    private let descriptor: Int32
    private let closes: Bool

    /// Opens the file at `path` to read it.
    init(reading path: String) throws(ReplayError) {
        self.path = path
        self.descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.closes = true
        if self.descriptor < 0 { throw self.failure(.unreadable, "read") }
    }

    /// Makes an empty file at `path`, in place of one that is there.
    init(writing path: String) throws(ReplayError) {
        self.path = path
        self.descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        self.closes = true
        if self.descriptor < 0 { throw self.failure(.unwritable, "written") }
    }

    /// A file that is open; `path` is what it is called in errors.
    init(path: String, descriptor: Int32, closes: Bool) {
        self.path = path
        self.descriptor = descriptor
        self.closes = closes
    }

    /// The process's standard input.
    static let standardInput = File(path: "standard input", descriptor: STDIN_FILENO, closes: false)

    deinit {
        if self.closes, self.descriptor >= 0 { _ = close(self.descriptor) }
    }

    /// Reads what comes next, up to `byteCount`; a pipe may have less at a time.
    ///
    /// - Returns: The bytes, none at the end.
    func bytes(atMost byteCount: Int) throws(ReplayError) -> ByteBuffer {
        try self.buffer(of: byteCount) { read(self.descriptor, $0, $1) }
    }

    /// Reads up to `byteCount` bytes at `offset`; several threads may do so at once.
    ///
    /// - Returns: The bytes, none at the end.
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

    /// Writes all of `buffer` behind what is there.
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
