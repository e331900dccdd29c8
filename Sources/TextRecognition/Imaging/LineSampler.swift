internal import ImageCodecs
internal import TextModel

/// A sampler of rectified lines: it rectifies the quad of a line to an upright rectangle.
///
/// It takes a frame as it was sent and a homography to its pixels, and gives pixels of the rectified line. Each is
/// interpolated bilinearly; where the line is larger in the frame, it is the mean of a grid of samples, so that thin strokes
/// do not fall between them. Pixels outside the frame repeat its edge.
enum LineSampler {
    /// Distance of neighbouring pixels of a line in the frame, in sent pixels, above which they are supersampled.
    ///
    /// Not measured.
    private static let supersamplingStep: Float = 1.3
    /// Maximum number of samples along each axis of a pixel, which bounds the time of huge lines.
    ///
    /// Not measured.
    private static let maxSamples: Float = 8

    /// Samples a line into a recognizer's input and a gray image.
    ///
    /// - Parameters:
    ///   - view: The frame as it was sent.
    ///   - map: The homography from pixels of the rectified line to sent pixels.
    ///   - width: The width of the line in the input; the rest of each row is filled with ``InputShape/paddingValue``.
    ///   - shape: The shape of the input.
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
            let target = tensor + y * shape.bytesPerRow + InputShape.channelCount * x
            // From 2^23 on floats are whole, so that adding as much rounds to an integer in the lowest bits.
            let rounded = pixel + 0x1p23
            target[0] = UInt8(truncatingIfNeeded: rounded.x.bitPattern)
            target[1] = UInt8(truncatingIfNeeded: rounded.y.bitPattern)
            target[2] = UInt8(truncatingIfNeeded: rounded.z.bitPattern)
            gray[y * width + x] = pixel.luma
        }
        for row in 0..<shape.height {
            let filled = InputShape.channelCount * width
            let padding = tensor + row * shape.bytesPerRow + filled
            padding.update(repeating: InputShape.paddingValue, count: shape.bytesPerRow - filled)
        }
    }

    /// Samples the brightness of a line, 0...255, into a gray image of `width` x `height`.
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

    /// Calls `body` with each pixel of a rectified line, row by row.
    @inline(__always)
    private static func forEachPixel(
        of view: PixelView,
        map: Homography,
        width: Int,
        height: Int,
        _ body: (_ x: Int, _ y: Int, _ pixel: SIMD4<Float>) -> Void
    ) {
        // Each format has a loop of its own, so that no pixel asks for the format.
        switch view.format {
        case .bgra:
            Self.forEachPixel(of: view, map: map, width: width, height: height, load: SIMD4.init(bgra:), body)
        case .gray:
            Self.forEachPixel(of: view, map: map, width: width, height: height, load: SIMD4.init(gray:), body)
        }
    }

    @inline(__always)
    private static func forEachPixel(
        of view: PixelView,
        map: Homography,
        width: Int,
        height: Int,
        load: PixelLoader,
        _ body: (_ x: Int, _ y: Int, _ pixel: SIMD4<Float>) -> Void
    ) {
        let samples = Self.sampleCount(of: map, width: Float(width), height: Float(height))
        if let affine = AffineLineSampler(map, width: width, height: height, samples: samples, in: view) {
            return affine.forEachPixel(load: load, body)
        }
        let step = 1 / Float(samples)
        let weight = step * step
        let maxX = Float(view.width) - 1
        let maxY = Float(view.height) - 1
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
                        let frameX = max(0, min(maxX, point.x - 0.5))
                        let frameY = max(0, min(maxY, point.y - 0.5))
                        sum += view.interpolated(x: frameX, y: frameY, load: load)
                    }
                }
                body(x, y, sum * weight)
            }
        }
    }

    /// Returns the number of samples that a pixel needs along each axis, by the scale at the line's centre.
    private static func sampleCount(of map: Homography, width: Float, height: Float) -> Int {
        let centre = map(width / 2, height / 2)
        let right = map(width / 2 + 1, height / 2)
        let below = map(width / 2, height / 2 + 1)
        let stepX = abs(right.x - centre.x) + abs(right.y - centre.y)
        let stepY = abs(below.x - centre.x) + abs(below.y - centre.y)
        let step = max(stepX, stepY)
        return step > Self.supersamplingStep ? Int(min(Self.maxSamples, step.rounded(.up))) : 1
    }
}
