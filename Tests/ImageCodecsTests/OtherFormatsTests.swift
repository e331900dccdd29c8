import FramePipeline
import GlyphwireProtocol
import ImageCodecs
import TextModel
import Testing

@Suite("Picture file of another format")
struct OtherFormatsTests {
    private static func open(_ name: String) throws -> Picture { try PictureFileTests.open(name) }

    @Test(
        "is read losslessly where it is lossless",
        arguments: [
            "colour.webp", "colour.tif", "deflate.tif", "strips.tif", "big.tif", "two-pages.tif", "colour.bmp",
            "colour-32.bmp", "animated.webp",
        ]
    )
    func lossless(name: String) throws {
        let (picture, expected) = (try Self.open(name), try Self.open("colour.png"))
        #expect(picture.pixels.width == Fixture.width && picture.pixels.height == Fixture.height)
        #expect(picture.pixels == expected.pixels && picture.orientation == .up)
    }

    @Test("is gray where it is", arguments: ["gray.tif", "gray-16.tif", "gray.bmp"])
    func gray(name: String) throws {
        #expect(try Self.open(name).pixels.difference(from: try Self.open("gray.png").pixels) <= 1)
    }

    @Test("of one bit is black and white", arguments: ["one-bit.tif", "one-bit.bmp"])
    func oneBit(name: String) throws {
        #expect(try Self.open(name).pixels == Self.open("one-bit.png").pixels)
    }

    @Test("with a palette is in colour", arguments: ["palette.gif", "interlaced.gif", "palette.tif", "palette.bmp"])
    func palette(name: String) throws {
        #expect(try Self.open(name).pixels == Self.open("palette.png").pixels)
    }

    @Test("with loss looks the same", arguments: ["lossy.webp", "lossy.tif"])
    func lossy(name: String) throws {
        let (lossy, whole) = (try Self.open(name).pixels, try Self.open("colour.png").pixels)
        let differences = zip(lossy.bytes, whole.bytes).map { abs(Int($0) - Int($1)) }
        #expect(differences.reduce(0, +) < 8 * differences.count)
    }

    @Test("that is transparent is mixed with what it lies on")
    func alpha() throws {
        let expected = try Self.open("alpha.png").pixels
        #expect(try Self.open("alpha.webp").pixels == expected)
        // libtiff multiplies by alpha first, which rounds.
        let tiff = try Self.open("alpha.tif").pixels
        #expect(tiff.difference(from: expected) <= 2)
    }

    @Test("of GIF of which a colour is transparent shows a backdrop there")
    func clearGIF() throws {
        let (clear, opaque) = (try Self.open("palette-clear.gif").pixels, try Self.open("palette.gif").pixels)
        #expect(Array(clear.bytes[..<3]) != Array(opaque.bytes[..<3]))
        let red = (5 * Fixture.width + 5) * 4
        #expect(clear.bytes[red..<red + 4] == opaque.bytes[red..<red + 4])
    }

    @Test("of which several pictures follow each other shows the first")
    func animation() throws {
        #expect(try Self.open("animated.gif").pixels.difference(from: try Self.open("palette.gif").pixels) < 130)
        #expect(try PictureFile(bytes: Fixture.bytes("two-pages.tif"), path: "").pageCount == 2)
        #expect(try PictureFile(bytes: Fixture.bytes("colour.tif"), path: "").pageCount == 1)
    }

    @Test("of which the first of several pages is read says so in its frame")
    func firstPage() throws {
        let file = try PictureFile(bytes: Fixture.bytes("two-pages.tif"), path: "two-pages.tif")
        let (description, payload) = try file.frame()
        let decoder = FrameDecoder(limits: PictureLimits())
        let warnings = try decoder.withFrame(description, payload: payload.span.bytes) { $0.warnings }
        #expect(warnings == [FrameWarning(.firstPageOnly, pages: 2)])
    }

    @Test(
        "is not decoded without memory for it",
        arguments: ["colour.png", "alpha.png", "colour.webp", "colour.tif", "palette.gif", "colour.bmp", "420.jpg"]
    )
    func memory(name: String) throws {
        let file = try PictureFile(bytes: try Fixture.bytes(name), path: name)
        let limits = DecodingLimits(PictureLimits()) { $0 < 4 * Fixture.width * Fixture.height }
        #expect(throws: PictureError(.noMemory, "")) { try file.picture(limits: limits) }
    }

    @Test("lies as its EXIF orientation says", arguments: ["exif-6.webp", "exif-6.tif"])
    func orientation(name: String) throws {
        let picture = try Self.open(name)
        #expect(picture.orientation == .right)
        #expect(picture.pixels == (try Self.open("exif-6.png")).pixels)
    }

