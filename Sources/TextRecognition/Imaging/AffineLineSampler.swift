internal import ImageCodecs
internal import TextModel

/// A sampler of lines without perspective, all of whose samples lie inside the frame, in fixed point.
///
/// Most lines are of this kind. Their pixels are addressed by additions of whole numbers, without a division and without a
/// check of the frame's edges: half of the time of ``LineSampler`` (accuracy log, *Batched lines, raw logits and faster
/// rectification*).
struct AffineLineSampler {
    /// A position in the frame, with 32 fraction bits.
    private typealias FixedPoint = SIMD2<Int>

    private let view: PixelView
    private let width: Int
    private let height: Int
    /// The number of samples along each axis of a pixel.
    private let samples: Int
    /// The position of the first sample.
    private let start: FixedPoint
    /// The vector from a sample to the next in its row.
    private let stepX: FixedPoint
    /// The vector from a sample to the one below it.
    private let stepY: FixedPoint

    private static let one: Double = 0x1p32
    /// Maximum share of the perspective terms in the denominator of a map that counts as affine.
    ///
    /// Not measured.
    private static let maxPerspective: Float = 1e-5

    /// A sampler of the lines of a map; `nil` where it has perspective or comes near the frame's edge.
    init?(_ map: Homography, width: Int, height: Int, samples: Int, in view: PixelView) {
        let (right, bottom) = (Float(width), Float(height))
        guard abs(map.g) * right + abs(map.h) * bottom < Self.maxPerspective else { return nil }
        let corners = [map(0, 0), map(right, 0), map(0, bottom), map(right, bottom)]
        let (maxX, maxY) = (Float(view.width) - 1, Float(view.height) - 1)
        guard corners.allSatisfy({ $0.x > 1 && $0.y > 1 && $0.x < maxX && $0.y < maxY }) else { return nil }
        func fixed(x: Float, y: Float, scale: Double) -> FixedPoint {
            FixedPoint(Int(Double(x) * scale), Int(Double(y) * scale))
        }
        let sampleScale = Self.one / Double(samples)
        self.view = view
        self.width = width
        self.height = height
        self.samples = samples
        self.stepX = fixed(x: map.a, y: map.d, scale: sampleScale)
        self.stepY = fixed(x: map.b, y: map.e, scale: sampleScale)
        // Pixel centres lie at half coordinates.
        self.start = fixed(x: map.c - 0.5, y: map.f - 0.5, scale: Self.one) &+ (self.stepX &+ self.stepY) / 2
    }

    /// Calls `body` with each pixel of the rectified line, row by row.
    @inline(__always)
    func forEachPixel(load: PixelLoader, _ body: (_ x: Int, _ y: Int, _ pixel: SIMD4<Float>) -> Void) {
        let weight = 1 / Float(self.samples * self.samples)
        var rowStart = self.start
        for y in 0..<self.height {
            var pixelStart = rowStart
            for x in 0..<self.width {
                var sum = SIMD4<Float>.zero
                var sampleRow = pixelStart
                for _ in 0..<self.samples {
                    var position = sampleRow
                    for _ in 0..<self.samples {
                        sum += self.interpolated(at: position, load: load)
                        position &+= self.stepX
                    }
                    sampleRow &+= self.stepY
                }
                body(x, y, sum * weight)
                pixelStart &+= self.stepX &* FixedPoint(repeating: self.samples)
            }
            rowStart &+= self.stepY &* FixedPoint(repeating: self.samples)
        }
    }

    @inline(__always)
    private func interpolated(at position: FixedPoint, load: PixelLoader) -> SIMD4<Float> {
        let (x, y) = (position.x, position.y)
        let pixel = (self.view.base + (y &>> 32) &* self.view.bytesPerRow)
            .advanced(by: (x &>> 32) &* self.view.format.bytesPerPixel)
            .assumingMemoryBound(to: UInt8.self)
        // A float holds 24 bits, so the lowest eight of the fraction are dropped.
        let fractionX = Float(Int32(truncatingIfNeeded: x &>> 8 & 0xFF_FFFF)) * 0x1p-24
        let fractionY = Float(Int32(truncatingIfNeeded: y &>> 8 & 0xFF_FFFF)) * 0x1p-24
        return SIMD4(
            interpolating: pixel,
            strideX: self.view.format.bytesPerPixel,
            strideY: self.view.bytesPerRow,
            fractionX: fractionX,
            fractionY: fractionY,
            load: load
        )
    }
}
