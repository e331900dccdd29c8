internal import GlyphwireProtocol
internal import TextModel

/// Layout of a picture's text in blocks and paragraphs, which most formats need.
///
/// Lines keep their reading order. Each continues the paragraph of the previous one, begins a new paragraph of the same
/// block, or begins a new block: see ``Continuation``.
struct PageLayout {
    /// Paragraph of consecutive lines with one size.
    struct Paragraph {
        var lines: [TextLine]
        /// Bounding box of its lines, aligned with them.
        var box: Quad
    }

    /// Block of paragraphs, one below another.
    struct Block {
        var paragraphs: [Paragraph]
        /// Bounding box of its lines, aligned with them.
        var box: Quad
    }

    /// Width in pixels of the picture that boxes refer to.
    let width: Int
    let height: Int
    let blocks: [Block]

    /// Creates the layout of a text, in pixels as sent, or upright if its boxes are.
    ///
    /// Lines in scripts that cannot be read are omitted, since all that a document would have of them is empty.
    init(_ text: FrameText) {
        let isUpright = text.coordinates == .upright
        let size =
            isUpright
            ? text.orientation.uprightSize(width: text.width, height: text.height) : (text.width, text.height)
        let lines = isUpright ? text.lines : text.linesAsSent
        self.init(lines: lines.filter { $0.reason == nil }.map(\.withCornersFromLeft), width: size.0, height: size.1)
    }

    /// Creates the layout of lines in reading order, in pixels of a `width` x `height` picture.
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

    /// Pixel rectangle of a box.
    func rect(_ box: Quad) -> PixelRect { PixelRect(box, width: self.width, height: self.height) }

    /// Pixel rectangle of a line and its words.
    func rect(_ line: TextLine) -> PixelRect {
        line.words.reduce(self.rect(line.box)) { $0.union(self.rect($1.box)) }
    }

    /// Pixel rectangle of a paragraph's lines.
    func rect(_ paragraph: Paragraph) -> PixelRect {
        paragraph.lines.dropFirst().reduce(self.rect(paragraph.lines[0])) { $0.union(self.rect($1)) }
    }

    /// Pixel rectangle of a block's paragraphs.
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

    /// Appends a line that continues this block.
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
