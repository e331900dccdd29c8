import TextModel
import Foundation
import ImageCodecs
import GlyphwireProtocol
import Testing

@Suite("Picture writing")
struct PictureWritingTests {
    static let picture = try? PictureFileTests.open("colour.png").pixels

    /// A unique path; a file there is removed when `body` returns.
    static func withPath(_ suffix: String, _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString + suffix).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test("of PNG loses nothing, in gray and in colour", arguments: ["colour.png", "gray.png"])
    func pngIsLossless(name: String) throws {
        let picture = try PictureFileTests.open(name).pixels
        try Self.withPath(".PNG") { path in
            try picture.write(to: path)
            #expect(try PictureFile(path: path).picture().pixels == picture)
        }
    }

    @Test("of JPEG loses little, in gray and in colour", arguments: ["colour.png", "gray.png"])
    func jpegIsClose(name: String) throws {
        let picture = try PictureFileTests.open(name).pixels
        try Self.withPath(".jpeg") { path in
            try picture.write(to: path)
            let written = try PictureFile(path: path)
            #expect(written.format == .jpeg)
            #expect(try written.picture().pixels.difference(from: picture) < 40)
        }
    }

    @Test("of a JPEG of better quality is larger and closer")
    func qualityCounts() throws {
        let picture = try #require(Self.picture)
        func file(_ quality: Int, _ subsampling: JPEGEncoder.Subsampling) throws -> (size: Int, difference: Int) {
            let encoder = JPEGEncoder(quality: quality, subsampling: subsampling)
            let file = try picture.withPixels { (view) throws(PictureError) in try encoder.encode(view) }
            let decoded = try FrameDecoder(limits: PictureLimits()).picture(jpeg: file)
            return (file.count, decoded.pixels.difference(from: picture))
        }
        let (poor, good) = (try file(30, .half), try file(95, .none))
        #expect(poor.size < good.size)
        #expect(poor.difference > good.difference)
    }

    @Test("of a view leaves its padding out")
    func paddingIsLeftOut() throws {
        let (frame, payload) = RowTests.rows(.bgra)
        let decoder = FrameDecoder(limits: PictureLimits())
        let description = try frame.description(payloadByteCount: payload.count)
        let file = try decoder.withPixels(of: description, payload: payload.span.bytes) { view, _ in
            Result { () throws(PictureError) in try PNGEncoder().encode(view) }
        }
        let read = try PictureFile(bytes: try file.get(), path: "padded.png").picture().pixels
        let sent = try decoder.picture(frame, payload).pixels
        // The fourth byte of a sent pixel is arbitrary; of a decoded one it is 255.
        let colours = zip(read.bytes, sent.bytes).enumerated().filter { $0.offset % 4 != 3 }.map(\.element)
        #expect(colours.allSatisfy { $0 == $1 })
    }

    @Test("to a name that ends otherwise, or a place that is not there, is an error")
    func wrongPathsAreReported() throws {
        let picture = try #require(Self.picture)
        for path in ["/tmp/picture.gif", "picture", "/nowhere/picture.png"] {
            let error = #expect(throws: PictureError.self) { try picture.write(to: path) }
            #expect(error?.code == .unwritable)
            #expect(error?.message.contains(path) == true)
        }
    }
}
