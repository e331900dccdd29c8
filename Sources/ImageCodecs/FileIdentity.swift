#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Identity of a regular file, which is the same under each of its paths and links.
package struct FileIdentity: Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// Identity of the file at `path`; `nil` if there is none, or it is not a regular one.
    package init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        (self.device, self.inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
