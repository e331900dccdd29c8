internal import TextModel
internal import GlyphwireProtocol
internal import NIOCore

/// Writer of the plain text, or of its matches if it was searched.
///
/// Several pictures get a heading each.
struct PlainTextWriter: DocumentWriter {
    let hasHeadings: Bool
    private var isFirst = true

    init(hasHeadings: Bool) {
        self.hasHeadings = hasHeadings
    }

    mutating func write(_ page: Page, into buffer: inout ByteBuffer) {
        guard let text = page.readText else { return }
        if self.hasHeadings {
            if !self.isFirst { buffer.writeString("\n") }
            buffer.writeString("==> \(page.name.onOneLine) <==\n")
        }
        self.isFirst = false
        if let found = text.found {
            for match in found.matches { buffer.writeString(match.text + "\n") }
        } else if !text.readableLines.isEmpty {
            buffer.writeString(text.text + "\n")
        }
    }
}
