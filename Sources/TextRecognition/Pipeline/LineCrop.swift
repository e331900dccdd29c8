internal import TextModel

/// Rectified line: its pixels, and the map from them to sent pixels.
struct LineCrop {
    let image: LineImage
    let map: Homography
    let width: Int

    /// Creates the crop that a network recognized.
    init(_ oriented: OrientedReading) {
        (self.image, self.map, self.width) = (oriented.image, oriented.reading.map, oriented.reading.width)
    }

    /// Rectifies a line.
    ///
    /// - Parameters:
    ///   - quad: The line in sent pixels.
    ///   - frame: The frame.
    ///   - image: A buffer for the pixels.
    init(_ quad: Quad, in frame: UprightFrame, image: LineImage) {
        self.image = image
        self.width = LineSize(quad).width
        self.map = Homography(width: Float(self.width), height: Float(LineSize.height), to: quad)
        image.rectify(frame.view, map: self.map, width: self.width)
    }

    /// Returns the column that is nearest to a point in sent pixels.
    func column(of point: Point) -> Float {
        let middle = Float(LineSize.height) / 2
        let (start, end) = (self.map(0, middle), self.map(Float(self.width), middle))
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let square = max(dx * dx + dy * dy, .leastNormalMagnitude)
        return Float(self.width) * ((point.x - start.x) * dx + (point.y - start.y) * dy) / square
    }

    /// Box of the whole crop.
    var box: BoundingBox { BoundingBox(x0: 0, y0: 0, x1: Float(self.width), y1: Float(LineSize.height)) }
}

extension CharacterSegmenter {
    /// Returns the characters of a line, in pixels of its crop.
    mutating func segment(_ crop: LineCrop) -> [BoundingBox] {
        self.segment(gray: crop.image.base, width: crop.width, height: LineSize.height)
    }
}
