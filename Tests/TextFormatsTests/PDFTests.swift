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

    private static func page(_ text: String, number: Int, orientation: Orientation = .up) throws -> Page {
        let pixels = PixelBuffer(width: 1000, height: 800, format: .gray)
        let png = try pixels.withPixels { try PNGEncoder().encode($0) }
        let image = try EncodedImage(try PictureFile(bytes: png, path: "page.png"), limits: Self.limits)
        let lines = [Sample.line(text, x: 100, y: 200)]
        let page = Sample.page(Sample.text(lines, orientation: orientation), number: number)
        return Page(number: number, name: page.name, result: page.result, image: image)
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
        #expect(text.contains("/MediaBox [0 0 480.0 384.0] /Rotate 0") && text.contains("/Rotate 90"))
    }

    @Test func wordsThatRunLeftStandAsTheyAreSeen() throws {
        let page = try Self.page("", number: 1)
        let text = Sample.page(Sample.text([Sample.hebrewLine("אב", x: 500, y: 200)]))
        let file = Self.document([Page(number: 1, name: page.name, result: text.result, image: page.image)])
        // From 460 pixels on, 9.6 points a letter, the last letter first.
        #expect(String(decoding: file, as: UTF8.self).contains("9.6 0 0 9.6 220.8 278.4 Tm\n<00010002> Tj\n"))
        #expect(String(decoding: file, as: UTF8.self).contains("<0001> <05D1>\n<0002> <05D0>"))
    }

    @Test func wordsStandInTheirBoxesInvisibly() throws {
        let text = String(decoding: Self.document([try Self.page("ab c", number: 1)]), as: UTF8.self)
        // 20 pixels a letter are 9.6 points; the first box ends at 220 of 800 pixels from above.
        #expect(text.contains("3 Tr\n/Text 1 Tf\n9.6 0 0 9.6 48 278.4 Tm\n<000100020003> Tj\n"))
        #expect(text.contains("9.6 0 0 9.6 76.8 278.4 Tm\n<0004> Tj\n"))
        #expect(text.contains("4 beginbfchar\n<0001> <0061>\n<0002> <0062>\n<0003> <0020>\n<0004> <0063>\nendbfchar"))
    }

    @Test func aCharacterMayBeSeveralUnitsOfUTF16() {
        var characters = PDFCharacterSet()
        #expect(characters.string("𠮷e\u{301}𠮷") == "<000100020001>")
        #expect(characters.unicodeMap.contains("<0001> <D842DFB7>\n<0002> <00650301>\n"))
        #expect(characters.codeCount == 3)
    }

    @Test func aPictureIsEmbeddedAsItIs() throws {
        let jpeg = try PixelBuffer(width: 20, height: 10, format: .bgra).withPixels { try JPEGEncoder().encode($0) }
        let image = try EncodedImage(try PictureFile(bytes: jpeg, path: "a.jpg"), limits: Self.limits)
        #expect(image.coding == .jpeg && image.bytes == jpeg && image.components == 3)
        #expect(image.width == 20 && image.height == 10)
    }
}
