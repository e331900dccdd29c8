#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Entry of a folder.
struct FolderEntry {
    /// Kind of an entry.
    enum Kind {
        /// A folder; a link to one, which may form a circle, is none.
        case folder
        /// A regular file, or a link to one; also a link that leads nowhere.
        case file
        /// A pipe, a device or a link to a folder.
        case other
    }

    /// Name; one that is not UTF-8 has U+FFFD in place of what is not.
    let name: String
    /// Kind of the entry.
    let kind: Kind

    /// The entries of the folder at `path`; `nil` if it cannot be read.
    static func all(in path: String) -> [FolderEntry]? {
        guard let folder = opendir(path) else { return nil }
        defer { closedir(folder) }
        var entries: [FolderEntry] = []
        while let entry = readdir(folder) {
            withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                guard let name = bytes.assumingMemoryBound(to: CChar.self).baseAddress else { return }
                entries.append(FolderEntry(name, in: dirfd(folder)))
            }
        }
        return entries
    }

    private init(_ name: UnsafePointer<CChar>, in folder: Int32) {
        self.name = String(cString: name)
        var status = stat()
        if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFDIR {
            self.kind = .folder
        } else {
            let isMissing = fstatat(folder, name, &status, 0) != 0
            self.kind = isMissing || status.st_mode & S_IFMT == S_IFREG ? .file : .other
        }
    }
}
