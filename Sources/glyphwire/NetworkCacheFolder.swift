internal import ArgumentParser

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
        return UserFolder.path(variable: "XDG_CACHE_HOME", inHome: ".cache")
    }
}
