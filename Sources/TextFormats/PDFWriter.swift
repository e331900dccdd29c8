internal import GlyphwireProtocol
internal import ImageCodecs
internal import NIOCore
internal import TextModel

/// Writer of searchable PDF 1.5 (ISO 32000-1), with a page for each picture: the picture, and its text invisibly over it.
///
/// Pages are written as they come. What all of them share, such as the font, follows at the end.
struct PDFWriter: DocumentWriter {
    /// Numbers of the objects that all pages share; those of pages follow.
    private enum Object: Int {
        case catalog = 1
        case pages, font, descendant, descriptor, fontFile, glyphMap, unicodeMap
        static let count = 8
    }

    /// Bytes written so far.
    private var position = 0
    /// The positions of objects by their numbers.
    private var positions: [Int: Int] = [:]
    private var pages: [Int] = []
    private var characters = PDFCharacterSet()

    mutating func write(_ page: Page, into buffer: inout ByteBuffer) {
        guard let text = page.readText, let image = page.image else { return }
        // The comment of bytes above 127 says that the file is not text.
        if self.pages.isEmpty { self.append("%PDF-1.5\n%\u{E2}\u{E3}\n", to: &buffer) }
        let number = Object.count + 1 + 3 * self.pages.count
        self.pages.append(number)
        let placement = PDFPlacement(of: text, resolution: image.resolution)
        let content = PDFTextLayer(placement: placement).content(
            text.linesAsSent.map(\.withCornersFromLeft),
            characters: &self.characters
        )
        self.object(
            number,
            """
            << /Type /Page /Parent \(Object.pages.rawValue) 0 R /MediaBox [0 0 \(placement.width) \(placement.height)] \
            /Contents \(number + 1) 0 R /Resources << /XObject << /Picture \(number + 2) 0 R >> \
            /Font << /Text \(Object.font.rawValue) 0 R >> >> >>
            """,
            to: &buffer
        )
        self.stream(number + 1, content, to: &buffer)
        self.stream(number + 2, entries: image.dictionary, ByteBuffer(bytes: image.bytes), to: &buffer)
    }

    mutating func end(into buffer: inout ByteBuffer) {
        guard !self.pages.isEmpty else { return }
        self.writeFont(into: &buffer)
        let kids = self.pages.map { "\($0) 0 R" }.joined(separator: " ")
        self.object(Object.pages, "<< /Type /Pages /Kids [\(kids)] /Count \(self.pages.count) >>", to: &buffer)
        self.object(Object.catalog, "<< /Type /Catalog /Pages \(Object.pages.rawValue) 0 R >>", to: &buffer)
        let (start, count) = (self.position, Object.count + 1 + 3 * self.pages.count)
        self.append("xref\n0 \(count)\n0000000000 65535 f \n", to: &buffer)
        for number in 1..<count {
            self.append("\(self.positions[number] ?? 0)".zeroPadded(to: 10) + " 00000 n \n", to: &buffer)
        }
        self.append(
            "trailer\n<< /Size \(count) /Root \(Object.catalog.rawValue) 0 R >>\nstartxref\n\(start)\n%%EOF\n",
            to: &buffer
        )
    }

    /// Writes the font, in which every code has the same glyph.
    ///
    /// Its descent is hardly any, so that boxes end on the baseline; readers take 0 for a value that is missing.
    private mutating func writeFont(into buffer: inout ByteBuffer) {
        self.object(
            Object.font,
            """
            << /Type /Font /Subtype /Type0 /BaseFont /Glyphless /Encoding /Identity-H \
            /DescendantFonts [\(Object.descendant.rawValue) 0 R] /ToUnicode \(Object.unicodeMap.rawValue) 0 R >>
            """,
            to: &buffer
        )
        self.object(
            Object.descendant,
            """
            << /Type /Font /Subtype /CIDFontType2 /BaseFont /Glyphless /CIDSystemInfo << /Registry (Adobe) \
            /Ordering (Identity) /Supplement 0 >> /FontDescriptor \(Object.descriptor.rawValue) 0 R /DW 1000 \
            /CIDToGIDMap \(Object.glyphMap.rawValue) 0 R >>
            """,
            to: &buffer
        )
        self.object(
            Object.descriptor,
            """
            << /Type /FontDescriptor /FontName /Glyphless /Flags 5 /FontBBox [0 0 1000 1000] /ItalicAngle 0 \
            /Ascent 1000 /Descent -1 /CapHeight 1000 /StemV 80 /FontFile2 \(Object.fontFile.rawValue) 0 R >>
            """,
            to: &buffer
        )
        let font = ByteBuffer(bytes: GlyphlessFont.file)
        self.stream(Object.fontFile.rawValue, entries: "/Length1 \(font.readableBytes)", font, to: &buffer)
        let map = ByteBuffer(repeating: 0, count: 2 * self.characters.codeCount)
        self.stream(Object.glyphMap.rawValue, map, to: &buffer)
        let unicode = ByteBuffer(string: self.characters.unicodeMap)
        self.stream(Object.unicodeMap.rawValue, unicode, to: &buffer)
    }

    private mutating func object(_ object: Object, _ dictionary: String, to buffer: inout ByteBuffer) {
        self.object(object.rawValue, dictionary, to: &buffer)
    }

    private mutating func object(_ number: Int, _ dictionary: String, to buffer: inout ByteBuffer) {
        self.positions[number] = self.position
        self.append("\(number) 0 obj\n\(dictionary)\nendobj\n", to: &buffer)
    }

    private mutating func stream(
        _ number: Int,
        entries: String = "",
        _ content: ByteBuffer,
        to buffer: inout ByteBuffer
    ) {
        self.positions[number] = self.position
        self.append("\(number) 0 obj\n<< \(entries) /Length \(content.readableBytes) >>\nstream\n", to: &buffer)
        self.position += buffer.writeImmutableBuffer(content)
        self.append("\nendstream\nendobj\n", to: &buffer)
    }

    private mutating func append(_ text: String, to buffer: inout ByteBuffer) {
        self.position += buffer.writeString(text)
    }
}

extension EncodedImage {
    /// The entries of an image's dictionary (ISO 32000-1, section 8.9.5).
    fileprivate var dictionary: String {
        let space = self.components == 1 ? "/DeviceGray" : "/DeviceRGB"
        let filter =
            switch self.coding {
            case .jpeg: "/Filter /DCTDecode"
            // The predictor 15 stands for the filters of PNG (section 7.4.4.4).
            case .filteredRows:
                "/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors \(self.components) /Columns \(self.width) >>"
            }
        return "/Type /XObject /Subtype /Image /Width \(self.width) /Height \(self.height) /ColorSpace \(space) "
            + "/BitsPerComponent 8 \(filter)"
    }
}
