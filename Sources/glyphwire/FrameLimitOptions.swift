internal import TextModel
internal import ArgumentParser
internal import GlyphwireProtocol

/// The limits of frames and their results, which `serve` and `read` share: a flag and an environment variable for each.
struct FrameLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Pixels of a frame; a JPEG may have four times as many. (default: 37748736)",
            valueName: "count"
        )
    )
    var maxPixels: Int?

    @Option(help: ArgumentHelp("Pixels of a frame's longer side. (default: 65535)", valueName: "count"))
    var maxSide: Int?

    @Option(help: ArgumentHelp("Scans of a JPEG. (default: 50)", valueName: "count"))
    var maxJPEGScans: Int?

    @Option(help: ArgumentHelp("Words of a result; more are left out. (default: 10000)", valueName: "count"))
    var maxWords: Int?

    /// Puts what is set into `limits`.
    ///
    /// - Parameter limits: The defaults.
    /// - Throws: `ValidationError` for a value that cannot be.
    func set(in limits: inout WireLimits) throws {
        try Limit.set(&limits.picture.maxPixels, self.maxPixels, "MAX_PIXELS", 1...1 << 30)
        try Limit.set(&limits.picture.maxSide, self.maxSide, "MAX_SIDE", 1...65535)
        try Limit.set(&limits.picture.maxJPEGScans, self.maxJPEGScans, "MAX_JPEG_SCANS", 1...500)
        try Limit.set(&limits.maxWords, self.maxWords, "MAX_WORDS", 1...1_000_000)
    }
}

/// A limit that a flag, an environment variable or its default gives, in this order.
enum Limit {
    static func set(
        _ limit: inout Int,
        _ flag: Int?,
        _ name: String,
        _ allowed: ClosedRange<Int>
    ) throws {
        let value =
            if let flag { flag } else { try Setting.value(ByteCount?.none, environment: name)?.value }
        guard let value else { return }
        guard allowed.contains(value) else {
            throw ValidationError("\(value) does not fit \(name): use \(allowed.lowerBound) to \(allowed.upperBound).")
        }
        limit = value
    }
}