    @Test("of BMP may begin with its upper row, and have 16 bits a pixel")
    func bitmaps() throws {
        // Two rows of two pixels, red and green above blue and white, in 5, 6 and 5 bits.
        let rows: [UInt8] = [0x00, 0xF8, 0xE0, 0x07, 0x1F, 0x00, 0xFF, 0xFF]
        let masks: [UInt8] = [0x00, 0xF8, 0, 0, 0xE0, 0x07, 0, 0, 0x1F, 0, 0, 0]
        let bitmap = Bitmap(width: 2, height: -2, bits: 16, compression: 3, tables: masks, rows: rows)
        let pixels = try PictureFile(bytes: bitmap.file, path: "a.bmp").picture().pixels
        #expect(pixels.bytes == [0, 0, 255, 255, 0, 255, 0, 255, 255, 0, 0, 255, 255, 255, 255, 255])
    }

    @Test("of BMP that is compressed is named")
    func compressedBitmap() throws {
        let bitmap = Bitmap(width: 2, height: 2, bits: 8, compression: 1, tables: [], rows: [2, 0, 2, 0])
        let error = #expect(throws: PictureError.self) {
            try PictureFile(bytes: bitmap.file, path: "a.bmp").picture()
        }
        #expect(error?.code == .unsupported && error?.message.contains("the compression 1") == true)
    }

    @Test("of BMP may end without the padding of its last row, but not begin in its header")
    func bitmapRows() throws {
        // Two rows of a pixel, of which the last one is without the byte that fills it up.
        var bitmap = Bitmap(width: 1, height: 2, bits: 24, compression: 0, tables: [], rows: [1, 1, 1, 0, 2, 2, 2])
        let pixels = try PictureFile(bytes: bitmap.file, path: "a.bmp").picture().pixels
        #expect(pixels.bytes == [2, 2, 2, 255, 1, 1, 1, 255])
        var file = bitmap.file
        bitmap.rows.removeLast()
        #expect(throws: PictureError(.damaged, "")) { try PictureFile(bytes: bitmap.file, path: "a.bmp").picture() }
        file.replaceSubrange(10..<14, with: [0, 0, 0, 0])
        #expect(throws: PictureError(.damaged, "")) { try PictureFile(bytes: file, path: "a.bmp").picture() }
    }

    @Test("of TIFF with samples of 32 bits is whole, but not read", arguments: ["int-32.tif", "float-32.tif"])
    func wideSamples(name: String) throws {
        let error = #expect(throws: PictureError.self) { try Self.open(name) }
        #expect(error?.code == .unsupported)
        let message = error?.message ?? ""
        #expect(message.contains("32-bit") && message.contains("convert FILE picture.png"), "\(message)")
        #expect(!message.contains("damaged"))
    }

    @Test(
        "past the limits is refused before anything is allocated",
        arguments: ["colour.webp", "animated.webp", "palette.gif", "colour.tif", "gray.tif", "colour.bmp"]
    )
    func limits(name: String) throws {
        let file = try PictureFile(bytes: Fixture.bytes(name), path: name)
        for limits in [PictureLimits(maxPixels: 400), PictureLimits(maxSide: 40)] {
            #expect(throws: PictureError(.tooLarge, "")) { try file.picture(limits: limits) }
        }
    }

    @Test("that announces more than it has is refused")
    func announcements() throws {
        let rows = [UInt8](repeating: 0, count: 64)
        for (width, height) in [(6000, 6000), (0, 4), (4, 0), (65535, Int32.min)] as [(Int32, Int32)] {
            let bitmap = Bitmap(width: width, height: height, bits: 24, compression: 0, tables: [], rows: rows)
            #expect(throws: PictureError.self) { try PictureFile(bytes: bitmap.file, path: "a.bmp").picture() }
        }
        var gif = try Fixture.bytes("palette.gif")
        gif.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: PictureError(.tooLarge, "")) { try PictureFile(bytes: gif, path: "a.gif").picture() }
    }

    @Test("that is cut off is a picture or an error", arguments: Fixture.names(ending: ".webp", ".gif", ".tif", ".bmp"))
    func truncated(name: String) throws {
        let bytes = try Fixture.bytes(name)
        for count in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 200)) {
            let cut = [UInt8](bytes[..<count])
            if let file = try? PictureFile(bytes: cut, path: name) { _ = try? file.picture() }
        }
        let half = [UInt8](bytes[..<(bytes.count / 2)])
        #expect(throws: PictureError.self) { try PictureFile(bytes: half, path: name).picture() }
    }
}

/// BMP file under construction, with the header of Windows 3.
private struct Bitmap {
    var width: Int32
    var height: Int32
    var bits: UInt16
    var compression: UInt32
    /// Masks or colours, behind the header.
    var tables: [UInt8]
    var rows: [UInt8]

    var file: [UInt8] {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian, Array.init) }
        let start = UInt32(14 + 40 + self.tables.count)
        return Array("BM".utf8) + bytes(start + UInt32(self.rows.count)) + bytes(UInt32(0)) + bytes(start)
            + bytes(UInt32(40)) + bytes(self.width) + bytes(self.height) + bytes(UInt16(1)) + bytes(self.bits)
            + bytes(self.compression) + [UInt8](repeating: 0, count: 20) + self.tables + self.rows
    }
}
