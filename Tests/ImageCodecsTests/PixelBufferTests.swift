import ImageCodecs
import GlyphwireProtocol
import TextModel
import Testing

@Suite("Pixel buffer")
struct PixelBufferTests {
    /// Three columns and two rows, numbered.
    static func numbered(_ format: PixelFormat) throws -> PixelBuffer {
        let pixels = (0..<6).flatMap { [UInt8](repeating: $0, count: format.bytesPerPixel) }
        let frame = Frame(
            format: format == .gray ? .gray : .bgra,
            width: 3,
            height: 2,
            bytesPerRow: 3 * format.bytesPerPixel
        )
        return try FrameDecoder(limits: PictureLimits()).picture(frame, pixels).pixels
    }

    @Test("turns upright for each orientation", arguments: [PixelFormat.gray, .bgra])
    func turnsUpright(format: PixelFormat) throws {
        let picture = try Self.numbered(format)
        let expected: [Orientation: (width: Int, pixels: [UInt8])] = [
            .up: (3, [0, 1, 2, 3, 4, 5]),
            .upMirrored: (3, [2, 1, 0, 5, 4, 3]),
            .down: (3, [5, 4, 3, 2, 1, 0]),
            .downMirrored: (3, [3, 4, 5, 0, 1, 2]),
            .leftMirrored: (2, [0, 3, 1, 4, 2, 5]),
            .right: (2, [3, 0, 4, 1, 5, 2]),
            .rightMirrored: (2, [5, 2, 4, 1, 3, 0]),
            .left: (2, [2, 5, 1, 4, 0, 3]),
        ]
        for (orientation, (width, pixels)) in expected {
            let upright = picture.upright(from: orientation)
            #expect((upright.width, upright.height) == (width, 6 / width))
            #expect(upright.bytes == pixels.flatMap { [UInt8](repeating: $0, count: format.bytesPerPixel) })
        }
    }

    @Test("has each pixel where the orientation says that it lies", arguments: Orientation.allCases)
    func agreesWithTheGeometry(orientation: Orientation) throws {
        let picture = try Self.numbered(.gray)
        let upright = picture.upright(from: orientation)
        for y in 0..<upright.height {
            for x in 0..<upright.width {
                let sent = orientation.sent(Point(x: Float(x) + 0.5, y: Float(y) + 0.5), width: 3, height: 2)
                #expect(upright.bytes[y * upright.width + x] == picture.bytes[Int(sent.y) * 3 + Int(sent.x)])
            }
        }
    }

    @Test("in colour has the gray in each channel")
    func grayInColour() throws {
        let colour = try Self.numbered(.gray).withPixels { PixelBuffer(copyingInColour: $0) }
        #expect(colour.format == .bgra)
        #expect(colour.bytes == (0..<6).flatMap { [$0, $0, $0, 255] })
    }
}
