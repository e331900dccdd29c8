internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Writer of ALTO 4, with a page for each picture.
///
/// Positions and sizes are bounding boxes in whole pixels; text that is not level also has a polygon of its four
/// corners.
struct ALTOWriter: DocumentWriter {
    private let pictures: [String]
    private var hasPages = false

    init(pictures: [String]) {
        self.pictures = pictures
    }

    mutating func write(_ page: Page, into buffer: inout ByteBuffer) {
        guard let text = page.readText else { return }
        if !self.hasPages { self.writeHeader(into: &buffer) }
        self.hasPages = true
        var written = ALTOPage(names: ElementNames(page: page.number), layout: PageLayout(text))
        written.write()
        buffer.writeBuffer(&written.buffer)
    }

    func end(into buffer: inout ByteBuffer) {
        if self.hasPages { buffer.writeString("</Layout>\n</alto>\n") }
    }

    private func writeHeader(into buffer: inout ByteBuffer) {
        buffer.writeString(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <alto xmlns="http://www.loc.gov/standards/alto/ns-v4#" \
            xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
            xsi:schemaLocation="http://www.loc.gov/standards/alto/ns-v4# \
            http://www.loc.gov/standards/alto/v4/alto-4-4.xsd" SCHEMAVERSION="4.4">
            <Description>
            <MeasurementUnit>pixel</MeasurementUnit>
            <sourceImageInformation>

            """
        )
        // ALTO has one file name per document; several pictures are listed in the order of their pages.
        let element = self.pictures.count == 1 ? "fileName" : "fileIdentifier"
        for picture in self.pictures {
            buffer.writeString("<\(element)>")
            buffer.writeMarkup(escaping: picture)
            buffer.writeString("</\(element)>\n")
        }
        buffer.writeString(
            """
            </sourceImageInformation>
            <Processing ID="OCR_1"><processingCategory>contentGeneration</processingCategory>\
            <processingSoftware><softwareName>glyphwire</softwareName>\
            <softwareVersion>\(SoftwareVersion.current)</softwareVersion></processingSoftware></Processing>
            </Description>
            <Layout>

            """
        )
    }
}

/// Writer of one page.
private struct ALTOPage {
    var names: ElementNames
    let layout: PageLayout
    var buffer = ByteBuffer()

    mutating func write() {
        let (width, height) = (self.layout.width, self.layout.height)
        self.buffer.writeString(
            "<Page ID=\"page_\(self.names.number)\" PHYSICAL_IMG_NR=\"\(self.names.number)\" WIDTH=\"\(width)\" HEIGHT=\"\(height)\""
        )
        self.buffer.writeString(" PROCESSINGREFS=\"OCR_1\">\n<PrintSpace")
        self.writePlace(PixelRect(left: 0, top: 0, right: width, bottom: height))
        self.buffer.writeString(">\n")
        for block in self.layout.blocks {
            self.begin("ComposedBlock", id: "block", at: self.layout.rect(block))
            self.buffer.writeString(">\n")
            self.writeShape(block.box)
            for paragraph in block.paragraphs { self.write(paragraph) }
            self.buffer.writeString("</ComposedBlock>\n")
        }
        self.buffer.writeString("</PrintSpace>\n</Page>\n")
    }

    private mutating func write(_ paragraph: PageLayout.Paragraph) {
        self.begin("TextBlock", id: "par", at: self.layout.rect(paragraph))
        let turns = Axes(paragraph.box).quarterTurns
        if turns != 0 { self.buffer.writeString(" ROTATION=\"\(turns * 90)\"") }
        self.buffer.writeString(">\n")
        self.writeShape(paragraph.box)
        for line in paragraph.lines { self.write(line) }
        self.buffer.writeString("</TextBlock>\n")
    }

    private mutating func write(_ line: TextLine) {
        let rect = self.layout.rect(line)
        self.begin("TextLine", id: "line", at: rect)
        if let baseline = Baseline(line) {
            self.buffer.writeString(" BASELINE=\"")
            self.writePoints([baseline.start, baseline.end])
            self.buffer.writeString("\"")
        }
        self.buffer.writeString(">\n")
        self.writeShape(line.box)
        for (index, word) in line.words.enumerated() {
            if index > 0 { self.writeSpace(line.words[index - 1], word) }
            self.write(word)
        }
        self.buffer.writeString("</TextLine>\n")
    }

    private mutating func write(_ word: TextWord) {
        self.begin("String", id: "word", at: self.layout.rect(word.box))
        self.buffer.writeString(" CONTENT=\"")
        self.buffer.writeMarkup(escaping: word.text)
        self.buffer.writeString("\" WC=\"")
        self.buffer.writeDecimal(word.confidence, .confidence)
        self.buffer.writeString("\">\n")
        self.writeShape(word.box)
        // A glyph is one code point, and a word has as many glyphs as characters.
        if word.characters.allSatisfy({ $0.text.unicodeScalars.count == 1 }) {
            for character in word.characters { self.write(character) }
        }
        self.buffer.writeString("</String>\n")
    }

    private mutating func write(_ character: TextCharacter) {
        self.begin("Glyph", id: "glyph", at: self.layout.rect(character.box))
        self.buffer.writeString(" CONTENT=\"")
        self.buffer.writeMarkup(escaping: character.text)
        self.buffer.writeString("\" GC=\"")
        self.buffer.writeDecimal(character.confidence, .confidence)
        self.buffer.writeString("\">")
        self.writeShape(character.box)
        self.buffer.writeString("</Glyph>\n")
    }

    /// Writes the space between two words, with its box if the line is level.
    private mutating func writeSpace(_ before: TextWord, _ after: TextWord) {
        let rects = [before, after].map { self.layout.rect($0.box) }
        let (left, right) = rects[0].left <= rects[1].left ? (rects[0], rects[1]) : (rects[1], rects[0])
        self.buffer.writeString("<SP")
        if left.right <= right.left {
            self.writePlace(
                PixelRect(
                    left: left.right,
                    top: min(left.top, right.top),
                    right: right.left,
                    bottom: max(left.bottom, right.bottom)
                )
            )
        }
        self.buffer.writeString("/>\n")
    }

    /// Writes the beginning of an element's tag.
    private mutating func begin(_ element: StaticString, id name: String, at rect: PixelRect) {
        self.buffer.writeString("<\(element) ID=\"\(self.names.next(name))\"")
        self.writePlace(rect)
    }

    private mutating func writePlace(_ rect: PixelRect) {
        self.buffer.writeString(
            " HPOS=\"\(rect.left)\" VPOS=\"\(rect.top)\" WIDTH=\"\(rect.width)\" HEIGHT=\"\(rect.height)\""
        )
    }

    /// Writes the corners of text that is not level, from the start of the text.
    private mutating func writeShape(_ box: Quad) {
        let isLevel =
            box.topLeft.y == box.topRight.y && box.bottomLeft.y == box.bottomRight.y
            && box.topLeft.x == box.bottomLeft.x && box.topRight.x == box.bottomRight.x
        if isLevel { return }
        self.buffer.writeString("<Shape><Polygon POINTS=\"")
        self.writePoints(box.corners)
        self.buffer.writeString("\"/></Shape>\n")
    }

    private mutating func writePoints(_ points: [Point]) {
        for (index, point) in points.enumerated() {
            if index > 0 { self.buffer.writeString(" ") }
            self.buffer.writeDecimal(point.x, .pixels)
            self.buffer.writeString(",")
            self.buffer.writeDecimal(point.y, .pixels)
        }
    }
}
