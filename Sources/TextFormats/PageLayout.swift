internal import GlyphwireProtocol
internal import TextModel

/// The text of a picture in blocks and paragraphs, which most formats ask for.
///
/// Lines come in reading order and stay in it. Each either goes on the paragraph of the one before it, begins a new
/// paragraph of the same block, or begins a new block: see ``Continuation``.
struct PageLayout {
    /// Lines that follow each other closely, in letters of one size.
    struct Paragraph {
        var lines: [TextLine]
        /// Around its lines, with sides along and across them.
        var box: Quad
    }

    /// Paragraphs one below the other.
    struct Block {
        var paragraphs: [Paragraph]
        /// Around its lines, with sides along and across them.
        var box: Quad
    }

    /// Of the picture that boxes refer to, in pixels.
    let width: Int
    let height: Int
    let blocks: [Block]

    /// Arranges the text of a picture, in pixels as sent, or upright if its boxes are.
    init(_ text: FrameText) {
        let isUpright = text.coordinates == .upright
        let size =
            isUpright
            ? text.orientation.uprightSize(width: text.width, height: text.height) : (text.width, text.height)
        self.init(lines: isUpright ? text.lines : text.linesAsSent, width: size.0, height: size.1)
    }

    /// Arranges lines that come in reading order, in pixels of a picture of `width` x `height`.
    init(lines: [TextLine], width: Int, height: Int) {
        self.width = width
        self.height = height
        var blocks: [OpenBlock] = []
        for line in lines {
            if blocks.last?.continuation(to: line) ?? .block == .block {
                blocks.append(OpenBlock(line))
            } else {
                blocks[blocks.count - 1].append(line)
            }
        }
        self.blocks = blocks.map(\.closed)
    }

    /// All lines in order.
    var lines: [TextLine] { self.blocks.flatMap { $0.paragraphs.flatMap(\.lines) } }

    /// The pixels that a box covers.
    func rect(_ box: Quad) -> PixelRect { PixelRect(box, width: self.width, height: self.height) }

    /// The pixels that a line and its words cover.
    func rect(_ line: TextLine) -> PixelRect {
        line.words.reduce(self.rect(line.box)) { $0.union(self.rect($1.box)) }
    }

    /// The pixels that the lines of a paragraph cover.
    func rect(_ paragraph: Paragraph) -> PixelRect {
        paragraph.lines.dropFirst().reduce(self.rect(paragraph.lines[0])) { $0.union(self.rect($1)) }
    }

    /// The pixels that the paragraphs of a block cover.
    func rect(_ block: Block) -> PixelRect {
        block.paragraphs.dropFirst().reduce(self.rect(block.paragraphs[0])) { $0.union(self.rect($1)) }
    }
}

/// A block under construction.
private struct OpenBlock {
    private let axes: Axes
    private var paragraphs: [[TextLine]]
    private var last: LineExtent
    private var start: Float
    private var end: Float

    init(_ line: TextLine) {
        self.axes = Axes(line.box)
        self.paragraphs = [[line]]
        self.last = LineExtent(line.box, self.axes)
        (self.start, self.end) = (self.last.start, self.last.end)
    }

    func continuation(to line: TextLine) -> Continuation {
        Continuation(LineExtent(line.box, self.axes), after: self.last, blockFrom: self.start, to: self.end)
    }

    /// Takes a line that goes on this block.
    mutating func append(_ line: TextLine) {
        if self.continuation(to: line) == .line {
            self.paragraphs[self.paragraphs.count - 1].append(line)
        } else {
            self.paragraphs.append([line])
        }
        self.last = LineExtent(line.box, self.axes)
        self.start = min(self.start, self.last.start)
        self.end = max(self.end, self.last.end)
    }

    var closed: PageLayout.Block {
        PageLayout.Block(
            paragraphs: self.paragraphs.map { lines in
                PageLayout.Paragraph(lines: lines, box: self.axes.rectangle(around: lines.map(\.box)))
            },
            box: self.axes.rectangle(around: self.paragraphs.joined().map(\.box))
        )
    }
}
