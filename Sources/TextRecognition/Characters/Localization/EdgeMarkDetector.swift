internal import TextModel

/// Detector of quotation marks, underscores, dashes, bullets and dots at a line's ends, by their shapes.
///
/// A text detector often leaves them outside of a line, and a recognizer that sees a part of one reads none. Takes and gives
/// boxes in pixels of the rectified line.
///
/// Its numbers were chosen on rendered quotations, `"quoted"` 0.778 → 0.816 at `fast` (accuracy log, *Look-alike characters*);
/// but for ``minGap`` none was measured alone.
struct EdgeMarkDetector: ~Copyable {
    private var mask = ForegroundMask()
    private var labeler = ComponentLabeler()
    private let image = LineImage()

    /// Least confidence of a line that is searched: beside others, shapes are as unclear.
    private static let minConfidence: Float = 0.9
    /// Width searched beyond a line's ends, in capital heights.
    private static let searchWidth: Float = 1.5
    /// Largest gap between a mark and the next character, in capital heights.
    private static let maxGap: Float = 0.7
    /// Least gap between a mark and the next character, in capital heights.
    ///
    /// What is nearer is a part of the letter that broke off in print, such as the bar of a T. Chosen on receipts: 0.899 → 0.905 at
    /// `accurate` (accuracy log, *Look-alike characters*).
    private static let minGap: Float = 0.12
    /// Largest gap between the halves of a double quotation mark, in capital heights.
    private static let quoteGap: Float = 0.3
    /// Most components of punctuation.
    private static let maxComponents = 4

    /// Detects the marks at both ends of a line.
    ///
    /// - Parameters:
    ///   - line: The line's characters.
    ///   - reading: The reading of the line.
    ///   - frame: The frame of the line.
    /// - Returns: Those that are none of the characters.
    mutating func marks(beside line: LineCharacters, of reading: RecognizedLine, in frame: UprightFrame) -> EdgeMarks {
        var marks = EdgeMarks()
        guard reading.confidence >= Self.minConfidence, let band = LetterBand(line, reading.alphabet),
            let first = line.characters.first, let last = line.characters.last
        else { return marks }
        let searchWidth = Self.searchWidth * band.height
        if Self.isAlphanumeric(first.recognized, reading.alphabet) {
            let start = min(0, first.box.x0) - searchWidth
            marks.leading = self.marks(
                in: start..<max(first.recognized.centre, start + 8),
                of: reading,
                in: frame,
                band: band,
                isLeading: true
            )
        }
        if Self.isAlphanumeric(last.recognized, reading.alphabet) {
            let end = max(Float(reading.width), last.box.x1) + searchWidth
            marks.trailing = self.marks(
                in: min(last.recognized.centre, end - 8)..<end,
                of: reading,
                in: frame,
                band: band,
                isLeading: false
            )
        }
        return marks
    }

    /// Whether a character is a letter or a digit; a part of a recognized mark could be detected again.
    private static func isAlphanumeric(_ character: CTCCharacter, _ alphabet: Alphabet) -> Bool {
        alphabet.characters[character.label].first.map { $0.isLetter || $0.isNumber } ?? false
    }

    /// Detects the marks in columns whose inner end is at the line's outermost character.
    private mutating func marks(
        in columns: Range<Float>,
        of reading: RecognizedLine,
        in frame: UprightFrame,
        band: LetterBand,
        isLeading: Bool
    ) -> [EdgeMarks.Mark] {
        let width = Int((columns.upperBound - columns.lowerBound).rounded())
        let map = Homography(
            width: Float(width),
            height: Float(LineSize.height),
            to: reading.quad(of: columns)
        )
        self.image.resize(width: width)
        LineSampler.sample(frame.view, map: map, width: width, height: LineSize.height, gray: self.image.base)
        guard self.mask.separate(self.image.base, width: width, height: LineSize.height) else { return [] }
        let components = ConnectedComponent.components(of: self.mask, by: &self.labeler).map(\.box)
        guard var edge = Self.innerEdge(of: components, width: Float(width), isLeading: isLeading) else { return [] }
        let outer = components.filter { isLeading ? $0.x1 <= edge : $0.x0 >= edge }
            .sorted { isLeading ? $0.x1 > $1.x1 : $0.x0 < $1.x0 }
        var taken: [BoundingBox] = []
        for component in outer {
            let gap = isLeading ? edge - component.x1 : component.x0 - edge
            guard gap <= Self.maxGap * band.height else { break }
            if taken.isEmpty, gap < Self.minGap * band.height { return [] }
            taken.append(component)
            edge = isLeading ? component.x0 : component.x1
        }
        guard (1...Self.maxComponents).contains(taken.count) else { return [] }
        return self.marks(of: isLeading ? taken.reversed() : taken, band, width: Float(width), isLeading: isLeading).map
        {
            EdgeMarks.Mark(text: $0.text, box: $0.box.shifted(by: columns.lowerBound), isAttached: $0.isAttached)
        }
    }

    /// Returns the outer edge of the line's outermost character; `nil` where no foreground touches the inner edge of the columns.
    private static func innerEdge(of components: [BoundingBox], width: Float, isLeading: Bool) -> Float? {
        let character = components.filter { isLeading ? $0.x1 >= width - 1 : $0.x0 <= 1 }
        return isLeading ? character.map(\.x0).min() : character.map(\.x1).max()
    }
}

extension EdgeMarkDetector {
    /// Classifies components from left to right; returns none where one of them is no known mark.
    private func marks(
        of components: [BoundingBox],
        _ band: LetterBand,
        width: Float,
        isLeading: Bool
    ) -> [EdgeMarks.Mark] {
        var marks: [EdgeMarks.Mark] = []
        var rest = components[...]
        while let component = rest.popFirst() {
            guard component.x0 > 0, component.x1 < width, component.y0 > 0, component.y1 < Float(LineSize.height),
                let shape = MarkShape(component, in: band)
            else { return [] }
            var box = component
            var text = shape.text
            if let double = shape.double, let next = rest.first, MarkShape(next, in: band) == shape,
                next.x0 - component.x1 <= Self.quoteGap * band.height
            {
                rest.removeFirst()
                box = component.union(next)
                text = double
            }
            if shape == .dot, !isLeading || components.count < 2 { return [] }
            marks.append(EdgeMarks.Mark(text: text, box: box, isAttached: shape.isAttached))
        }
        return marks
    }
}

extension BoundingBox {
    fileprivate func shifted(by columns: Float) -> BoundingBox {
        BoundingBox(x0: self.x0 + columns, y0: self.y0, x1: self.x1 + columns, y1: self.y1)
    }
}
