import FramePipeline
import GlyphwireProtocol
import ImageCodecs
import TextModel
import Testing

/// Kinds of JPEG that cost more than others, or that are not read.
@Suite("A JPEG of a rare kind")
struct JPEGKindTests {
    /// As many pixels as a picture of 64 x 64.
    private static let limits = PictureLimits(maxPixels: 4096)
    private static let wide = CraftedJPEG(width: 128, height: 64)

    private func refusal(of jpeg: CraftedJPEG, limits: PictureLimits = PictureLimits()) -> WireError? {
        #expect(throws: WireError.self) { try FrameDecoder(limits: limits).picture(jpeg: jpeg.file) }
    }

    @Test("with a scan for each component is read like one with all in one scan")
    func severalScans() throws {
        var jpeg = CraftedJPEG(width: 60, height: 50, sampling: [0x22, 0x11, 0x11])
        let whole = try FrameDecoder(limits: Self.limits).picture(jpeg: jpeg.file)
        jpeg.isInterleaved = false
        #expect(try FrameDecoder(limits: Self.limits).picture(jpeg: jpeg.file) == whole)
        #expect(try PictureFile(bytes: jpeg.file, path: "").picture(limits: Self.limits) == whole)
    }

    @Test("whose coefficients are kept has the limit of other pictures", arguments: [3, 4])
    func severalScansHaveTheLowerLimit(components: Int) throws {
        var jpeg = Self.wide
        jpeg.sampling = [UInt8](repeating: 0x11, count: components)
        let half = try FrameDecoder(limits: Self.limits).picture(jpeg: jpeg.file).pixels
        #expect((half.width, half.height) == (64, 32))
        jpeg.isInterleaved = false
        let decoder = FrameDecoder(limits: Self.limits)
        let error = #expect(throws: WireError.self) { try decoder.picture(jpeg: jpeg.file) }
        #expect(error?.code == .tooManyPixels)
        #expect(error?.message.contains("4096 for a progressive one, or one of several scans; send") == true)
        #expect(decoder.bufferByteCount == 0)
    }

    @Test("whose coefficients are kept has the same limits as a file", arguments: [true, false])
    func filesHaveTheSameLimits(isProgressive: Bool) throws {
        var crafted = CraftedJPEG(width: Fixture.width, height: Fixture.height)
        crafted.isInterleaved = false
        let kept = try isProgressive ? Fixture.bytes("progressive.jpg") : crafted.file
        let (file, other) = (
            try PictureFile(bytes: kept, path: "a.jpg"),
            try PictureFile(bytes: try Fixture.bytes("420.jpg"), path: "b.jpg")
        )
        let pixels = Fixture.width * Fixture.height
        let limits = PictureLimits(maxPixels: pixels - 1)
        #expect(throws: PictureError(.tooLarge, "")) { try file.picture(limits: limits) }
        #expect(try other.picture(limits: limits).pixels.width == Fixture.width)
        // The coefficients count in the memory that it takes.
        let memory = DecodingLimits(PictureLimits()) { $0 <= 8 * pixels }
        #expect(throws: PictureError(.noMemory, "")) { try file.picture(limits: memory) }
        #expect(try other.picture(limits: memory).pixels.width == Fixture.width)
    }

    @Test("has as many scans as allowed, sequential or not")
    func scansAreCounted() throws {
        var jpeg = CraftedJPEG(width: 64, height: 64)
        jpeg.isInterleaved = false
        _ = try FrameDecoder(limits: PictureLimits(maxJPEGScans: 3)).picture(jpeg: jpeg.file)
        #expect(self.refusal(of: jpeg, limits: PictureLimits(maxJPEGScans: 2))?.code == .jpegUnsupported)
    }

    @Test("has sides of at most 65500 pixels")
    func sides() throws {
        let longest = CraftedJPEG(width: 65500, height: 8, sampling: [0x11])
        #expect(try FrameDecoder(limits: PictureLimits()).picture(jpeg: longest.file).pixels.width == 65500)
        for (width, height) in [(65501, 8), (8, 65501), (65535, 8)] {
            let error = self.refusal(of: CraftedJPEG(width: width, height: height, sampling: [0x11]))
            #expect(error?.code == .badDimensions)
            #expect(error?.message.contains("a side may be 1...65500") == true, "\(error?.message ?? "")")
        }
    }

    @Test(
        "that is not decoded is no damaged one",
        arguments: [
            (CraftedJPEG(width: 64, height: 64, frame: 0xF7), "JPEG-LS"),
            (CraftedJPEG(width: 64, height: 64, segments: [[0xFF, 0xDE, 0, 8, 8, 0, 64, 0, 64, 0]]), "hierarchical"),
            (CraftedJPEG(width: 64, height: 64, sampling: [0x31, 0x21, 0x21]), "Fractional sampling"),
            (CraftedJPEG(width: 64, height: 64, sampling: [0x13, 0x12, 0x11]), "Fractional sampling"),
        ]
    )
    func kinds(jpeg: CraftedJPEG, reason: String) {
        let error = self.refusal(of: jpeg)
        #expect(error?.code == .jpegUnsupported)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
}
