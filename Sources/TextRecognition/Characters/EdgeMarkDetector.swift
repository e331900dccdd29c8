internal import TextModel

/// Punctuation at the ends of a line that a recognizer did not read.
struct EdgeMarks {
    struct Mark {
        let text: String
        /// In the straightened line, beyond whose ends it may lie.
        let box: BoundingBox
        /// Whether it always belongs to the word next to it; else the gap between decides.
        let isAttached: Bool
    }

    var leading: [Mark] = []
    var trailing: [Mark] = []

    /// How sure a mark is that is known by its shape alone.
    static let confidence: Float = 0.8
}

/// Finds quotation marks, underscores, dashes, bullets and dots at a line's ends by their shape.
///
/// A detector often leaves them outside of a line, and a recognizer that sees a part of one reads none.
struct EdgeMarkDetector: ~Copyable {
    private var ink = ForegroundMask()
    private var labeler = ComponentLabeler()
    private let image = LineImage()

    /// Only lines that are read this surely are searched: in others what stands beside them is as unclear.
    private static let leastConfidence: Float = 0.9
    /// How far beyond a line's ends marks are looked for, and how far a mark may be from the next letter, in heights of a
    /// capital.
    private static let unclipDistance: Float = 1.5
    private static let mostGap: Float = 0.7
    /// What is nearer to the letter is a part of it that the print has broken off, such as the bar of a T.
    private static let leastGap: Float = 0.12
    /// How far the two halves of a double quotation mark may be from each other.
    private static let quoteGap: Float = 0.3
    /// More pieces of ink are no punctuation.
    private static let mostPieces = 4

    /// The marks at both ends of a line.
    ///
    /// - Parameters:
    ///   - parts: The line's characters.
    ///   - reading: What was recognized.
    ///   - frame: The frame it is in.
    /// - Returns: Those that are none of the characters.
    mutating func marks(beside parts: LineCharacters, of reading: RecognizedLine, in frame: UprightFrame) -> EdgeMarks {
        var marks = EdgeMarks()
        guard reading.confidence >= Self.leastConfidence, let band = LetterBand(parts, reading.alphabet),
            let first = parts.characters.first, let last = parts.characters.last
        else { return marks }
        let unclipDistance = Self.unclipDistance * band.height
        if Self.isLetter(first, reading.alphabet) {
            let start = min(0, parts.boxes[0].x0) - unclipDistance
            marks.leading = self.marks(in: start..<max(first.centre, start + 8), reading, frame, band, isLeading: true)
        }
        if Self.isLetter(last, reading.alphabet) {
            let end = max(Float(reading.width), parts.boxes[parts.boxes.count - 1].x1) + unclipDistance
            marks.trailing = self.marks(in: min(last.centre, end - 8)..<end, reading, frame, band, isLeading: false)
        }
        return marks
    }

    /// Whether a character is a letter or a digit: of a mark that was read, a part may stand beside its middle.
    private static func isLetter(_ character: CTCCharacter, _ alphabet: Alphabet) -> Bool {
        alphabet.characters[character.label].first.map { $0.isLetter || $0.isNumber } ?? false
    }

    /// The marks in some columns, at whose inner end the line's outermost letter stands.
    private mutating func marks(
        in columns: Range<Float>,
        _ reading: RecognizedLine,
        _ frame: UprightFrame,
        _ band: LetterBand,
        isLeading: Bool
    ) -> [EdgeMarks.Mark] {
        let width = Int((columns.upperBound - columns.lowerBound).rounded())
        let map = Homography(
            width: Float(width),
            height: Float(LineRecognizer.height),
            to: reading.quad(of: columns)
        )
        self.image.resize(width: width)
        LineSampler.sample(frame.view, map: map, width: width, height: LineRecognizer.height, gray: self.image.base)
        guard self.ink.measure(self.image.base, width: width, height: LineRecognizer.height) else { return [] }
        let pieces = ConnectedComponent.pieces(of: self.ink, by: &self.labeler).map(\.box)
        guard var edge = Self.innerEdge(of: pieces, width: Float(width), isLeading: isLeading) else { return [] }
        let outer = pieces.filter { isLeading ? $0.x1 <= edge : $0.x0 >= edge }
            .sorted { isLeading ? $0.x1 > $1.x1 : $0.x0 < $1.x0 }
        var taken: [BoundingBox] = []
        for piece in outer {
            let gap = isLeading ? edge - piece.x1 : piece.x0 - edge
            guard gap <= Self.mostGap * band.height else { break }
            if taken.isEmpty, gap < Self.leastGap * band.height { return [] }
            taken.append(piece)
            edge = isLeading ? piece.x0 : piece.x1
        }
        guard (1...Self.mostPieces).contains(taken.count) else { return [] }
        return self.marks(of: isLeading ? taken.reversed() : taken, band, width: Float(width), isLeading: isLeading).map
        {
            EdgeMarks.Mark(text: $0.text, box: $0.box.shifted(by: columns.lowerBound), isAttached: $0.isAttached)
        }
    }

