internal import ArgumentParser

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Folder where compiled networks are kept from one start to the next.
enum NetworkCacheFolder {
    /// The help of `--network-cache`.
    static let help = ArgumentHelp(
        "Keep compiled networks in this folder, so that the next start is quick; \"none\" keeps none. "
            + "(default: glyphwire in $XDG_CACHE_HOME or ~/.cache)",
        valueName: "folder"
    )

    /// The folder to use.
    ///
    /// - Parameter flag: What `--network-cache` says, if it was given.
    /// - Returns: A path to a folder that need not exist; `nil` if nothing is to be kept.
    /// - Throws: `ValidationError` if the environment says something that does not fit.
    static func path(flag: String?) throws -> String? {
        if let named = try Setting.value(flag, environment: .networkCache) {
            return ["none", ""].contains(named) ? nil : named
        }
        // Relative paths are to be ignored: https://specifications.freedesktop.org/basedir-spec/latest/
        if let caches = self.absolutePath("XDG_CACHE_HOME") { return "\(caches)/glyphwire" }
        return self.absolutePath("HOME").map { "\($0)/.cache/glyphwire" }
    }

    private static func absolutePath(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
