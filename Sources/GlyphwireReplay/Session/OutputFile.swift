internal import ImageCodecs
internal import NIOConcurrencyHelpers
internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// File that a command writes, which replaces what its path had before only once it is finished.
///
/// Until then its content is beside the path, under a name that ends in `.part`, and it is removed if it is not finished. A
/// killed process leaves it. What is not a regular file, such as a pipe, is written in place.
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
        var status = stat()
        let exists = stat(path, &status) == 0
        self.path = path
        guard !exists || status.st_mode & S_IFMT == S_IFREG else {
            self.move = nil
            self.descriptor = open(path, O_WRONLY | O_CLOEXEC)
            if self.descriptor < 0 { throw Self.failure(path) }
            return
        }
        // A file that is write-protected is meant to stay.
        guard !exists || access(path, W_OK) == 0 else { throw Self.failure(path) }
        let target = exists ? Self.resolved(path) : path
        let part = try Self.create(beside: target, for: path)
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

    /// Writes a whole file.
    static func save(_ content: ByteBuffer, to path: String, apartFrom inputs: [String]) throws(ReplayError) {
        let file = try OutputFile(path: path, apartFrom: inputs)
        try file.append(content)
        try file.finish()
    }

    /// Appends all of `buffer`.
    func append(_ buffer: ByteBuffer) throws(ReplayError) {
        var rest = buffer
        while rest.readableBytes > 0 {
            let count = rest.withUnsafeReadableBytes { write(self.descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw Self.failure(self.path) }
            rest.moveReaderIndex(forwardBy: max(count, 0))
        }
    }

    /// Puts the file in its place.
    func finish() throws(ReplayError) {
        if let move = self.move, rename(move.from, move.to) != 0 { throw Self.failure(self.path) }
        self.isFinished.withLockedValue { $0 = true }
    }

    /// Path of the file itself, where `path` is a link to it.
    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Creates a file beside `target`, apart from what a killed process has left there.
    private static func create(
        beside target: String,
        for path: String
    ) throws(ReplayError) -> (path: String, descriptor: Int32) {
        var number = 1
        while true {
            let part = "\(target)\(number == 1 ? "" : ".\(number)").part"
            let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return (part, descriptor) }
            guard errno == EEXIST else { throw Self.failure(path) }
            number += 1
        }
    }

    private static func failure(_ path: String) -> ReplayError {
        ReplayError(.unwritable, "\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
}
