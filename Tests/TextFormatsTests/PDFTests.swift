import GlyphwireProtocol
import ImageCodecs
import NIOCore
import Testing
import TextModel

@testable import TextFormats

@Suite struct PDFTests {
    private static let limits = DecodingLimits(PictureLimits())

    private static func document(_ pages: [Page]) -> [UInt8] {
        var writer = TextFormat.pdf.makeWriter(pictures: pages.map(\.name))
        var file: [UInt8] = []
        // The buffer is emptied after each page, as on the way to standard output.
        func flush(_ write: (inout ByteBuffer) -> Void) {
            var buffer = ByteBuffer()
            write(&buffer)
            file += buffer.readableBytesView
        }
        flush { writer.begin(into: &$0) }
        for page in pages { flush { writer.write(page, into: &$0) } }
        flush { writer.end(into: &$0) }
        return file
    }

    private static func text(of pages: [Page]) -> String { String(decoding: Self.document(pages), as: UTF8.self) }

    private static func image(_ bytes: [UInt8]) throws -> EncodedImage {
        try EncodedImage(try PictureFile(bytes: bytes, path: "picture"), limits: Self.limits)
    }

    private static func page(_ text: FrameText, number: Int = 1, image: EncodedImage) -> Page {
        Page(number: number, name: "page.png", result: Sample.page(text, number: number).result, image: image)
    }

    private static func page(_ lines: [TextLine], number: Int = 1, orientation: Orientation = .up) throws -> Page {
        let pixels = PixelBuffer(width: 1000, height: 800, format: .gray)
        let png = try pixels.withPixels { try PNGEncoder().encode($0) }
        return Self.page(Sample.text(lines, orientation: orientation), number: number, image: try Self.image(png))
    }

    private static func page(_ text: String, number: Int, orientation: Orientation = .up) throws -> Page {
        try Self.page([Sample.line(text, x: 100, y: 200)], number: number, orientation: orientation)
    }

