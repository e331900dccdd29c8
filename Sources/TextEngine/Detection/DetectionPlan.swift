/// At which size a picture is looked at for text.
struct DetectionPlan {
    /// Of the resized picture.
    let width: Int
    /// Of the resized picture.
    let height: Int
    /// Of the network's input, which holds the resized picture at its top-left.
    let shape: InputShape
    /// How many times as large the resized picture is.
    private let scale: Float

    /// The network halves its input five times.
    private static let grain = 32
    /// The side of the square input that parts of a picture are looked at in, and the short sides of strips.
    private static let squareSide = 256
    private static let stripSide = 160
    private static let broadStripSide = 256

    init(width: Int, height: Int, settings: DetectorSettings) {
        let short = Float(min(width, height))
        let long = Float(max(width, height))
        let scale = min(max(1, Float(settings.minShortSide) / short), settings.maxEnlargement)
        self.scale = settings.scale * min(scale, Float(settings.maxLongSide) / long)
        self.width = max(1, Int((Float(width) * self.scale).rounded()))
        self.height = max(1, Int((Float(height) * self.scale).rounded()))
        self.shape = InputShape(height: Self.rounded(self.height), width: Self.rounded(self.width))
    }

    private init(width: Int, height: Int, shape: InputShape, scale: Float) {
        self.width = width
        self.height = height
        self.shape = shape
        self.scale = scale
    }

    /// The plan for a part of the picture, looked at in the same size as all of it.
    ///
    /// Each shape of input costs a compilation, so parts are looked at in the least of a few that holds them: a square,
    /// strips across the picture or down it, half the picture, all of it.
    func part(width: Int, height: Int) -> DetectionPlan {
        let width = min(self.width, max(1, Int((Float(width) * self.scale).rounded())))
        let height = min(self.height, max(1, Int((Float(height) * self.scale).rounded())))
        let fitting = self.partShapes.filter { $0.width >= width && $0.height >= height }
        let shape = fitting.min { $0.byteCount < $1.byteCount } ?? self.shape
        return DetectionPlan(width: width, height: height, shape: shape, scale: self.scale)
    }

    /// Bytes of the network's input that a look at such a part takes, as a fraction of those for the whole picture.
    func cost(width: Int, height: Int) -> Float {
        Float(self.part(width: width, height: height).shape.byteCount) / Float(self.shape.byteCount)
    }

    private var partShapes: [InputShape] {
        let (height, width) = (self.shape.height, self.shape.width)
        let shapes = [
            InputShape(height: Self.squareSide, width: Self.squareSide),
            InputShape(height: Self.stripSide, width: width),
            InputShape(height: Self.broadStripSide, width: width),
            InputShape(height: height, width: Self.stripSide),
            InputShape(height: Self.rounded(height / 2), width: width),
        ]
        return shapes.filter { $0.height <= height && $0.width <= width }
    }

    private static func rounded(_ side: Int) -> Int { (side + Self.grain - 1) / Self.grain * Self.grain }
}
