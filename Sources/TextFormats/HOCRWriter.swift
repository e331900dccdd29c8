internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Writer of hOCR 1.2 as XHTML, with a page for each picture.
///
/// Boxes are axis-aligned rectangles of whole pixels. A line has its slope as `baseline`, or its rotation by quarter
/// turns as `textangle`.
struct HOCRWriter: DocumentWriter {
    func begin(into buffer: inout ByteBuffer) {
        buffer.writeString(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" \
            "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
            <html xmlns="http://www.w3.org/1999/xhtml" xml:lang="und" lang="und">
            <head>
            <title>Text read by Glyphwire</title>
            <meta http-equiv="Content-Type" content="text/html; charset=utf-8"/>
            <meta name="ocr-system" content="glyphwire \(SoftwareVersion.current)"/>
            <meta name="ocr-capabilities" content="ocr_page ocr_carea ocr_par ocr_line ocrx_word ocrx_cinfo ocrp_wconf"/>
            </head>
            <body>

            """
        )
    }

    func write(_ page: Page, into buffer: inout ByteBuffer) {
        guard let text = page.readText else { return }
        let layout = PageLayout(text)
        var written = HOCRPage(names: ElementNames(page: page.number), layout: layout)
        written.write(name: page.name)
        buffer.writeBuffer(&written.buffer)
    }

    func end(into buffer: inout ByteBuffer) {
        buffer.writeString("</body>\n</html>\n")
    }
}

/// Writer of one page.
private struct HOCRPage {
    var names: ElementNames
    let layout: PageLayout
    var buffer = ByteBuffer()

    mutating func write(name: String) {
        self.buffer.writeString("<div class=\"ocr_page\" id=\"page_\(self.names.number)\" title=\"image &quot;")
        // A quotation mark would end the property, also one with a combining mark behind it.
        let scalars = name.unicodeScalars.map { $0 == "\"" ? "'" : $0 }
        self.buffer.writeMarkup(escaping: String(String.UnicodeScalarView(scalars)))
        self.buffer.writeString(
            "&quot;; bbox 0 0 \(self.layout.width) \(self.layout.height); ppageno \(self.names.number - 1)\">\n"
        )
        for block in self.layout.blocks {
            self.begin("div", class: "ocr_carea", id: "block", at: self.layout.rect(block))
            self.buffer.writeString("\">\n")
            for paragraph in block.paragraphs {
                self.begin("p", class: "ocr_par", id: "par", at: self.layout.rect(paragraph))
                self.buffer.writeString("\">\n")
                for line in paragraph.lines { self.write(line) }
                self.buffer.writeString("</p>\n")
            }
            self.buffer.writeString("</div>\n")
        }
        self.buffer.writeString("</div>\n")
    }

    private mutating func write(_ line: TextLine) {
        let rect = self.layout.rect(line)
        self.begin("span", class: "ocr_line", id: "line", at: rect, attributes: line.runsLeft ? " dir=\"rtl\"" : "")
        self.writeDirection(of: line, in: rect)
        self.buffer.writeString("\">")
        for (index, word) in line.words.enumerated() {
            self.buffer.writeString(index == 0 ? "\n" : " \n")
            self.begin("span", class: "ocrx_word", id: "word", at: self.layout.rect(word.box))
            self.buffer.writeString("; x_wconf \(Int((word.confidence * 100).rounded()))\">")
            if word.characters.isEmpty {
                self.buffer.writeMarkup(escaping: word.text)
            } else {
                for character in word.characters { self.write(character) }
            }
            self.buffer.writeString("</span>")
        }
        self.buffer.writeString("\n</span>\n")
    }

    /// Writes a line's direction: `baseline` is a slope and an offset from the box's lower left corner, y downwards.
    private mutating func writeDirection(of line: TextLine, in rect: PixelRect) {
        let turns = Axes(line.box).quarterTurns
        if turns != 0 {
            self.buffer.writeString("; textangle \(turns * 90)")
        } else if let baseline = Baseline(line), baseline.end.x > baseline.start.x {
            let slope = (baseline.end.y - baseline.start.y) / (baseline.end.x - baseline.start.x)
            let y = baseline.start.y + slope * (Float(rect.left) - baseline.start.x)
            self.buffer.writeString("; baseline ")
            self.buffer.writeDecimal(slope, .confidence)
            self.buffer.writeString(" ")
            self.buffer.writeDecimal(y - Float(rect.bottom), .pixels)
        }
    }

    private mutating func write(_ character: TextCharacter) {
        let rect = self.layout.rect(character.box)
        self.buffer.writeString(
            "<span class=\"ocrx_cinfo\" title=\"x_bboxes \(rect.left) \(rect.top) \(rect.right) \(rect.bottom); x_confs "
        )
        self.buffer.writeDecimal(character.confidence * 100, .pixels)
        self.buffer.writeString("\">")
        self.buffer.writeMarkup(escaping: character.text)
        self.buffer.writeString("</span>")
    }

    /// Writes the beginning of an element's tag up to the middle of its title.
    private mutating func begin(
        _ element: StaticString,
        class kind: StaticString,
        id name: String,
        at rect: PixelRect,
        attributes: StaticString = ""
    ) {
        self.buffer.writeString(
            "<\(element) class=\"\(kind)\"\(attributes) id=\"\(self.names.next(name))\" title=\"bbox \(rect.left) \(rect.top) "
        )
        self.buffer.writeString("\(rect.right) \(rect.bottom)")
    }
}
