internal import TextModel

/// Rectified line in a box of its own: its pixels, and the map from them to sent pixels.
struct LineCrop {
    let image: LineImage
    let map: Homography
    let width: Int

    /// Creates the crop that a network recognized.
    init(_ oriented: OrientedReading) {
        (self.image, self.map, self.width) = (oriented.image, oriented.reading.map, oriented.reading.width)
    }

    /// Rectifies what lies in a box of another crop; `nil` where that is far longer than high, as a dash is.
    ///
    /// - Parameters:
    ///   - box: In pixels of the other crop, beyond whose edges it may reach.
    ///   - other: The other crop.
    ///   - frame: The frame.
    ///   - image: A buffer for the pixels.
    init?(_ box: BoundingBox, of other: LineCrop, in frame: UprightFrame, image: LineImage) {
        let quad = other.map.quad(box)
        let width = LineRecognizer.width(of: quad)
        guard width <= LineRecognizer.mostWidth else { return nil }
        self.image = image
        self.width = width
        self.map = Homography(width: Float(width), height: Float(LineRecognizer.height), to: quad)
        image.rectify(frame.view, map: self.map, width: width)
    }

    /// The whole crop with a margin on all sides.
    func box(margin: Float) -> BoundingBox {
        BoundingBox(x0: 0, y0: 0, x1: Float(self.width), y1: Float(LineRecognizer.height)).expanded(by: margin)
    }
}

extension BoundingBox {
    /// Returns the box with a margin on all sides.
    func expanded(by margin: Float) -> BoundingBox {
        BoundingBox(x0: self.x0 - margin, y0: self.y0 - margin, x1: self.x1 + margin, y1: self.y1 + margin)
    }
}
