internal import ArgumentParser

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Folder of the cache of compiled networks.
enum NetworkCacheFolder {
    /// Help of `--network-cache`.
    static let help = ArgumentHelp(
        "Cache compiled networks in this folder for a quicker start; \"none\" disables the cache. "
            + "(default: glyphwire in $XDG_CACHE_HOME or ~/.cache)",
        valueName: "folder"
    )

    /// Folder of the cache.
    ///
    /// - Parameter flag: The value of `--network-cache`, if it was given.
    /// - Returns: The path of a folder that need not exist; `nil` without a cache.
    /// - Throws: `ValidationError` for an invalid environment variable.
    static func path(flag: String?) throws -> String? {
        if let named = try Setting.value(flag, environment: .networkCache) {
            return ["none", ""].contains(named) ? nil : named
        }
        // The specification requires that relative paths are ignored:
        // https://specifications.freedesktop.org/basedir-spec/latest/
        if let caches = self.absolutePath("XDG_CACHE_HOME") { return "\(caches)/glyphwire" }
        return self.absolutePath("HOME").map { "\($0)/.cache/glyphwire" }
    }

    private static func absolutePath(_ variable: String) -> String? {
        getenv(variable).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
