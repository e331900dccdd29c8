import TextModel
import ImageCodecs
import GlyphwireProtocol
import Testing

@Suite("Picture file")
struct PictureFileTests {
    static func open(_ name: String) throws -> Picture {
        try PictureFile(bytes: try Fixture.bytes(name), path: name).picture()
    }

    @Test("of PNG is read losslessly")
    func colour() throws {
        let picture = try Self.open("colour.png")
        #expect((picture.pixels.width, picture.pixels.height) == (Fixture.width, Fixture.height))
        #expect(picture.pixels.format == .bgra)
        #expect(picture.orientation == .up)
        let bytes = picture.pixels.bytes
        #expect([UInt8](bytes[..<4]) == [128, 0, 0, 255])
        let red = (5 * Fixture.width + 5) * 4
        #expect([UInt8](bytes[red..<red + 4]) == [20, 30, 220, 255])
    }

    @Test("of gray PNG is gray, at 1, 8 and 16 bits a sample")
    func gray() throws {
        let gray = try Self.open("gray.png").pixels
        #expect(gray.format == .gray)
        #expect(try Self.open("gray-16.png").pixels == gray)
        let bits = try Self.open("one-bit.png").pixels
        #expect(bits.format == .gray)
        #expect(Set(bits.bytes) == [0, 255])
    }

    @Test("of PNG with a palette is in colour")
    func palette() throws {
        let picture = try Self.open("palette.png").pixels
        #expect(picture.format == .bgra)
        #expect(picture.difference(from: try Self.open("colour.png").pixels) < 100)
    }