    /// The width and height of the page of a picture of 1000 x 800 pixels, in points.
    private static func size(of image: EncodedImage, orientation: Orientation = .up) throws -> [Float] {
        let document = Self.text(of: [Self.page(Sample.text([], orientation: orientation), image: image)])
        let match = try #require(document.firstMatch(of: /MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]/))
        return [try #require(Float(match.1)).rounded(), try #require(Float(match.2)).rounded()]
    }

    @Test func everyObjectIsWhereTheTableSays() throws {
        let pages = [
            try Self.page("ab", number: 1), Sample.page(error: WireError(.fileCorrupt, "no"), number: 2, name: "b"),
            try Self.page("cd", number: 3, orientation: .right),
        ]
        let file = Self.document(pages)
        let text = String(decoding: file, as: UTF8.self)
        #expect(text.hasPrefix("%PDF-1.5\n") && text.hasSuffix("%%EOF\n"))
        let start = try #require(text.firstMatch(of: /startxref\n([0-9]+)\n/)?.1)
        let table = String(decoding: file[try #require(Int(start))...], as: UTF8.self)
        let entries = table.matches(of: /([0-9]{10}) 00000 n \n/)
        #expect(table.hasPrefix("xref\n0 15\n") && entries.count == 14)
        for (index, entry) in entries.enumerated() {
            let position = try #require(Int(entry.1))
            #expect(file[position...].starts(with: "\(index + 1) 0 obj\n".utf8))
        }
        #expect(text.contains("/Kids [9 0 R 12 0 R] /Count 2"))
        #expect(text.contains("/MediaBox [0 0 480.0 384.0] ") && text.contains("/MediaBox [0 0 384.0 480.0] "))
    }

    @Test func aDocumentWithoutPagesIsNotWritten() throws {
        let unread = Sample.page(error: WireError(.fileCorrupt, "no"), number: 1, name: "bad.jpg")
        #expect(Self.document([unread]).isEmpty && TextFormat.alto.document([unread]) == "")
    }

    @Test(arguments: [
        (Orientation.up, "480 0 0 384 0 0"), (.upMirrored, "-480 0 0 384 480 0"), (.down, "-480 0 0 -384 480 384"),
        (.downMirrored, "480 0 0 -384 0 384"), (.leftMirrored, "0 -480 -384 0 384 480"),
        (.right, "0 -480 384 0 0 480"), (.rightMirrored, "0 480 384 0 0 0"), (.left, "0 480 -384 0 384 0"),
    ])
    func pagesAreUpright(orientation: Orientation, matrix: String) throws {
        let upright = Sample.line("ab", x: 100, y: 200)
        let page = try Self.page(
            [upright.mapBoxes { orientation.sent($0, width: 1000, height: 800) }],
            orientation: orientation
        )
        let text = Self.text(of: [page])
        #expect(text.contains("q \(matrix) cm\n/Picture Do"))
        // The text is level whichever way the picture is stored, 105.6 points below the upper edge.
        let baseline = orientation.swapsAxes ? "374.4" : "278.4"
        #expect(text.contains("\n9.6 0 0 9.6 48 \(baseline) Tm\n<00010002> Tj\n"))
    }

    @Test func pagesHaveTheSizeOfThePaperThatWasScanned() throws {
        let pixels = PixelBuffer(width: 8, height: 8, format: .gray)
        let jpeg = try pixels.withPixels { try JPEGEncoder().encode($0) }
        /// The same with a JFIF header, in front of its own.
        func scan(_ horizontal: UInt8, _ vertical: UInt8) throws -> EncodedImage {
            let header: [UInt8] = Array("JFIF\0\u{1}\u{2}".utf8) + [1, 0, horizontal, 0, vertical, 0, 0]
            let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, UInt8(header.count + 2)]
            return try Self.image(start + header + jpeg.dropFirst(2))
        }
        #expect(try Self.size(of: scan(200, 200)) == [360, 288])
        // A fax has fewer rows an inch than columns.
        #expect(try Self.size(of: scan(200, 100)) == [360, 576])
        #expect(try Self.size(of: scan(200, 100), orientation: .right) == [576, 360])
        // By 72, a file says that it does not know.
        #expect(try Self.size(of: scan(72, 72)) == [480, 384])
    }

    @Test func wordsThatRunLeftStandAsTheyAreSeen() throws {
        let text = Self.text(of: [try Self.page([Sample.hebrewLine("אב 12", x: 500, y: 200)])])
        // From 460 pixels on, 9.6 points a letter, the last letter first.
        #expect(text.contains("9.6 0 0 9.6 220.8 278.4 Tm\n<000100020003> Tj\n"))
        #expect(text.contains("<0001> <05D1>\n<0002> <05D0>\n<0003> <0020>\n<0004> <0031>\n<0005> <0032>\n"))
        // Left of it, the first digit first.
        #expect(text.contains("9.6 0 0 9.6 192 278.4 Tm\n<00040005> Tj\n"))
    }

    @Test func theGlyphReachesToTheCornersOfItsEm() throws {
        let font = GlyphlessFont.file
        func number(_ place: Int, _ byteCount: Int) -> Int {
            font[place..<place + byteCount].reduce(0) { $0 << 8 | Int($1) }
        }
        // Entries of 16 bytes follow the header: name, checksum, place and length.
        let entries = (0..<number(4, 2)).map { 12 + 16 * $0 }
        let entry = try #require(entries.first(where: { font[$0..<$0 + 4].elementsEqual("glyf".utf8) }))
        let glyph = number(entry + 8, 4)
        #expect(number(entry + 12, 4) > 0)
        // Contours, the least x and y, and the largest.
        #expect((0..<5).map { number(glyph + 2 * $0, 2) } == [1, 0, 0, 1000, 1000])
    }

    @Test func wordsStandInTheirBoxesInvisibly() throws {
        let text = Self.text(of: [try Self.page("ab c", number: 1)])
        // 20 pixels a letter are 9.6 points; the first box ends at 220 of 800 pixels from above.
        #expect(text.contains("3 Tr\n/Text 1 Tf\n9.6 0 0 9.6 48 278.4 Tm\n<000100020003> Tj\n"))
        #expect(text.contains("9.6 0 0 9.6 76.8 278.4 Tm\n<0004> Tj\n"))
        #expect(text.contains("4 beginbfchar\n<0001> <0061>\n<0002> <0062>\n<0003> <0020>\n<0004> <0063>\nendbfchar"))
    }

    @Test func aCharacterMayBeSeveralUnitsOfUTF16() {
        var characters = PDFCharacterSet()
        #expect(characters.string(Array("𠮷e\u{301}𠮷")) == "<000100020001>")
        #expect(characters.unicodeMap.contains("<0001> <D842DFB7>\n<0002> <00650301>\n"))
        #expect(characters.codeCount == 3)
    }

    @Test func aPictureIsEmbeddedAsItIs() throws {
        let jpeg = try PixelBuffer(width: 20, height: 10, format: .bgra).withPixels { try JPEGEncoder().encode($0) }
        let image = try Self.image(jpeg)
        #expect(image.coding == .jpeg && image.bytes == jpeg && image.components == 3)
        #expect(image.width == 20 && image.height == 10)
    }
}
