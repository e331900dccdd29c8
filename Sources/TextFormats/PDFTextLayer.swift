internal import Glibc
internal import GlyphwireProtocol
internal import NIOCore
internal import TextModel

/// Content of a PDF page: the picture, and over it the text in rendering mode 3, which is invisible.
struct PDFTextLayer {
    /// Points for each pixel.
    let scale: Float
    /// Height of the picture in pixels.
    let height: Int

    /// The operators of a page.
    ///
    /// - Parameters:
    ///   - lines: The lines, boxes in pixels as stored.
    ///   - width: The width of the picture in pixels.
    ///   - characters: The characters of the document, to which new ones are added.
    /// - Returns: A content stream.
    func content(_ lines: [TextLine], width: Int, characters: inout PDFCharacterSet) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeString("q ")
        self.write([Float(width) * self.scale, 0, 0, Float(self.height) * self.scale, 0, 0], "cm", into: &buffer)
        buffer.writeString("/Picture Do\nQ\nBT\n3 Tr\n/Text 1 Tf\n")
        for line in lines {
            for (index, word) in line.words.enumerated() where !word.text.isEmpty {
                self.write(word.box, glyphCount: word.text.count, into: &buffer)
                // Readers of a document see by the space that a word ends.
                let end = index == line.words.count - 1 ? "" : " "
                // Glyphs stand from left to right, as a page shows them.
                let text = line.runsLeft ? String(word.text.reversed()) : word.text
                buffer.writeString("\(characters.string(text + end)) Tj\n")
            }
        }
        buffer.writeString("ET\n")
        return buffer
    }

    /// Writes the matrix by which glyphs of one em fill a box.
    private func write(_ box: Quad, glyphCount: Int, into buffer: inout ByteBuffer) {
        let along = box.bottomRight - box.bottomLeft
        let up = box.topLeft - box.bottomLeft
        let share = self.scale / Float(glyphCount)
        let origin = Point(
            x: box.bottomLeft.x * self.scale,
            y: (Float(self.height) - box.bottomLeft.y) * self.scale
        )
        self.write(
            [along.x * share, -along.y * share, up.x * self.scale, -up.y * self.scale, origin.x, origin.y],
            "Tm",
            into: &buffer
        )
    }

    private func write(_ numbers: [Float], _ command: String, into buffer: inout ByteBuffer) {
        for number in numbers {
            buffer.writeDecimal(number, .confidence)
            buffer.writeString(" ")
        }
        buffer.writeString("\(command)\n")
    }
}
