/// Scale at which a picture is scanned for text.
public struct DetectionScale: Sendable, Hashable {
    /// Factor of the picture's sides.
    public let scale: Float
    /// Ratio of the scale to that of a picture of usual size; below 1, the smallest text may be lost.
    public let reduction: Float

    /// Scale of a picture that is scanned at its own size.
    public static let full = DetectionScale(scale: 1, reduction: 1)

    /// Creates a scale.
    public init(scale: Float, reduction: Float) {
        self.scale = scale
        self.reduction = reduction
    }

    /// Minimum scale at which a picture may be decoded before it is read.
    ///
    /// Lines are recognized at a height of 48 pixels. Those that are 16 pixels high at the scanning scale then have as many, and
    /// lower ones are enlarged.
    public var minDecodingScale: Float { min(1, Self.recognitionReserve * self.scale) }

    /// Decoded scale relative to the scanning scale; chosen by hand, no figures are recorded.
    private static let recognitionReserve: Float = 3
}
