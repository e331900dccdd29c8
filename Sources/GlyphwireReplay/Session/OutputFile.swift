internal import FoundationEssentials
internal import GlyphwireProtocol
internal import ImageCodecs
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import SystemSupport

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// File that a command writes, which replaces what its path had before only once it is finished.
///
/// Until then its content is beside the path, under a name that ends in `.part`, and it is removed if it is not finished. A
/// killed process leaves it, and so does a file that cannot be replaced. Written in place are what is not a regular file,
/// such as a pipe, the file of standard output or standard error, and a file in a folder that takes no other.
final class OutputFile: Sendable {
    private let path: String
    private let descriptor: Int32
    /// Path of the content, and the one that it gets; `nil` in place.
    private let move: (from: String, to: String)?
    private let isFinished = NIOLockedValueBox(false)

    /// Creates an empty file for `path`.
    ///
    /// - Parameters:
    ///   - path: The path that the file gets; the target of a link is replaced, and keeps its permissions.
    ///   - inputs: The files that the command reads.
    /// - Throws: ``ReplayError``; also if the path is that of an input, under whatever name.
    init(path: String, apartFrom inputs: [String]) throws(ReplayError) {
        try Self.check(path, apartFrom: inputs)
        self.path = path
        var status = stat()
        let exists = stat(path, &status) == 0
        // A file that is write-protected is meant to stay.
        guard exists ? access(path, W_OK) == 0 : errno == ENOENT else { throw Self.failure(path) }
        let isInPlace = exists && (status.st_mode & S_IFMT != S_IFREG || Self.standardDescriptor(of: path) != nil)
        let target = isInPlace ? path : Self.target(of: path)
        guard !isInPlace, let part = try Self.create(beside: target, for: path, replacing: exists) else {
            self.move = nil
            self.descriptor = try Self.openInPlace(path)
            return
        }
        self.move = (part.path, target)
        self.descriptor = part.descriptor
        if exists { _ = fchmod(self.descriptor, status.st_mode & 0o7777) }
    }

    deinit {
        if self.descriptor >= 0 { _ = close(self.descriptor) }
        if let move = self.move, !self.isFinished.withLockedValue(\.self) { _ = unlink(move.from) }
    }

    /// Throws if `path` is that of an input, under whatever name.
    static func check(_ path: String, apartFrom inputs: [String]) throws(ReplayError) {
        guard let output = FileIdentity(path: path),
            let input = inputs.first(where: { FileIdentity(path: $0) == output })
        else { return }
        throw ReplayError(
            .unwritable,
            "\(path) is the same file as \(input), which is read; give the output another name"
        )
    }

    /// Throws if nothing can be written to `path`, or if it is that of an input, and changes nothing.
    static func probe(_ path: String, apartFrom inputs: [String]) throws(ReplayError) {
        try Self.check(path, apartFrom: inputs)
        var status = stat()
        guard stat(path, &status) == 0 else {
            // Without `finish`, nothing stays of it.
            _ = try OutputFile(path: path, apartFrom: inputs)
            return
        }
        // Opening what is there would wait for the reader of a pipe, and empty a file in a folder that takes no other.
        guard status.st_mode & S_IFMT != S_IFDIR else { throw Self.failure(path, EISDIR) }
        guard access(path, W_OK) == 0 else { throw Self.failure(path) }
    }

    /// Writes a whole file.
    static func save(_ content: ByteBuffer, to path: String, apartFrom inputs: [String]) throws(ReplayError) {
        let file = try OutputFile(path: path, apartFrom: inputs)
        try file.append(content)
        try file.finish()
    }

    /// Appends all of `buffer`.
    func append(_ buffer: ByteBuffer) throws(ReplayError) {
        let error = DescriptorOutput.writeAll(buffer, to: self.descriptor).error
        if let error { throw Self.failure(self.path, error) }
    }

    /// Puts the file in its place; where that fails, its content stays beside it.
    func finish() throws(ReplayError) {
        self.isFinished.withLockedValue { $0 = true }
        guard let move = self.move, rename(move.from, move.to) != 0 else { return }
        throw ReplayError(
            .unwritable,
            "\(self.path) cannot be replaced: \(String(cString: strerror(errno))); what was written is in \(move.from)"
        )
    }

    /// Path of the file itself, where `path` is a link to it; there need not be such a file.
    private static func target(of path: String) -> String {
        var target = path
        // This ends, since `stat` has followed the same links.
        while let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target) {
            let folder = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(target[...$0]) } ?? ""
            target = next.utf8.first == UInt8(ascii: "/") ? next : folder + next
        }
        return target
    }

    /// Creates a file beside `target`, apart from what a killed process has left there.
    ///
    /// - Returns: `nil` if there is a file to replace, and its folder takes no other.
    private static func create(
        beside target: String,
        for path: String,
        replacing exists: Bool
    ) throws(ReplayError) -> (path: String, descriptor: Int32)? {
        var number = 1
        while true {
            let part = "\(target)\(number == 1 ? "" : ".\(number)").part"
            let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (part, descriptor) }
            if exists, [EACCES, EPERM, EROFS].contains(errno) { return nil }
            guard errno == EEXIST else { throw Self.failure(path) }
            number += 1
        }
    }

    /// Opens what is at `path`, without its content.
    private static func openInPlace(_ path: String) throws(ReplayError) -> Int32 {
        // A copy goes on where the standard descriptor is, which may be at the end of a log.
        let descriptor =
            Self.standardDescriptor(of: path).map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
            ?? open(path, O_WRONLY | O_TRUNC | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        return descriptor
    }

    /// The descriptor of standard output or standard error, where `path` is that of its file.
    private static func standardDescriptor(of path: String) -> Int32? {
        guard let file = FileIdentity(path: path) else { return nil }
        return [STDOUT_FILENO, STDERR_FILENO].first { FileIdentity(path: "/dev/fd/\($0)") == file }
    }

    private static func failure(_ path: String, _ error: Int32 = errno) -> ReplayError {
        ReplayError(.unwritable, "\(path) cannot be written: \(String(cString: strerror(error)))")
    }
}
