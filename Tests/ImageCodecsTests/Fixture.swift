import Foundation
import FramePipeline
import GlyphwireProtocol
import ImageCodecs
import TextModel
import Testing

/// Files that `Fixtures/make-fixtures.py` creates.
enum Fixture {
    /// Size of the pictures, unless their name states another.
    static let (width, height) = (52, 37)

    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    /// Names of all files with one of `suffixes`, sorted.
    static func names(ending suffixes: String...) -> [String] {
        let folder = Bundle.module.url(forResource: "Fixtures", withExtension: nil)?.path ?? ""
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in suffixes.contains { name.hasSuffix($0) } }.sorted()
    }

    /// The JPEG `name` as decoded by Pillow.
    static func expected(of name: String) throws -> PixelBuffer {
        let path = name.replacing(".jpg", with: ".expected.png")
        return try PictureFile(bytes: try Self.bytes(path), path: path).picture().pixels
    }
}

/// Frame as a client describes it.
struct Frame {
    var format: FrameFormat
    var orientation: UInt8 = 0
    var width = 0
    var height = 0
    var bytesPerRow = 0

    /// The frame's description with a payload of `payloadByteCount` bytes.
    func description(payloadByteCount: Int) throws(WireError) -> FrameDescription {
        let header = MessageHeader(
            type: .frame,
            format: self.format,
            orientation: self.orientation,
            width: UInt16(self.width),
            height: UInt16(self.height),
            bytesPerRow: UInt32(self.bytesPerRow),
            payloadByteCount: payloadByteCount
        )
        return try FrameDescription(header: header, limits: WireLimits())
    }
}

extension FrameDecoder {
    /// Copy of a frame's pixels, with their orientation.
    func picture(_ frame: Frame, _ payload: [UInt8]) throws(WireError) -> Picture {
        let description = try frame.description(payloadByteCount: payload.count)
        do throws(CodecError) {
            return try self.withPixels(of: description, payload: payload.span.bytes) { view, orientation in
                Picture(pixels: PixelBuffer(copying: view), orientation: orientation)
            }
        } catch {
            throw WireError(error)
        }
    }

    /// The same for a JPEG without a description.
    func picture(jpeg: [UInt8]) throws(WireError) -> Picture {
        try self.picture(Frame(format: .jpeg), jpeg)
    }
}

extension PixelBuffer {
    /// The largest difference of any channel.
    func difference(from other: PixelBuffer) -> Int {
        guard self.width == other.width, self.height == other.height, self.format == other.format else { return 255 }
        return zip(self.bytes, other.bytes).map { abs(Int($0) - Int($1)) }.max() ?? 255
    }
}
