#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// File that is read as a whole, such as one with settings or secrets; a device or a pipe may have no end.
package enum SmallFile {
    /// Maximum number of bytes, unless another is given: more is another file than the one that was meant.
    package static let usualMaxByteCount = 1 << 20
    /// Number of bytes that are read at once.
    private static let chunkByteCount = 64 << 10

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - maxByteCount: The maximum number of bytes.
    /// - Returns: All bytes.
    /// - Throws: ``FileError`` with the reason, also for a file that is longer.
    package static func bytes(
        _ path: String,
        atMost maxByteCount: Int = Self.usualMaxByteCount
    ) throws(FileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.systemError(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: Self.chunkByteCount)
        while bytes.count <= maxByteCount {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count > 0 {
                bytes += chunk.prefix(count)
            } else if errno != EINTR {
                throw Self.systemError(path)
            }
        }
        throw FileError(path: path, reason: "it has more than \(maxByteCount) bytes")
    }

    /// Reads a file of text.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The text.
    /// - Throws: ``FileError`` with the reason, also for a file that is longer than usual, or not UTF-8.
    package static func text(_ path: String) throws(FileError) -> String {
        guard let text = String(validating: try Self.bytes(path), as: UTF8.self) else {
            throw FileError(path: path, reason: "it is not UTF-8")
        }
        return text
    }

    /// The error of the last call of the system.
    private static func systemError(_ path: String) -> FileError {
        let code = errno
        return FileError(path: path, reason: String(cString: strerror(code)), isMissing: code == ENOENT)
    }
}
