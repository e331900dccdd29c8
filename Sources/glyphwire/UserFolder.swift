#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Folders of a user for the files of programs (https://specifications.freedesktop.org/basedir-spec/latest/).
enum UserFolder {
    /// Folder of this program.
    ///
    /// - Parameters:
    ///   - variable: The environment variable that names the folder of all programs.
    ///   - inHome: The path of that folder in `$HOME` by default.
    /// - Returns: The path of a folder that need not exist; `nil` if the environment names none.
    static func path(variable: String, inHome: String) -> String? {
        let folder = self.absolutePath(variable) ?? self.absolutePath("HOME").map { "\($0)/\(inHome)" }
        return folder.map { "\($0)/glyphwire" }
    }

    /// The specification requires that relative paths are ignored.
    private static func absolutePath(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
