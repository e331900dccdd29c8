internal import ArgumentParser
internal import GlyphwireProtocol
internal import GlyphwireServer

/// Limits of frames and their results, which `serve` and `read` share.
struct FrameLimitOptions: ParsableArguments {
    @Option(.maxPixels) var maxPixels: ServerLimit.Setting?
    @Option(.maxSide) var maxSide: ServerLimit.Setting?
    @Option(.maxJPEGScans) var maxJPEGScans: ServerLimit.Setting?
    @Option(.maxWords) var maxWords: ServerLimit.Setting?

    /// Limits from flags, the environment and defaults.
    ///
    /// - Returns: The limits of frames.
    /// - Throws: `ValidationError` for an invalid variable.
    func limits() throws -> WireLimits {
        var configuration = ServerConfiguration()
        try ServerLimit.frames.set(in: &configuration, flags: self.limitSettings)
        return configuration.limits.wire
    }
}
