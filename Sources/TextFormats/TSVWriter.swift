internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Writer of Tesseract's table, with a row for each page, block, paragraph, line and word, of `level` 1 to 5.
///
/// A further column has the name of the picture.
///
/// Fields are not quoted and contain no tabs; quotation marks are literal.
struct TSVWriter: DocumentWriter {
    func begin(into buffer: inout ByteBuffer) {
        buffer.writeString(
            "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\tpicture\n"
        )
    }

    func write(_ page: Page, into buffer: inout ByteBuffer) {
        guard let text = page.readText else { return }
        let layout = PageLayout(text)
        var row = Row(page: page.number, picture: page.name.onOneLine)
        let whole = PixelRect(left: 0, top: 0, right: layout.width, bottom: layout.height)
        row.write(whole, into: &buffer)
        for block in layout.blocks {
            row.next(.block)
            row.write(layout.rect(block), into: &buffer)
            for paragraph in block.paragraphs {
                row.next(.paragraph)
                row.write(layout.rect(paragraph), into: &buffer)
                for line in paragraph.lines {
                    row.next(.line)
                    row.write(layout.rect(line), into: &buffer)
                    for word in line.words {
                        row.next(.word)
                        row.write(layout.rect(word.box), word: word, into: &buffer)
                    }
                }
            }
        }
    }

    /// Numbers at the beginning of a row.
    private struct Row {
        enum Level: Int {
            case page = 1
            case block
            case paragraph
            case line
            case word
        }

        private var level = Level.page
        /// Number at each level; those below the current level are 0.
        private var numbers: [Int]
        /// The last column.
        private let picture: String

        init(page: Int, picture: String) {
            self.numbers = [page, 0, 0, 0, 0]
            self.picture = picture
        }

        /// Advances to the next element of a level, within the current one of the level above.
        mutating func next(_ level: Level) {
            self.level = level
            self.numbers[level.rawValue - 1] += 1
            for below in level.rawValue..<self.numbers.count { self.numbers[below] = 0 }
        }

        func write(_ rect: PixelRect, word: TextWord? = nil, into buffer: inout ByteBuffer) {
            let columns = [self.level.rawValue] + self.numbers + [rect.left, rect.top, rect.width, rect.height]
            for column in columns { buffer.writeString("\(column)\t") }
            if let word {
                buffer.writeDecimal(word.confidence * 100, .pixels)
                buffer.writeString("\t\(word.text.onOneLine)")
            } else {
                buffer.writeString("-1\t")
            }
            buffer.writeString("\t\(self.picture)\n")
        }
    }
}

extension PixelRect {
    init(left: Int, top: Int, right: Int, bottom: Int) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }
}
