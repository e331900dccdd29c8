internal import ImageCodecs

/// A function that loads the pixel at an address: blue, green and red.
typealias PixelLoader = (UnsafePointer<UInt8>) -> SIMD4<Float>

extension PixelView {
    /// Returns the pixel at a position between pixel centres, by bilinear interpolation.
    ///
    /// - Parameters:
    ///   - x: The column, 0...width - 1.
    ///   - y: The row, 0...height - 1.
    ///   - load: Loads a pixel of the view's format.
    /// - Returns: Blue, green and red.
    @inline(__always)
    func interpolated(x: Float, y: Float, load: PixelLoader) -> SIMD4<Float> {
        let (left, top) = (Int(x), Int(y))
        let pixel = (self.base + top * self.bytesPerRow + left * self.format.bytesPerPixel)
            .assumingMemoryBound(to: UInt8.self)
        // The last column and row have no neighbour, and stand in for it.
        return SIMD4(
            interpolating: pixel,
            strideX: left + 1 < self.width ? self.format.bytesPerPixel : 0,
            strideY: top + 1 < self.height ? self.bytesPerRow : 0,
            fractionX: x - Float(left),
            fractionY: y - Float(top),
            load: load
        )
    }
}

extension SIMD4<Float> {
    /// The bilinear interpolation of the pixel at `pixel`, the next one in its row and the two below.
    @inline(__always)
    init(
        interpolating pixel: UnsafePointer<UInt8>,
        strideX: Int,
        strideY: Int,
        fractionX: Float,
        fractionY: Float,
        load: PixelLoader
    ) {
        let below = pixel + strideY
        let upper = load(pixel) * (1 - fractionX) + load(pixel + strideX) * fractionX
        let lower = load(below) * (1 - fractionX) + load(below + strideX) * fractionX
        self = upper * (1 - fractionY) + lower * fractionY
    }

    /// The four bytes of a BGRA pixel; the last is not to be used.
    @inline(__always)
    init(bgra pixel: UnsafePointer<UInt8>) {
        self.init(UnsafeRawPointer(pixel).loadUnaligned(as: SIMD4<UInt8>.self))
    }

    /// The byte of a gray pixel, for each colour.
    @inline(__always)
    init(gray pixel: UnsafePointer<UInt8>) { self.init(repeating: Float(pixel[0])) }

    /// The brightness of a pixel of blue, green and red (ITU-R BT.601).
    @inline(__always)
    var luma: Float { 0.114 * self.x + 0.587 * self.y + 0.299 * self.z }
}
