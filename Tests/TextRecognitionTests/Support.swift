import ImageCodecs
import GlyphwireProtocol
import SeededRandom
import TextModel

@testable import TextRecognition

extension PixelBuffer {
    /// A picture whose bytes are `value` of column, row and channel.
    init(width: Int, height: Int, format: PixelFormat, _ value: (_ x: Int, _ y: Int, _ channel: Int) -> UInt8) {
        self.init(width: width, height: height, format: format)
        let channels = format.bytesPerPixel
        self.withMutableBytes { bytes in
            for index in bytes.indices {
                let pixel = index / channels
                bytes[index] = value(pixel % width, pixel / width, index % channels)
            }
        }
    }

    /// A picture of noise.
    init(noise seed: UInt64, width: Int, height: Int, format: PixelFormat = .bgra) {
        var random = SplitMix64(seed)
        self.init(width: width, height: height, format: format) { _, _, _ in .random(in: 0...255, using: &random) }
    }

    /// The picture as sent by a camera with `orientation`.
    func sent(as orientation: Orientation) -> PixelBuffer {
        let inverse: Orientation =
            switch orientation {
            case .right: .left
            case .left: .right
            default: orientation
            }
        return self.upright(from: inverse)
    }

    /// Calls `body` with a view whose rows have `padding` bytes that must not be read.
    func withPaddedPixels<R>(_ padding: Int, _ body: (PixelView) -> R) -> R {
        let bytesPerRow = self.bytesPerRow + padding
        var padded: [UInt8] = []
        for row in 0..<self.height {
            let start = row * self.bytesPerRow
            padded += self.bytes[start..<start + self.bytesPerRow]
            padded += [UInt8](repeating: 0xA5, count: padding)
        }
        return padded.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { preconditionFailure("a picture has pixels") }
            return body(
                PixelView(
                    base: base,
                    width: self.width,
                    height: self.height,
                    bytesPerRow: bytesPerRow,
                    format: self.format
                )
            )
        }
    }
}

extension Quad {
    /// Maximum distance between corresponding corners.
    func distance(to other: Quad) -> Float {
        zip(self.corners, other.corners).map { $0.distance(to: $1) }.max() ?? 0
    }
}

extension InputShape {
    /// Number of pixels of the input.
    var pixelCount: Int { self.width * self.height }

    /// Index of the byte of a channel (blue, green, red) of a pixel.
    func index(_ x: Int, _ y: Int, _ channel: Int) -> Int { (y * self.width + x) * 3 + channel }
}

extension [Float] {
    /// Maximum difference of two elements at the same index; infinite if the lengths differ.
    func difference(from other: [Float]) -> Float {
        guard self.count == other.count else { return .infinity }
        return zip(self, other).reduce(0) { Swift.max($0, abs($1.0 - $1.1)) }
    }
}
