/// At which size a picture is looked at for text.
struct DetectionPlan {
    /// Of the resized picture.
    let width: Int
    /// Of the resized picture.
    let height: Int
    /// Of the network's input, which holds the resized picture at its top-left.
    let shape: InputShape

    /// The network halves its input five times.
    private static let grain = 32

    init(width: Int, height: Int, settings: DetectorSettings) {
        let short = Float(min(width, height))
        let long = Float(max(width, height))
        var scale = min(max(1, Float(settings.minShortSide) / short), settings.maxEnlargement)
        scale = settings.scale * min(scale, Float(settings.maxLongSide) / long)
        let resizedWidth = max(1, Int((Float(width) * scale).rounded()))
        let resizedHeight = max(1, Int((Float(height) * scale).rounded()))
        self.width = resizedWidth
        self.height = resizedHeight
        self.shape = InputShape(
            height: (resizedHeight + Self.grain - 1) / Self.grain * Self.grain,
            width: (resizedWidth + Self.grain - 1) / Self.grain * Self.grain
        )
    }
}
