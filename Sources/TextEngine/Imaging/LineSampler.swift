internal import FrameCodecs
internal import GlyphwireProtocol

/// Samples a line of text out of a frame, straightened.
enum LineSampler {
    /// Fills `tensor` with the quad that `map` takes a rectangle of `width` x `shape.height` to.
    ///
    /// - Parameters:
    ///   - view: The frame as it was sent.
    ///   - map: From pixels of the straightened line to sent pixels.
    ///   - width: Of the line in the input; the rest of each row is filled with ``InputShape/margin``.
    ///   - shape: Of the input.
    ///   - tensor: The input.
    ///   - gray: Receives the line's brightness, 0...255, `width` numbers a row.
    static func sample(
        _ view: PixelView,
        map: Homography,
        width: Int,
        shape: InputShape,
        into tensor: UnsafeMutablePointer<UInt8>,
        gray: UnsafeMutablePointer<Float>
    ) {
        Self.forEachPixel(of: view, map: map, width: width, height: shape.height) { x, y, pixel in
            let place = tensor + y * shape.bytesPerRow + 3 * x
            let rounded = pixel + 0.5  // A mean of bytes: no number comes near 256.
            place[0] = UInt8(rounded.x)
            place[1] = UInt8(rounded.y)
            place[2] = UInt8(rounded.z)
            gray[y * width + x] = pixel.luma
        }
        for row in 0..<shape.height {
            let margin = tensor + row * shape.bytesPerRow + 3 * width
            margin.update(repeating: InputShape.margin, count: 3 * (shape.width - width))
        }
    }

    /// Fills `gray` with the brightness, 0...255, of the quad that `map` takes a rectangle of `width` x `height` to.
    static func sample(
        _ view: PixelView,
        map: Homography,
        width: Int,
        height: Int,
        gray: UnsafeMutablePointer<Float>
    ) {
        Self.forEachPixel(of: view, map: map, width: width, height: height) { x, y, pixel in
            gray[y * width + x] = pixel.luma
        }
    }

    /// Hands out the pixels of a straightened line, row by row.
    ///
    /// Where the line is larger in the frame, each pixel is the mean of a grid of samples, so that thin strokes do not fall
    /// between them. What lies outside the frame repeats its edge.
    @inline(__always)
    private static func forEachPixel(
        of view: PixelView,
        map: Homography,
        width: Int,
        height: Int,
        _ body: (_ x: Int, _ y: Int, _ pixel: SIMD4<Float>) -> Void
    ) {
        let samples = Self.samples(map, width: Float(width), height: Float(height))
        let step = 1 / Float(samples)
        let limitX = Float(view.width) - 1
        let limitY = Float(view.height) - 1
        for y in 0..<height {
            for x in 0..<width {
                var sum = SIMD4<Float>.zero
                for subY in 0..<samples {
                    for subX in 0..<samples {
                        let point = map(
                            Float(x) + (Float(subX) + 0.5) * step,
                            Float(y) + (Float(subY) + 0.5) * step
                        )
                        // Pixel centres lie at half coordinates; NaN and infinity of a degenerate map end at an edge.
                        let px = max(0, min(limitX, point.x - 0.5))
                        let py = max(0, min(limitY, point.y - 0.5))
                        sum += view.interpolated(x: px, y: py)
                    }
                }
                body(x, y, sum * (step * step))
            }
        }
    }

    /// How many samples a number needs along each axis.
    private static func samples(_ map: Homography, width: Float, height: Float) -> Int {
        let centre = map(width / 2, height / 2)
        let right = map(width / 2 + 1, height / 2)
        let below = map(width / 2, height / 2 + 1)
        let stepX = abs(right.x - centre.x) + abs(right.y - centre.y)
        let stepY = abs(below.x - centre.x) + abs(below.y - centre.y)
        let step = max(stepX, stepY)
        return step > 1.3 ? Int(min(8, step.rounded(.up))) : 1
    }
}

extension PixelView {
    /// The pixel values at a place between pixel centres, blue, green and red, by bilinear interpolation.
    ///
    /// `x` and `y` must lie in 0...width - 1 and 0...height - 1.
    @inline(__always)
    func interpolated(x: Float, y: Float) -> SIMD4<Float> {
        let (left, top) = (Int(x), Int(y))
        let fx = x - Float(left)
        let fy = y - Float(top)
        let stepX = left + 1 < self.width ? self.format.bytesPerPixel : 0
        let stepY = top + 1 < self.height ? self.bytesPerRow : 0
        let pixel = (self.base + top * self.bytesPerRow + left * self.format.bytesPerPixel)
            .assumingMemoryBound(to: UInt8.self)
        switch self.format {
        case .bgra:
            let upper = SIMD4(bgra: pixel) * (1 - fx) + SIMD4(bgra: pixel + stepX) * fx
            let lower = SIMD4(bgra: pixel + stepY) * (1 - fx) + SIMD4(bgra: pixel + stepY + stepX) * fx
            return upper * (1 - fy) + lower * fy
        case .gray:
            let upper = Float(pixel[0]) * (1 - fx) + Float(pixel[stepX]) * fx
            let lower = Float(pixel[stepY]) * (1 - fx) + Float(pixel[stepY + stepX]) * fx
            return SIMD4(repeating: upper * (1 - fy) + lower * fy)
        }
    }
}

extension SIMD4<Float> {
    /// The bytes of the pixel at `pixel`, but for the one that is ignored.
    @inline(__always)
    fileprivate init(bgra pixel: UnsafePointer<UInt8>) {
        self.init(Float(pixel[0]), Float(pixel[1]), Float(pixel[2]), 0)
    }

    /// The brightness of a pixel of blue, green and red (ITU-R BT.601).
    @inline(__always)
    fileprivate var luma: Float { 0.114 * self.x + 0.587 * self.y + 0.299 * self.z }
}
