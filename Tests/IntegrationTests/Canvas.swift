import TextModel
import ImageCodecs
import Foundation
import GlyphwireProtocol
import NIOCore

/// A picture of white text on black for a ``Canvas``, drawn by `Fixtures/make_moving_text.py`.
struct Lettering {
    let width: Int
    let height: Int
    /// Coverage of each pixel by ink.
    private let ink: [UInt8]

    init(_ name: String) throws {
        let path = Engine.root.appending(path: "Tests/IntegrationTests/Fixtures/\(name).png").path()
        let pixels = try PictureFile(path: path).picture().pixels
        (self.width, self.height, self.ink) = (pixels.width, pixels.height, pixels.bytes)
    }

    private init(width: Int, height: Int, ink: [UInt8]) {
        (self.width, self.height, self.ink) = (width, height, ink)
    }

    /// A part of it with the same width.
    func rows(_ rows: Range<Int>) -> Lettering {
        let ink = self.ink[rows.lowerBound * self.width..<rows.upperBound * self.width]
        return Lettering(width: self.width, height: rows.count, ink: Array(ink))
    }

    /// Coverage of a pixel by ink, 0...1.
    func coverage(x: Int, y: Int) -> Float { Float(self.ink[y * self.width + x]) / 255 }

    /// Columns of its words, which are separated by gaps of more than `gap` columns.
    func words(apart gap: Int) -> [Range<Int>] {
        let inked = (0..<self.width).filter { x in (0..<self.height).contains { self.coverage(x: x, y: $0) > 0.1 } }
        return inked.reduce(into: []) { words, x in
            if let last = words.last, x - last.upperBound < gap {
                words[words.count - 1] = last.lowerBound..<x + 1
            } else {
                words.append(x..<x + 1)
            }
        }
    }
}

/// A synthetic gray frame.
struct Canvas {
    let width: Int
    let height: Int
    private var levels: [Float]

    /// Creates a frame of one gray level.
    init(width: Int, height: Int, level: Float) {
        (self.width, self.height) = (width, height)
        self.levels = [Float](repeating: level, count: width * height)
    }

    /// Creates noise in squares of 4 x 4 pixels, shifted to the left by a number of them.
    init(width: Int, height: Int, noiseShiftedBy squares: Int) {
        self.init(width: width, height: height, level: 0)
        for y in 0..<height {
            for x in 0..<width {
                var hash = UInt64(truncatingIfNeeded: (x / 4 + squares) &* 7919 &+ y / 4 &* 104_729)
                hash = (hash ^ 0x9E37_79B9) &* 6_364_136_223_846_793_005
                hash = (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9
                self.levels[y * width + x] = 80 + Float((hash >> 40) % 60)
            }
        }
    }

    /// Draws text of one gray level.
    mutating func draw(_ lettering: Lettering, x left: Int, y top: Int, level: Float, opacity: Float = 1) {
        for y in max(0, -top)..<max(0, -top, min(lettering.height, self.height - top)) {
            for x in max(0, -left)..<max(0, -left, min(lettering.width, self.width - left)) {
                let place = (top + y) * self.width + left + x
                let coverage = opacity * lettering.coverage(x: x, y: y)
                self.levels[place] += (level - self.levels[place]) * coverage
            }
        }
    }

    /// The frame as a picture.
    var picture: PixelBuffer {
        var picture = PixelBuffer(width: self.width, height: self.height, format: .gray)
        picture.withMutableBytes { $0.copyBytes(from: self.bytes) }
        return picture
    }

    private var bytes: [UInt8] { self.levels.map { UInt8(max(0, min(255, $0))) } }

    /// The frame as a message.
    func message(sequence: Int) -> Message {
        let header = MessageHeader(
            type: .frame,
            format: .gray,
            sequence: UInt64(sequence),
            capturedMicroseconds: UInt64(1_000_000 + sequence * 40_000),
            width: UInt16(self.width),
            height: UInt16(self.height),
            payloadByteCount: 0
        )
        return Message(header: header, payload: ByteBuffer(bytes: self.bytes))
    }
}