    /// Where the outermost letter of the line ends towards the marks; `nil` where no ink is at its middle.
    private static func innerEdge(of pieces: [BoundingBox], width: Float, isLeading: Bool) -> Float? {
        let letter = pieces.filter { isLeading ? $0.x1 >= width - 1 : $0.x0 <= 1 }
        return isLeading ? letter.map(\.x0).min() : letter.map(\.x1).max()
    }
}

extension EdgeMarkDetector {
    /// What pieces of ink are, from left to right; nothing where one of them is no mark that is known.
    private func marks(
        of pieces: [BoundingBox],
        _ band: LetterBand,
        width: Float,
        isLeading: Bool
    ) -> [EdgeMarks.Mark] {
        var marks: [EdgeMarks.Mark] = []
        var rest = pieces[...]
        while let piece = rest.popFirst() {
            guard piece.x0 > 0, piece.x1 < width, piece.y0 > 0, piece.y1 < Float(LineRecognizer.height),
                let shape = MarkShape(piece, in: band)
            else { return [] }
            var box = piece
            var text = shape.text
            if let double = shape.double, let next = rest.first, MarkShape(next, in: band) == shape,
                next.x0 - piece.x1 <= Self.quoteGap * band.height
            {
                rest.removeFirst()
                box = piece.union(next)
                text = double
            }
            if shape == .dot, !isLeading || pieces.count < 2 { return [] }
            marks.append(EdgeMarks.Mark(text: text, box: box, isAttached: shape.isAttached))
        }
        return marks
    }
}

/// A mark by its shape.
private enum MarkShape {
    case underscore
    case highQuote
    case lowQuote
    case dash
    case bullet
    case dot

    /// The mark that a piece of ink is; `nil` where it is none of them.
    init?(_ box: BoundingBox, in band: LetterBand) {
        let (width, height) = ((box.x1 - box.x0) / band.height, (box.y1 - box.y0) / band.height)
        let (top, bottom) = ((box.y0 - band.top) / band.height, (box.y1 - band.top) / band.height)
        if height <= 0.25, width >= 0.4, width <= 3, top >= 0.9 {
            self = .underscore
        } else if top <= 0.2, bottom <= 0.65, (0.12...0.6).contains(height), (0.06...0.35).contains(width) {
            self = .highQuote
        } else if top >= 0.7, bottom >= 1.05, (0.15...0.5).contains(height), (0.06...0.35).contains(width) {
            self = .lowQuote
        } else if height <= 0.2, (0.25...1).contains(width), (0.4...0.8).contains((top + bottom) / 2) {
            self = .dash
        } else if (0.2...0.6).contains(height), (0.7...1.4).contains(width / height),
            (0.35...0.75).contains((top + bottom) / 2)
        {
            self = .bullet
        } else if (0.08...0.25).contains(height), (0.08...0.25).contains(width), (0.9...1.1).contains(bottom) {
            self = .dot
        } else {
            return nil
        }
    }

    /// Whether it always belongs to the word next to it.
    var isAttached: Bool {
        switch self {
        case .underscore, .highQuote, .lowQuote: true
        case .dash, .bullet, .dot: false
        }
    }

    /// The mark by itself.
    var text: String {
        switch self {
        case .underscore: "_"
        case .highQuote: "'"
        case .lowQuote: ","
        case .dash: "-"
        case .bullet: "•"
        case .dot: "."
        }
    }

    /// Two of them side by side, where they are one mark.
    var double: String? {
        switch self {
        case .highQuote: "\""
        case .lowQuote: "„"
        default: nil
        }
    }
}

extension BoundingBox {
    fileprivate func shifted(by columns: Float) -> BoundingBox {
        BoundingBox(x0: self.x0 + columns, y0: self.y0, x1: self.x1 + columns, y1: self.y1)
    }
}
