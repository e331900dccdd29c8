internal import ImageCodecs
internal import TextModel

/// A part of a frame whose pixels are addressed by upright row and column.
///
/// Turning and mirroring are steps in memory: each orientation has a first pixel and two strides.
struct UprightPart {
    /// The width in upright pixels.
    let width: Int
    /// The height in upright pixels.
    let height: Int
    /// The format of the pixels.
    let format: PixelFormat
    /// The address of the top-left pixel.
    private let origin: UnsafeRawPointer
    /// The distance to the next pixel of a row, in bytes.
    private let strideX: Int
    /// The distance to the pixel below, in bytes.
    private let strideY: Int

    /// The part `rect`, in sent pixels, of a frame of an orientation.
    init(of view: PixelView, _ rect: PixelRect, orientation: Orientation) {
        (self.width, self.height) = orientation.uprightSize(width: rect.width, height: rect.height)
        self.format = view.format
        let (pixel, row) = (view.format.bytesPerPixel, view.bytesPerRow)
        let right = (rect.width - 1) * pixel
        let bottom = (rect.height - 1) * row
        let start: Int
        (start, self.strideX, self.strideY) =
            switch orientation {
            case .up: (0, pixel, row)
            case .upMirrored: (right, -pixel, row)
            case .down: (right + bottom, -pixel, -row)
            case .downMirrored: (bottom, pixel, -row)
            case .leftMirrored: (0, row, pixel)
            case .right: (bottom, -row, pixel)
            case .rightMirrored: (right + bottom, -row, -pixel)
            case .left: (right, row, -pixel)
            }
        self.origin = view.base + rect.y * row + rect.x * pixel + start
    }

    /// Returns the first pixel of a row that is contiguous in memory; `nil` where rows are not.
    func contiguousRow(_ y: Int) -> UnsafeRawPointer? {
        self.strideX == self.format.bytesPerPixel ? self.origin + y * self.strideY : nil
    }

    /// Copies rows to `target`, one right after the other.
    func copy(_ rows: Range<Int>, to target: UnsafeMutableRawPointer) {
        switch self.format {
        case .bgra: self.copy(rows, to: target, as: UInt32.self)
        case .gray: self.copy(rows, to: target, as: UInt8.self)
        }
    }

    private func copy<Pixel: BitwiseCopyable>(
        _ rows: Range<Int>,
        to target: UnsafeMutableRawPointer,
        as type: Pixel.Type
    ) {
        // The outer loop runs over columns: in a frame that lies on its side, a column's pixels are neighbours in memory.
        for x in 0..<self.width {
            var source = self.origin + x * self.strideX + rows.lowerBound * self.strideY
            var pixel = target + x * MemoryLayout<Pixel>.size
            for _ in rows {
                pixel.storeBytes(of: source.loadUnaligned(as: type), as: type)
                source += self.strideY
                pixel += self.width * MemoryLayout<Pixel>.size
            }
        }
    }
}
