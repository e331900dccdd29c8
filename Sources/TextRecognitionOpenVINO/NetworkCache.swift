internal import Crypto
internal import Foundation
internal import NIOConcurrencyHelpers
internal import TextModel

/// Cache folder of compiled networks, shared by all processes of a user.
///
/// Compiling takes about four times as long as importing. An entry is written to a temporary file and renamed, so that
/// others see all of it or nothing, and begins with its SHA-256: entries that are damaged, truncated or of another user
/// count as missing. Failures to read or write are not errors; the network is compiled then, and the first failure to write
/// is reported.
struct NetworkCache: Sendable {
    /// Failure of the last system call.
    private struct SystemError: LocalizedError {
        let errorDescription: String?

        init() { self.errorDescription = unsafe String(cString: strerror(errno)) }
    }

    /// Path of the folder, created when the first entry is stored.
    let folder: String
    /// Maximum size of all entries in bytes; ten times those of all models for one version and processor.
    var capacity = 256 << 20
    /// Called once with the reason why an entry cannot be stored, on any thread.
    var onFailure: @Sendable (String) -> Void = { _ in }

    private let hasFailed = NIOLockedValueBox(false)
    private static let suffix = ".network"
    private static let partialSuffix = ".partial"
    /// Maximum size of an entry that is read: several times the largest network.
    private static let maxEntrySize = 128 << 20
    /// Age at which a temporary file counts as abandoned.
    private static let abandonedAge: TimeInterval = 3600

    /// Reads an entry.
    ///
    /// - Parameter key: A text of all that the contents depend on.
    /// - Returns: The stored contents; `nil` if the entry is missing or damaged.
    func contents(for key: String) -> Data? {
        let path = self.path(for: key)
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        // The runtime trusts imported data, so no other user may have written it.
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & (S_IWGRP | S_IWOTH) == 0,
            (SHA256.byteCount...Self.maxEntrySize).contains(Int(status.st_size)),
            let entry = try? file.readToEnd(), entry.count > SHA256.byteCount
        else { return nil }
        let contents = entry.dropFirst(SHA256.byteCount)
        guard SHA256.hash(data: contents) == entry.prefix(SHA256.byteCount) else { return nil }
        // Records the time of its last use, for eviction.
        _ = futimens(descriptor, nil)
        return contents
    }

    /// Stores an entry, and evicts the least recently used ones beyond ``capacity``.
    func store(_ contents: Data, for key: String) {
        do {
            try self.makeFolder()
            try self.write(contents, to: self.path(for: key))
        } catch {
            self.failed(error)
        }
        self.removeExcess()
    }

    private func makeFolder() throws {
        guard !FileManager.default.fileExists(atPath: self.folder) else { return }
        try FileManager.default.createDirectory(
            atPath: self.folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    private func write(_ contents: Data, to path: String) throws {
        let partial = "\(self.folder)/\(UUID().uuidString)\(Self.partialSuffix)"
        let descriptor = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError() }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(SHA256.hash(data: contents)))
            try file.write(contentsOf: contents)
            guard unsafe rename(partial, path) == 0 else { throw SystemError() }
        } catch {
            unsafe _ = unlink(partial)
            throw error
        }
    }

    private func failed(_ error: any Error) {
        let hasFailedBefore = self.hasFailed.withLockedValue { hasFailed in
            defer { hasFailed = true }
            return hasFailed
        }
        if !hasFailedBefore { self.onFailure(error.localizedDescription) }
    }

    private func path(for key: String) -> String {
        "\(self.folder)/\(SHA256.hash(data: Data(key.utf8)).hexadecimal)\(Self.suffix)"
    }

    private func removeExcess() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: self.folder)) ?? []
        var entries: [(path: String, size: Int, used: Date)] = []
        for name in names {
            let path = "\(self.folder)/\(name)"
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let size = attributes[.size] as? Int, let used = attributes[.modificationDate] as? Date
            else { continue }
            if name.hasSuffix(Self.suffix) {
                entries.append((path, size, used))
            } else if name.hasSuffix(Self.partialSuffix), used.timeIntervalSinceNow < -Self.abandonedAge {
                unsafe _ = unlink(path)
            }
        }
        var total = entries.reduce(0) { $0 + $1.size }
        for entry in entries.sorted(by: { $0.used < $1.used }) where total > self.capacity {
            unsafe _ = unlink(entry.path)
            total -= entry.size
        }
    }
}
