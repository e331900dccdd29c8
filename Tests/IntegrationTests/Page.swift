import ImageCodecs
import Foundation
import GlyphwireProtocol
import TextModel
import NIOCore

/// A typeset page in all frame encodings.
struct Page {
    /// Encodings of pixels.
    enum Encoding: CaseIterable {
        case jpeg, bgra, bgraPadded, bgraLZ4Block, bgraLZ4Frame, gray, grayLZ4Block
    }

    static let path = Engine.root.appending(path: "Tests/IntegrationTests/Fixtures/page.png").path()

    /// Words of the page.
    static let words = """
        Platform 4 12:45 Trains to Harbour Street Mind the step between train and door EXIT 17 \
        Tickets are checked on board No smoking Please keep left
        """

    private let upright: PixelBuffer

    init() throws {
        self.upright = try PictureFile(path: Self.path).picture().pixels
    }

    private init(_ upright: PixelBuffer) { self.upright = upright }

    /// The same page on a square, whose size does not depend on the orientation.
    var squared: Page {
        let side = max(self.upright.width, self.upright.height)
        var picture = PixelBuffer(width: side, height: side, format: .gray)
        picture.withMutableBytes { bytes in
            for index in 0..<bytes.count {
                let (x, y) = (index % side, index / side)
                let isPage = x < self.upright.width && y < self.upright.height
                bytes[index] = isPage ? self.upright.bytes[y * self.upright.bytesPerRow + x] : 255
            }
        }
        return Page(picture)
    }

    /// The same page in less light, so that no byte of its paper is unchanged.
    func darker(by levels: UInt8) -> Page {
        var picture = self.upright
        picture.withMutableBytes { bytes in
            for index in 0..<bytes.count { bytes[index] -= min(bytes[index], levels) }
        }
        return Page(picture)
    }

    /// The page as sent by a camera with `orientation`.
    func message(_ encoding: Encoding, _ orientation: Orientation, sequence: UInt64) throws -> Message {
        // The rotation from the upright picture to the sent one is the inverse of the orientation.
        let inverse: Orientation =
            switch orientation {
            case .right: .left
            case .left: .right
            default: orientation
            }
        let gray = self.upright.upright(from: inverse)
        let colour = gray.withPixels { PixelBuffer(copyingInColour: $0) }
        var header = MessageHeader(
            type: .frame,
            orientation: orientation.rawValue,
            sequence: sequence,
            width: UInt16(gray.width),
            height: UInt16(gray.height),
            payloadByteCount: 0
        )
        let format: FrameFormat
        let payload: [UInt8]
        switch encoding {
        case .jpeg:
            (header.width, header.height) = (0, 0)
            format = .jpeg
            payload = try colour.withPixels { (view) throws(PictureError) in
                try JPEGEncoder(quality: 95, subsampling: .none).encode(view)
            }
        case .bgra: (format, payload) = (.bgra, colour.bytes)
        case .bgraPadded:
            header.bytesPerRow = UInt32(colour.bytesPerRow + 12)
            format = .bgra
            payload = stride(from: 0, to: colour.bytes.count, by: colour.bytesPerRow).flatMap { row in
                colour.bytes[row..<row + colour.bytesPerRow] + [UInt8](repeating: 0xEE, count: 12)
            }
        case .bgraLZ4Block: (format, payload) = (.bgraLZ4Block, Self.lz4Block(colour.bytes))
        case .bgraLZ4Frame: (format, payload) = (.bgraLZ4Frame, Self.lz4Frame(colour.bytes))
        case .gray: (format, payload) = (.gray, gray.bytes)
        case .grayLZ4Block: (format, payload) = (.grayLZ4Block, Self.lz4Block(gray.bytes))
        }
        header.format = format.rawValue
        return Message(header: header, payload: ByteBuffer(bytes: payload))
    }

    /// One LZ4 block of literals only.
    private static func lz4Block(_ bytes: [UInt8]) -> [UInt8] {
        let rest = bytes.count - 15
        return [0xF0] + [UInt8](repeating: 0xFF, count: rest / 255) + [UInt8(rest % 255)] + bytes
    }

    /// An LZ4 frame of one stored block: 4 MB blocks, independent, without checksums.
    private static func lz4Frame(_ bytes: [UInt8]) -> [UInt8] {
        let size = UInt32(bytes.count) | 0x8000_0000
        let littleEndian = (0..<4).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
        return [0x04, 0x22, 0x4D, 0x18, 0x60, 0x70, 0x73] + littleEndian + bytes + [0, 0, 0, 0]
    }
}
