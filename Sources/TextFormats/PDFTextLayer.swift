internal import GlyphwireProtocol
internal import NIOCore
internal import TextModel

/// Content of a PDF page: the picture, and over it the text in rendering mode 3, which is invisible.
struct PDFTextLayer {
    /// Place of the picture on the page.
    let placement: PDFPlacement

    /// The operators of a page.
    ///
    /// - Parameters:
    ///   - lines: The lines, boxes in pixels as stored.
    ///   - characters: The characters of the document, to which new ones are added.
    /// - Returns: A content stream.
    func content(_ lines: [TextLine], characters: inout PDFCharacterSet) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeString("q ")
        self.write(self.placement.picture, "cm", into: &buffer)
        buffer.writeString("/Picture Do\nQ\nBT\n3 Tr\n/Text 1 Tf\n")
        for line in lines {
            // Glyphs stand from left to right, as a page shows them.
            let words = BidirectionalLine(words: line.words.map(\.text), runsLeft: line.runsLeft).wordsFromLeft
            for (index, glyphs) in words.enumerated() where !glyphs.isEmpty {
                let box = self.placement.place(line.words[index].box)
                self.write(box, glyphCount: glyphs.count, "Tm", into: &buffer)
                // Readers of a document see by the space that a word ends.
                let end: [Character] = index == words.count - 1 ? [] : [" "]
                buffer.writeString("\(characters.string(glyphs + end)) Tj\n")
            }
        }
        buffer.writeString("ET\n")
        return buffer
    }

    /// Writes a command with the matrix by which squares of one unit, side by side, fill a box.
    private func write(_ box: Quad, glyphCount: Int = 1, _ command: String, into buffer: inout ByteBuffer) {
        let along = box.bottomRight - box.bottomLeft
        let up = box.topLeft - box.bottomLeft
        let count = Float(glyphCount)
        for number in [along.x / count, along.y / count, up.x, up.y, box.bottomLeft.x, box.bottomLeft.y] {
            buffer.writeDecimal(number, .confidence)
            buffer.writeString(" ")
        }
        buffer.writeString("\(command)\n")
    }
}
