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
    /// Sides of inputs that hold parts of a picture are multiples of this: few shapes, of which each costs something at first.
    private static let partGrain = 64
    /// The least sides of such inputs.
    private static let leastPartSide = 128

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
    func part(width: Int, height: Int) -> DetectionPlan {
        let width = min(self.width, max(1, Int((Float(width) * self.scale).rounded())))
        let height = min(self.height, max(1, Int((Float(height) * self.scale).rounded())))
        let shape = InputShape(
            height: min(self.shape.height, Self.partSide(height)),
            width: min(self.shape.width, Self.partSide(width))
        )
        return DetectionPlan(width: width, height: height, shape: shape, scale: self.scale)
    }

    /// Bytes of the network's input that a look at such a part takes, as a fraction of those for the whole picture.
    func cost(width: Int, height: Int) -> Float {
        Float(self.part(width: width, height: height).shape.byteCount) / Float(self.shape.byteCount)
    }

    private static func partSide(_ side: Int) -> Int {
        max(Self.leastPartSide, (side + Self.partGrain - 1) / Self.partGrain * Self.partGrain)
    }

    private static func rounded(_ side: Int) -> Int { (side + Self.grain - 1) / Self.grain * Self.grain }
}