    @Test("of PNG of which a colour is transparent shows white there")
    func clearColour() throws {
        #expect(try Self.open("palette-clear.png").pixels.bytes.allSatisfy { $0 == 255 })
        let (gray, clear) = (try Self.open("gray.png").pixels, try Self.open("gray-clear.png").pixels)
        #expect(clear.format == .gray)
        #expect(clear.bytes == gray.bytes.map { $0 == gray.bytes[0] ? 255 : $0 })
        let (opaque, open) = (try Self.open("colour.png").pixels, try Self.open("colour-clear.png").pixels)
        #expect(open.format == .bgra)
        for pixel in stride(from: 0, to: opaque.bytes.count, by: 4) {
            let isClear = opaque.bytes[pixel..<pixel + 3].elementsEqual(opaque.bytes[..<3])
            #expect(
                Array(open.bytes[pixel..<pixel + 3])
                    == (isClear ? [255, 255, 255] : Array(opaque.bytes[pixel..<pixel + 3]))
            )
        }
    }

    @Test("of PNG with transparency is composited on its backdrop")
    func alpha() throws {
        let (opaque, mixed) = (try Self.open("colour.png").pixels, try Self.open("alpha.png").pixels)
        let (grayOpaque, grayMixed) = (try Self.open("gray.png").pixels, try Self.open("gray-alpha.png").pixels)
        #expect(grayMixed.format == .gray)
        // Most of it is light, so the backdrop is black. Alpha grows from the first row, nearly transparent, to the
        // last, nearly opaque.
        let last = Fixture.height - 1
        for column in 0..<Fixture.width {
            for channel in 0..<3 {
                let offset = column * 4 + channel
                #expect(mixed.bytes[offset] <= 7)
                let end = last * mixed.bytesPerRow + offset
                #expect(abs(Int(mixed.bytes[end]) - Int(opaque.bytes[end])) <= 8)
            }
            #expect(grayMixed.bytes[column] <= 7)
            let end = last * Fixture.width + column
            #expect(abs(Int(grayMixed.bytes[end]) - Int(grayOpaque.bytes[end])) <= 8)
        }
    }

    @Test("of PNG with an EXIF chunk lies as that says, also behind the prefix of a JPEG's segment")
    func exifChunk() throws {
        #expect(try Self.open("exif-6.png").orientation == .right)
        var chunk = [UInt8]("eXIfExif\0\0".utf8) + CraftedTIFF(directories: [[.short(0x0112, 6)]]).bytes
        // The length, and a checksum without meaning.
        chunk = [0, 0, 0, UInt8(chunk.count - 4)] + chunk + [0, 0, 0, 0]
        var file = try Fixture.bytes("colour.png")
        // Behind the signature and the chunk IHDR.
        file.insert(contentsOf: chunk, at: 33)
        #expect(try PictureFile(bytes: file, path: "").picture().orientation == .right)
    }

    @Test("of JPEG is read like a frame")
    func jpeg() throws {
        let file = try PictureFile(bytes: try Fixture.bytes("exif-8.jpg"), path: "exif-8.jpg")
        #expect(file.format == .jpeg)
        let picture = try file.picture()
        #expect(picture == (try FrameDecoder(limits: PictureLimits()).picture(jpeg: file.bytes)))
        #expect(picture.orientation == .left)
    }

    /// Starts of files, a character for each byte, with their kinds and a part of the advice.
    private static let foreignFiles: [(String, String, String)] = [
        ("\0\0\0\u{18}ftypheic....", "a HEIC file", "heif-convert FILE picture.png"),
        ("\0\0\0\u{18}ftypmif1....", "a HEIC file", "Most Compatible"),
        ("\0\0\0\u{18}ftypmsf1....", "a HEIC file", "heif-convert FILE picture.png"),
        ("\0\0\0\u{1C}ftypavif....", "an AVIF file", "heif-convert FILE picture.png"),
        ("\0\0\0\u{C}JXL .........", "a JPEG XL file", "djxl FILE picture.png"),
        ("\0\0\0\u{C}jP  .........", "a JPEG 2000 file", "convert FILE picture.png"),
        ("\u{FF}\u{4F}\u{FF}\u{51}\0", "a JPEG 2000 file", "convert FILE picture.png"),
        ("%PDF-1.7........", "a PDF file", "pdftoppm -r 150 -png FILE page"),
        ("P5\n2 2\n255\n\0\u{1}\u{2}\u{3}", "a Netpbm file", "convert FILE picture.png"),
        ("\0\0\u{1}\0\u{1}\0", "an icon file", "convert FILE picture.png"),
        ("8BPS\0\u{1}", "a Photoshop file", "convert FILE picture.png"),
        ("\0\0\0\u{18}ftypcrx ....", "a camera's raw file", "Export it as JPEG"),
        ("\0\0\0\u{14}ftypqt  ....", "a video", "glyphwire watch FILE"),
        ("\0\0\0\u{18}ftypmp42....", "a video", "glyphwire watch FILE"),
        ("\u{1A}\u{45}\u{DF}\u{A3}\u{1}", "a video", "glyphwire watch FILE"),
        ("RIFF....AVI LIST", "a video", "glyphwire watch FILE"),
        (String(repeating: "G" + String(repeating: "\0", count: 187), count: 3), "a video", "glyphwire watch FILE"),
        ("PK\u{3}\u{4}....", "a ZIP archive", "Unpack it"),
        ("\u{1F}\u{8B}\u{8}\0", "a gzip file", "Unpack it"),
        ("\n<!DOCTYPE html><html>", "an HTML page", "address of its own"),
        ("<?xml version=\"1.0\"?>\n<svg width=\"9\">", "an SVG file", "rsvg-convert"),
        ("{\"image\":\"/9j/4AAQ\"}", "JSON", "/v1/images:annotate"),
        ("/9j/4AAQSkZJRgABAQ\n", "Base64", "Decode it"),
        ("data:image/png;base64,iVBORw0KGgo", "Base64", "Decode it"),
        ("file=@photo.jpg", "a field of a form", "curl --data-binary @FILE"),
        ("Dear all,\nme=@home", "text", "are read. It is no picture."),
    ]

    @Test("of another kind is named, with what can be done", arguments: Self.foreignFiles)
    func otherFormatsAreNamed(start: String, kind: String, advice: String) throws {
        let bytes = start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let error = #expect(throws: PictureError.self) { try PictureFile(bytes: bytes, path: "my scan.bin") }
        #expect(error?.code == .unsupported)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("my scan.bin is \(kind); ") && message.contains(advice), "\(message)")
    }

    @Test("behind a text is a JPEG all the same", arguments: ["<html></html>", "{}", "GET / HTTP/1.1\r\n\r\n"])
    func jpegBehindText(start: String) throws {
        let bytes = Array(start.utf8) + (try Fixture.bytes("420.jpg"))
        #expect(try PictureFile(bytes: bytes, path: "").format == .jpeg)
    }

    @Test("of no known kind, and an empty one, are refused", arguments: [[], [1], [UInt8](repeating: 1, count: 100)])
    func unknownFilesAreRefused(bytes: [UInt8]) {
        let error = #expect(throws: PictureError.self) { try PictureFile(bytes: bytes, path: "noise") }
        #expect(error?.code == .unsupported)
    }

    @Test("that is not there, or a folder, is an error that says so")
    func missingFilesAreReported() {
        for (path, reason) in [("/nowhere/picture.png", "No such file"), ("/tmp", "directory")] {
            let error = #expect(throws: PictureError.self) { try PictureFile(path: path) }
            #expect(error?.code == .unreadable)
            #expect(error?.message.contains(reason) == true)
        }
    }

    @Test("of PNG that is cut off anywhere is refused or read, and without its data refused")
    func truncatedPNGIsRefused() throws {
        let bytes = try Fixture.bytes("colour.png")
        for count in 8..<bytes.count - 20 {
            let cut = [UInt8](bytes[..<count])
            #expect(throws: PictureError.self, "cut after \(count) bytes") {
                try PictureFile(bytes: cut, path: "cut.png").picture()
            }
        }
    }

    @Test("past the limits is refused")
    func limitsHold() throws {
        for name in ["colour.png", "420.jpg"] {
            let file = try PictureFile(bytes: try Fixture.bytes(name), path: name)
            for limits in [PictureLimits(maxPixels: 400), PictureLimits(maxSide: 40)] {
                let error = #expect(throws: PictureError.self) { try file.picture(limits: limits) }
                #expect(error?.code == .tooLarge)
            }
        }
    }

    @Test("past a limit is refused with that limit and its option")
    func limitsAreNamed() throws {
        let file = try PictureFile(bytes: try Fixture.bytes("colour.png"), path: "colour.png")
        func message(_ limits: PictureLimits) -> String {
            let error = #expect(throws: PictureError.self) { try file.picture(limits: limits) }
            return error?.message ?? ""
        }
        let ofSide = message(PictureLimits(maxSide: 40))
        #expect(ofSide.contains("the limit of a side is 40 (--max-side)") && !ofSide.contains("--max-pixels"))
        let ofPixels = message(PictureLimits(maxPixels: 400))
        #expect(ofPixels.contains("400 pixels (--max-pixels), and 1600 of a baseline JPEG"))
        #expect(!ofPixels.contains("--max-side"))
    }

    @Test("of PNG with a critical chunk that is not known is whole, but not read")
    func criticalChunk() throws {
        var file = try Fixture.bytes("colour.png")
        // In front of the chunk IHDR, as Apple's tools write it, with its checksum.
        let chunk: [UInt8] = [0, 0, 0, 4] + Array("CgBI".utf8) + [0x50, 0x00, 0x20, 0x02, 0x2B, 0xD5, 0xB3, 0x7F]
        file.insert(contentsOf: chunk, at: 8)
        let error = #expect(throws: PictureError.self) { try PictureFile(bytes: file, path: "icon.png").picture() }
        #expect(error?.code == .unsupported && error?.message.contains("CgBI") == true, "\(error?.message ?? "")")
    }
}
