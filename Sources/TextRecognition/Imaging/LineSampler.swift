internal import ImageCodecs
internal import TextModel

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
            // Beyond 2^23 floats are whole, so that adding as much rounds to the lowest bits.
            let whole = pixel + 0x1p23
            place[0] = UInt8(truncatingIfNeeded: whole.x.bitPattern)
            place[1] = UInt8(truncatingIfNeeded: whole.y.bitPattern)
            place[2] = UInt8(truncatingIfNeeded: whole.z.bitPattern)
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
        // Each format has its own loop, in which nothing asks for it again.
        switch view.format {
        case .bgra: Self.forEachPixel(of: view, map, width, height, SIMD4.init(bgra:), body)
        case .gray: Self.forEachPixel(of: view, map, width, height, SIMD4.init(gray:), body)
        }
    }

    @inline(__always)
    private static func forEachPixel(
        of view: PixelView,
        _ map: Homography,
        _ width: Int,
        _ height: Int,
        _ pixel: (UnsafePointer<UInt8>) -> SIMD4<Float>,
        _ body: (_ x: Int, _ y: Int, _ pixel: SIMD4<Float>) -> Void
    ) {
        let samples = Self.samples(map, width: Float(width), height: Float(height))
        if let inside = InnerParallelogram(map, width: width, height: height, samples: samples, in: view) {
            return inside.forEachPixel(pixel, body)
        }
        let step = 1 / Float(samples)
        let share = step * step
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
                        sum += view.interpolated(x: px, y: py, pixel)
                    }
                }
                body(x, y, sum * share)
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

/// A line without perspective, no sample of which needs a pixel outside the frame; most are of this kind.
private struct InnerParallelogram {
    /// A place in the frame, with 32 bits behind the point.
    private typealias Fixed = SIMD2<Int>

    private let view: PixelView
    private let width: Int
    private let height: Int
    /// Samples along each axis for a pixel.
    private let samples: Int
    private let start: Fixed
    private let stepX: Fixed
    private let stepY: Fixed

    private static let one: Double = 0x1p32

    /// The samples of a map; `nil` where it is of another kind.
    init?(_ map: Homography, width: Int, height: Int, samples: Int, in view: PixelView) {
        let (right, bottom) = (Float(width), Float(height))
        guard abs(map.g) * right + abs(map.h) * bottom < 1e-5 else { return nil }
        let corners = [map(0, 0), map(right, 0), map(0, bottom), map(right, bottom)]
        let (limitX, limitY) = (Float(view.width) - 1, Float(view.height) - 1)
        guard corners.allSatisfy({ $0.x > 1 && $0.y > 1 && $0.x < limitX && $0.y < limitY }) else { return nil }
        let scale = Self.one / Double(samples)
        func fixed(_ x: Float, _ y: Float, _ scale: Double) -> Fixed {
            Fixed(Int(Double(x) * scale), Int(Double(y) * scale))
        }
        self.view = view
        self.width = width
        self.height = height
        self.samples = samples
        self.stepX = fixed(map.a, map.d, scale)
        self.stepY = fixed(map.b, map.e, scale)
        // Pixel centres lie at half coordinates.
        self.start = fixed(map.c - 0.5, map.f - 0.5, Self.one) &+ (self.stepX &+ self.stepY) / 2
    }

    /// Hands out the pixels row by row; see ``LineSampler``.
    @inline(__always)
    func forEachPixel(
        _ value: (UnsafePointer<UInt8>) -> SIMD4<Float>,
        _ body: (_ x: Int, _ y: Int, _ pixel: SIMD4<Float>) -> Void
    ) {
        let share = 1 / Float(self.samples * self.samples)
        var row = self.start
        for y in 0..<self.height {
            var column = row
            for x in 0..<self.width {
                var sum = SIMD4<Float>.zero
                var line = column
                for _ in 0..<self.samples {
                    var place = line
                    for _ in 0..<self.samples {
                        sum += self.interpolated(place.x, place.y, value)
                        place &+= self.stepX
                    }
                    line &+= self.stepY
                }
                body(x, y, sum * share)
                column &+= self.stepX &* Fixed(repeating: self.samples)
            }
            row &+= self.stepY &* Fixed(repeating: self.samples)
        }
    }

    @inline(__always)
    private func interpolated(_ x: Int, _ y: Int, _ value: (UnsafePointer<UInt8>) -> SIMD4<Float>) -> SIMD4<Float> {
        let pixel = (self.view.base + (y &>> 32) &* self.view.bytesPerRow)
            .advanced(by: (x &>> 32) &* self.view.format.bytesPerPixel)
            .assumingMemoryBound(to: UInt8.self)
        let fx = Float(Int32(truncatingIfNeeded: x &>> 8 & 0xFF_FFFF)) * 0x1p-24
        let fy = Float(Int32(truncatingIfNeeded: y &>> 8 & 0xFF_FFFF)) * 0x1p-24
        let steps = (self.view.format.bytesPerPixel, self.view.bytesPerRow)
        return SIMD4(between: pixel, steps, fx, fy, value)
    }
}

extension PixelView {
    /// The pixel values at a place between pixel centres, blue, green and red, by bilinear interpolation.
    ///
    /// `x` and `y` must lie in 0...width - 1 and 0...height - 1; `value` gives those of a pixel.
    @inline(__always)
    fileprivate func interpolated(
        x: Float,
        y: Float,
        _ value: (UnsafePointer<UInt8>) -> SIMD4<Float>
    ) -> SIMD4<Float> {
        let (left, top) = (Int(x), Int(y))
        let fx = x - Float(left)
        let fy = y - Float(top)
        let stepX = left + 1 < self.width ? self.format.bytesPerPixel : 0
        let stepY = top + 1 < self.height ? self.bytesPerRow : 0
        let pixel = (self.base + top * self.bytesPerRow + left * self.format.bytesPerPixel)
            .assumingMemoryBound(to: UInt8.self)
        return SIMD4(between: pixel, (stepX, stepY), fx, fy, value)
    }
}

extension SIMD4<Float> {
    /// What lies `fx` of the way from the pixel at `pixel` to the next one in its row, and `fy` of that to the next row.
    @inline(__always)
    fileprivate init(
        between pixel: UnsafePointer<UInt8>,
        _ step: (x: Int, y: Int),
        _ fx: Float,
        _ fy: Float,
        _ value: (UnsafePointer<UInt8>) -> SIMD4<Float>
    ) {
        let below = pixel + step.y
        let upper = value(pixel) * (1 - fx) + value(pixel + step.x) * fx
        let lower = value(below) * (1 - fx) + value(below + step.x) * fx
        self = upper * (1 - fy) + lower * fy
    }

    /// The bytes of the pixel at `pixel`; the last is not to be used.
    @inline(__always)
    fileprivate init(bgra pixel: UnsafePointer<UInt8>) {
        self.init(UnsafeRawPointer(pixel).loadUnaligned(as: SIMD4<UInt8>.self))
    }

    /// The byte of the pixel at `pixel`, for each colour.
    @inline(__always)
    fileprivate init(gray pixel: UnsafePointer<UInt8>) { self.init(repeating: Float(pixel[0])) }

    /// The brightness of a pixel of blue, green and red (ITU-R BT.601).
    @inline(__always)
    fileprivate var luma: Float { 0.114 * self.x + 0.587 * self.y + 0.299 * self.z }
}
