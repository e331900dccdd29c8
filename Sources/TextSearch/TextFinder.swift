package import TextModel

/// Search for patterns in lines of text.
package enum TextFinder {
    /// Maximum number of steps to search all lines of a frame for all patterns.
    ///
    /// Ten patterns on a full page take a twentieth of it.
    private static let stepLimit = 4_000_000
    /// Maximum number of matches in a frame.
    ///
    /// A frame has no more words by default, so a pattern that finds every word has room.
    private static let maxMatches = 10_000

    /// Finds `patterns` in `lines`.
    ///
    /// - Parameters:
    ///   - patterns: The patterns to search for.
    ///   - lines: In reading order, with their characters; a word without characters counts as one.
    /// - Returns: The first matches, with boxes in the coordinate space of `lines`.
    package static func matches(of patterns: [TextPattern], in lines: [TextLine]) -> TextMatches {
        Self.matches(in: lines) { _ in patterns }
    }

    /// Finds in each of `lines` the patterns for it.
    ///
    /// - Parameters:
    ///   - lines: In reading order, with their characters; a word without characters counts as one.
    ///   - patterns: The patterns to search a line for.
    /// - Returns: The first matches, with boxes in the coordinate space of `lines`.
    package static func matches(in lines: [TextLine], of patterns: (TextLine) -> [TextPattern]) -> TextMatches {
        var search = PatternSearch(stepLimit: Self.stepLimit)
        var matches: [TextMatch] = []
        let texts = lines.map(LineText.init)
        var scalarsLeft = texts.reduce(0) { $0 + $1.scalars.count }
        for (index, text) in texts.enumerated() {
            // Each line has its share by its length, so that a costly one leaves the others theirs.
            let share = search.stepsLeft * text.scalars.count / max(scalarsLeft, 1)
            scalarsLeft -= text.scalars.count
            for found in Self.ranges(of: patterns(lines[index]), in: text, share: share, with: &search) {
                guard let match = text.match(found.range, pattern: found.pattern, line: index) else { continue }
                guard matches.count < Self.maxMatches else { return TextMatches(matches, isComplete: false) }
                matches.append(match)
            }
        }
        return TextMatches(matches, isComplete: search.isComplete)
    }

    /// The ranges that patterns match in a line, from left to right.
    ///
    /// They divide the line's share of steps, and one that needs less leaves the rest to those after it.
    private static func ranges(
        of patterns: [TextPattern],
        in text: LineText,
        share: Int,
        with search: inout PatternSearch
    ) -> [(pattern: Int, range: Range<Int>)] {
        var searched = SearchedText(text.scalars)
        var found: [(pattern: Int, range: Range<Int>)] = []
        let reserve = search.stepsLeft - share
        for (pattern, wanted) in patterns.enumerated() {
            let share = max(0, search.stepsLeft - reserve) / (patterns.count - pattern)
            found += search.matches(of: wanted, in: &searched, share: share).map { (pattern, $0) }
        }
        return found.sorted { ($0.range.lowerBound, $0.pattern) < ($1.range.lowerBound, $1.pattern) }
    }
}

/// Text of a line, with the word and character of each scalar.
private struct LineText {
    private let line: TextLine
    private(set) var scalars: [Unicode.Scalar] = []
    /// Word and character of each of ``scalars``; `nil` for the spaces between words.
    private var places: [(word: Int, character: Int)?] = []

    init(_ line: TextLine) {
        self.line = line
        for (index, word) in line.words.enumerated() {
            // Words of a script that cannot be read are empty.
            if !self.scalars.isEmpty, !word.text.isEmpty { self.append(" ", nil) }
            if word.characters.isEmpty {
                self.append(word.text, (index, 0))
            } else {
                for (character, letter) in word.characters.enumerated() { self.append(letter.text, (index, character)) }
            }
        }
    }

    private mutating func append(_ text: String, _ place: (word: Int, character: Int)?) {
        for scalar in text.unicodeScalars {
            self.scalars.append(scalar)
            self.places.append(place)
        }
    }

    /// The match in a range of ``scalars``; `nil` if that is only a space.
    func match(_ range: Range<Int>, pattern: Int, line: Int) -> TextMatch? {
        let places = self.places[range].compactMap(\.self)
        guard let first = places.first, let last = places.last else { return nil }
        var boxes: [Quad] = []
        for word in first.word...last.word {
            let whole = self.line.words[word]
            guard !whole.characters.isEmpty else {
                boxes.append(whole.box)
                continue
            }
            let from = word == first.word ? first.character : 0
            let to = word == last.word ? last.character : whole.characters.count - 1
            boxes += whole.characters[from...to].map(\.box.withMargin)
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: self.scalars[range])
        return TextMatch(
            pattern: pattern,
            text: String(text),
            line: line,
            words: first.word..<last.word + 1,
            box: Quad(around: boxes, along: self.line.words[first.word].box),
            region: self.line.region
        )
    }
}

extension Quad {
    /// Smallest box around `boxes` with the direction of `guide`.
    ///
    /// All boxes of a line are rectangles of one rectified line, so the result is exact.
    init(around boxes: [Quad], along guide: Quad) {
        let origin = guide.topLeft
        let along = Point(x: guide.topRight.x - origin.x, y: guide.topRight.y - origin.y)
        let down = Point(x: guide.bottomLeft.x - origin.x, y: guide.bottomLeft.y - origin.y)
        let area = along.x * down.y - along.y * down.x
        let corners = boxes.flatMap(\.corners)
        guard abs(area) > .leastNormalMagnitude, let first = corners.first else {
            self = guide
            return
        }
        func place(_ corner: Point) -> Point {
            let (x, y) = (corner.x - origin.x, corner.y - origin.y)
            return Point(x: (x * down.y - y * down.x) / area, y: (along.x * y - along.y * x) / area)
        }
        var (least, most) = (place(first), place(first))
        for corner in corners.dropFirst() {
            let place = place(corner)
            least = Point(x: min(least.x, place.x), y: min(least.y, place.y))
            most = Point(x: max(most.x, place.x), y: max(most.y, place.y))
        }
        func corner(_ x: Float, _ y: Float) -> Point {
            Point(x: origin.x + x * along.x + y * down.x, y: origin.y + x * along.y + y * down.y)
        }
        self.init(
            topLeft: corner(least.x, least.y),
            topRight: corner(most.x, least.y),
            bottomRight: corner(most.x, most.y),
            bottomLeft: corner(least.x, most.y)
        )
    }
}
