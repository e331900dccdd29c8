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
    /// Detected lines are at least 12 pixels high at the scanning scale, and are recognized at a height of 48.
    public var minDecodingScale: Float { min(1, Self.recognitionReserve * self.scale) }

    /// Decoded scale relative to the scanning scale.
    ///
    /// With it the lowest detected lines have three quarters of the pixels used for recognition.
    private static let recognitionReserve: Float = 3
}
