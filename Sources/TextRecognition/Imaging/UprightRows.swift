internal import ImageCodecs
internal import TextModel

/// A part of a frame, its pixels found by their place in the upright picture.
struct UprightPart {
    let width: Int
    let height: Int
    let format: PixelFormat
    /// The top-left pixel.
    private let origin: UnsafeRawPointer
    /// Bytes to the next pixel of a row.
    private let stepX: Int
    /// Bytes to the next row.
    private let stepY: Int

    /// The part `rect`, in sent pixels, of a frame that must be turned as `orientation` says.
    init(of view: PixelView, _ rect: PixelRect, orientation: Orientation) {
        (self.width, self.height) = orientation.uprightSize(width: rect.width, height: rect.height)
        self.format = view.format
        let (pixel, row) = (view.format.bytesPerPixel, view.bytesPerRow)
        let right = (rect.width - 1) * pixel
        let bottom = (rect.height - 1) * row
        let start: Int
        (start, self.stepX, self.stepY) =
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

    /// A row whose pixels follow one another in memory; `nil` where they do not.
    func row(_ y: Int) -> UnsafeRawPointer? {
        self.stepX == self.format.bytesPerPixel ? self.origin + y * self.stepY : nil
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
        // Columns outside: where the frame lies on its side, a column's pixels are neighbours in memory.
        for x in 0..<self.width {
            var source = self.origin + x * self.stepX + rows.lowerBound * self.stepY
            var place = target + x * MemoryLayout<Pixel>.size
            for _ in rows {
                place.storeBytes(of: source.loadUnaligned(as: type), as: type)
                source += self.stepY
                place += self.width * MemoryLayout<Pixel>.size
            }
        }
    }
}

/// Hands out the rows of an ``UprightPart`` from top to bottom, each in one piece.
///
/// Rows that do not lie in one piece are copied a strip at a time: a row of a frame that lies on its side takes a pixel from
/// each row of memory, and their neighbours, fetched with them, make up the next rows of the strip.
struct UprightRows: ~Copyable {
    /// A strip is at least as high as a cache line of 64 bytes is long.
    private static let stripHeight = 16

    private var strip = ScratchBuffer<UInt8>()
    private var held = 0..<0

    /// Starts anew, with another part.
    mutating func rewind() { self.held = 0..<0 }

    /// Makes `rows`, which begin no higher than those held before, ready to be handed out.
    mutating func hold(_ rows: Range<Int>, of part: UprightPart) {
        guard part.row(rows.lowerBound) == nil, rows.upperBound > self.held.upperBound else { return }
        self.held = rows.lowerBound..<min(rows.lowerBound + max(Self.stripHeight, 2 * rows.count), part.height)
        self.strip.reserve(self.held.count * part.width * part.format.bytesPerPixel)
        part.copy(self.held, to: self.strip.base)
    }

    /// The pixels of a row that is held, valid until other rows are.
    func row(_ y: Int, of part: UprightPart) -> UnsafePointer<UInt8> {
        if let row = part.row(y) { return row.assumingMemoryBound(to: UInt8.self) }
        let bytesPerRow = part.width * part.format.bytesPerPixel
        return UnsafePointer(self.strip.base + (y - self.held.lowerBound) * bytesPerRow)
    }
}
