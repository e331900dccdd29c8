internal import SystemSupport

extension SmallFile {
    /// The bytes of a file that the user has named.
    static func contents(of path: String) throws(Failure) -> [UInt8] {
        do throws(FileError) {
            return try Self.bytes(path)
        } catch {
            throw Failure("The file \(error).")
        }
    }
}
