internal import Crypto
internal import Foundation

/// Folder of compiled networks that all processes of a user share.
///
/// Compiling takes about four times as long as importing what was compiled once. An entry is written whole under a name of its own
/// and renamed, so that others see all of it or nothing, and it begins with its SHA-256: what is damaged, cut off or another
/// user's counts as missing. What cannot be read or written is no error; the network is compiled then.
struct NetworkCache: Sendable {
    /// Where the entries are; made when the first is stored.
    let folder: String
    /// Bytes that all entries may take together; ten times those of one version of all models on one processor.
    var capacity = 256 << 20

    private static let suffix = ".network"
    private static let partialSuffix = ".partial"
    /// The largest entry that is read: several times the largest network.
    private static let maxEntrySize = 128 << 20
    /// The age at which a file that was never renamed is no longer being written.
    private static let abandonedAge: TimeInterval = 3600

    /// The contents of an entry.
    ///
    /// - Parameter key: A text that says all that the contents depend on.
    /// - Returns: What was stored for the key; `nil` where there is no such entry, or a damaged one.
    func contents(for key: String) -> Data? {
        let path = self.path(for: key)
        let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        // The runtime trusts what it imports, so nobody else may have written it.
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & (S_IWGRP | S_IWOTH) == 0,
            (SHA256.byteCount...Self.maxEntrySize).contains(Int(status.st_size)),
            let entry = try? file.readToEnd(), entry.count > SHA256.byteCount
        else { return nil }
        let contents = entry.dropFirst(SHA256.byteCount)
        guard SHA256.hash(data: contents) == entry.prefix(SHA256.byteCount) else { return nil }
        // The time of its last use, by which entries are removed.
        _ = futimens(descriptor, nil)
        return contents
    }

    /// Stores an entry, and removes those that were not used for longest where all take more than ``capacity``.
    func store(_ contents: Data, for key: String) {
        let path = self.path(for: key)
        let partial = "\(self.folder)/\(UUID().uuidString)\(Self.partialSuffix)"
        try? FileManager.default.createDirectory(
            atPath: self.folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: Data(SHA256.hash(data: contents)))
            try file.write(contentsOf: contents)
            guard unsafe rename(partial, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            unsafe _ = unlink(partial)
        }
        self.removeExcess()
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
