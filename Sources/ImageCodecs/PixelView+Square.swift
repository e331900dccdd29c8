extension PixelView {
    /// The size in square pixels, with more rows or more columns.
    ///
    /// - Parameter ratio: The width of a pixel divided by its height.
    /// - Returns: The size.
    func squareSize(pixelAspectRatio ratio: Float) -> (width: Int, height: Int) {
        ratio < 1
            ? (self.width, Int((Float(self.height) / ratio).rounded()))
            : (Int((Float(self.width) * ratio).rounded()), self.height)
    }

    /// Writes `height` rows without padding, interpolated from those of the picture, which keep their width.
    func stretchRows(to height: Int, into target: UnsafeMutableRawBufferPointer) {
        let bytesPerRow = self.width * self.format.bytesPerPixel
        for row in 0..<height {
            let place = Interpolation(row, of: height, from: self.height)
            let (first, second) = (place.first * self.bytesPerRow, place.second * self.bytesPerRow)
            for byte in 0..<bytesPerRow {
                unsafe target[row * bytesPerRow + byte] = place.mix(self[first + byte], self[second + byte])
            }
        }
    }

    /// Writes rows of `width` pixels without padding, interpolated from those of the picture.
    func stretchColumns(to width: Int, into target: UnsafeMutableRawBufferPointer) {
        let bytesPerPixel = self.format.bytesPerPixel
        let places = (0..<width).map { Interpolation($0, of: width, from: self.width) }
        // Row by row, as they lie in memory.
        for row in 0..<self.height {
            for (column, place) in places.enumerated() {
                let (first, second) = (place.first * bytesPerPixel, place.second * bytesPerPixel)
                let (from, to) = (row * self.bytesPerRow, (row * width + column) * bytesPerPixel)
                for channel in 0..<bytesPerPixel {
                    unsafe target[to + channel] = place.mix(self[from + first + channel], self[from + second + channel])
                }
            }
        }
    }

    private subscript(offset: Int) -> UInt8 { unsafe self.base.load(fromByteOffset: offset, as: UInt8.self) }
}

/// Place of a row or column between two of a smaller picture.
private struct Interpolation {
    /// One in units of the weight.
    private static let scale = 256

    /// The one in front of it.
    let first: Int
    /// The one behind it, or the same at the ends.
    let second: Int
    private let weight: Int

    /// Finds the place of `index` of `count` rows or columns in a picture of `sourceCount`.
    init(_ index: Int, of count: Int, from sourceCount: Int) {
        // The centre of the pixel, from that of the first one of the source.
        let position = ((2 * index + 1) * sourceCount - count) * Self.scale / (2 * count)
        let last = (sourceCount - 1) * Self.scale
        let clamped = min(max(position, 0), last)
        self.first = clamped / Self.scale
        self.second = min(self.first + 1, sourceCount - 1)
        self.weight = clamped % Self.scale
    }

    func mix(_ first: UInt8, _ second: UInt8) -> UInt8 {
        let sum = Int(first) * (Self.scale - self.weight) + Int(second) * self.weight
        return UInt8(truncatingIfNeeded: (sum + Self.scale / 2) / Self.scale)
    }
}
