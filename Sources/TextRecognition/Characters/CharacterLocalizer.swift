/// Finds the extent of each character of a line: the recogniser tells order and rough place, the ink tells the edges.
///
/// Between two neighbours the line is cut at the column with least ink; every connected piece of ink then goes to the
/// character whose stretch holds it, and pieces that two characters share are divided at the cut.
struct CharacterLocalizer: ~Copyable {
    private var ink = ForegroundMask()
    private var labeler = ComponentLabeler()
    private var boxes: [BoundingBox?] = []
    private var cuts: [Int] = []
    /// Whether ink and background of the line differ enough.
    private var hasInk = false
    /// The columns of the vertical rules in the line that was placed last.
    private(set) var rules: [Float] = []
    /// The characters of that line that have no ink of their own.
    private var inkless: [Int] = []

    /// Pieces of fewer pixels are specks.
    private static let minArea: Float = 3
    /// What a column of distance from the middle costs against ink when a cut is chosen.
    private static let distanceCost: Float = 0.8
    /// How far a character's middle may be from its ink's, in widths of the ink; narrow ink counts as half the line's height.
    private static let nearness: Float = 0.75
    /// A piece goes wholly to the character that holds at least this share of it.
    private static let wholeShare: Float = 0.8

    /// Places the characters of a line.
    ///
    /// - Parameters:
    ///   - centres: The middle of each character, in ascending order; the last ones may lie behind the line's end.
    ///   - glyphWidths: How wide each is relative to the others.
    ///   - words: The ranges of characters that make up words, as far as is known before they have places.
    ///   - gray: The line's brightness, row by row.
    ///   - width: Numbers of a row.
    ///   - height: Rows.
    /// - Returns: A box for each; where a line has no usable ink, cells around the middles.
    mutating func place(
        centres: [Float],
        glyphWidths: [Float],
        words: [Range<Int>],
        gray: UnsafePointer<Float>,
        width: Int,
        height: Int
    ) -> [BoundingBox] {
        self.boxes.removeAll(keepingCapacity: true)
        self.boxes.append(contentsOf: repeatElement(nil, count: centres.count))
        guard !centres.isEmpty else { return [] }
        self.rules.removeAll(keepingCapacity: true)
        self.hasInk = self.ink.measure(gray, width: width, height: height)
        self.cut(between: centres, glyphWidths, width: width)
        if self.hasInk {
            let pieces = ConnectedComponent.pieces(of: self.ink, by: &self.labeler)
            let core = ConnectedComponent.core(of: pieces, height: height)
            let own = pieces.indices.filter { index in
                pieces[index].area >= Self.minArea && !pieces[index].isForeign(core: core, height: height)
            }
            self.rules += pieces.filter { $0.isVerticalRule(core: core, height: height) }.map(\.box.centreX)
            for component in own { self.assign(component, pieces[component]) }
            self.divide(own, pieces)
            let letters = ConnectedComponent.letters(of: own.map { pieces[$0] }).map { letter in
                (box: letter.box, components: letter.pieces.map { own[$0] })
            }
            for word in words { self.takeLetters(letters, of: word, centres, glyphWidths, height: height) }
        }
        self.inkless = self.boxes.indices.filter { self.boxes[$0] == nil }
        return self.filled(height: height, centres: centres)
    }

    /// What a rule may be read as.
    private static let ruleReadings: Set = ["|", "1", "l", "I", "i", "!", "[", "]", "/", "丨"]

    /// The characters of the line that was placed last that are a vertical rule and no letter.
    func charactersReadOffRules(_ parts: LineCharacters, _ alphabet: Alphabet) -> [Int] {
        guard !self.rules.isEmpty else { return [] }
        return self.inkless.filter { index in
            let stretch = Float(self.cuts[index])..<Float(self.cuts[index + 1])
            return Self.ruleReadings.contains(alphabet.characters[parts.characters[index].label])
                && self.rules.contains(where: stretch.contains)
        }
    }

    /// How much of the middle ninth of a box is ink, in the line that was placed last; 0 where it had no usable ink.
    func middleInk(of box: BoundingBox) -> Float {
        guard self.hasInk else { return 0 }
        let (width, height) = ((box.x1 - box.x0) / 3, (box.y1 - box.y0) / 3)
        return self.ink.mean(columns: box.x0 + width..<box.x1 - width, rows: box.y0 + height..<box.y1 - height)
    }

    /// Takes a word's letters as the ink makes them up by itself, where each is near the middles of the characters it holds.
    ///
    /// No cut is needed then but within letters that touch, and a middle that is some pixels off does no harm.
    private mutating func takeLetters(
        _ letters: [(box: BoundingBox, components: [Int])],
        of word: Range<Int>,
        _ centres: [Float],
        _ glyphWidths: [Float],
        height: Int
    ) {
        let stretch = Float(self.cuts[word.lowerBound])..<Float(self.cuts[word.upperBound])
        let own = letters.filter { stretch.contains($0.box.centreX) }
        let boxes = own.map(\.box)
        let (middles, widths) = (Array(centres[word]), Array(glyphWidths[word]))
        guard let groups = LetterAlignment.characters(of: boxes, centres: middles, glyphWidths: widths) else { return }
        let isNear = zip(boxes, groups).allSatisfy { letter, group in
            let unclipDistance = Self.nearness * max(letter.x1 - letter.x0, Float(height) / 2)
            return middles[group].allSatisfy { abs(letter.centreX - $0) <= unclipDistance }
        }
        guard isNear else { return }
        for (letter, group) in zip(own, groups) {
            let characters = word.lowerBound + group.lowerBound..<word.lowerBound + group.upperBound
            if group.count == 1 {
                self.boxes[characters.lowerBound] = letter.box
            } else {
                self.part(letter.box, of: letter.components, characters, glyphWidths)
            }
        }
    }

    /// Parts characters that touch, where there is least ink near the edges that their widths have one expect.
    private mutating func part(
        _ letter: BoundingBox,
        of components: [Int],
        _ characters: Range<Int>,
        _ glyphWidths: [Float]
    ) {
        let unit = (letter.x1 - letter.x0) / glyphWidths[characters].reduce(0, +)
        var ends: [Int] = []
        var edge = letter.x0
        for (left, right) in zip(characters, characters.dropFirst()) {
            edge += unit * glyphWidths[left]
            let unclipDistance = unit * min(glyphWidths[left], glyphWidths[right]) / 2
            ends.append(self.leastInk(near: edge, in: Int(edge - unclipDistance)...Int(edge + unclipDistance)))
        }
        var start = Int32(letter.x0)
        for (character, end) in zip(characters, ends.map(Int32.init) + [Int32(letter.x1)]) {
            self.boxes[character] = nil
            for component in components { self.add(component, in: start..<max(start, end), to: character) }
            start = max(start, end)
        }
    }

    /// Chooses the column between each two neighbours; ``cuts`` holds one more at each end.
    private mutating func cut(between centres: [Float], _ glyphWidths: [Float], width: Int) {
        self.cuts.removeAll(keepingCapacity: true)
        self.cuts.append(0)
        for index in centres.indices.dropFirst() {
            let (left, right) = (centres[index - 1], centres[index])
            let share = glyphWidths[index - 1] / (glyphWidths[index - 1] + glyphWidths[index])
            let middle = left + (right - left) * share
            let first = min(width, max(self.cuts[self.cuts.count - 1], Int(left)))
            let last = min(width - 1, Int(right))
            let isInked = self.hasInk && first <= last
            self.cuts.append(
                isInked ? self.leastInk(near: middle, in: first...last) : max(first, min(width, Int(middle)))
            )
        }
        self.cuts.append(width)
    }

    /// The column with least ink near a place.
    private func leastInk(near place: Float, in columns: ClosedRange<Int>) -> Int {
        var (best, least) = (columns.lowerBound, Float.infinity)
        for x in columns {
            let cost = self.ink.profile[x] + Self.distanceCost * abs(Float(x) + 0.5 - place)
            if cost < least { (best, least) = (x, cost) }
        }
        return best
    }

    /// Gives a piece to the character that holds most of it, or to each what lies between its cuts.
    private mutating func assign(_ component: Int, _ piece: ConnectedComponent) {
        let runs = self.labeler.runs(of: component)
        let characters = self.character(at: Int(piece.box.x0))...self.character(at: Int(piece.box.x1) - 1)
        if characters.count == 1 {
            self.add(component, in: 0..<Int32.max, to: characters.lowerBound)
            return
        }
        let shares = characters.map { character in
            let stretch = self.stretch(of: character)
            return runs.reduce(Float(0)) { sum, run in
                sum + Float(max(0, min(run.end, stretch.upperBound) - max(run.first, stretch.lowerBound)))
            }
        }
        if let owner = shares.indices.max(by: { shares[$0] < shares[$1] }),
            shares[owner] >= Self.wholeShare * piece.area
        {
            self.add(component, in: 0..<Int32.max, to: characters.lowerBound + owner)
        } else {
            for character in characters { self.add(component, in: self.stretch(of: character), to: character) }
        }
    }

    /// Gives characters that found no ink their stretch of the pieces that went to a neighbour.
    private mutating func divide(_ components: [Int], _ pieces: [ConnectedComponent]) {
        let isEmpty = self.boxes.map { $0 == nil }
        guard isEmpty.contains(true) else { return }
        for component in components {
            let box = pieces[component].box
            let characters = self.character(at: Int(box.x0))...self.character(at: Int(box.x1) - 1)
            for character in characters where isEmpty[character] {
                self.add(component, in: self.stretch(of: character), to: character)
            }
        }
    }

    /// The columns between the cuts on either side of a character.
    private func stretch(of character: Int) -> Range<Int32> {
        Int32(self.cuts[character])..<Int32(self.cuts[character + 1])
    }

    /// The character whose stretch holds a column.
    private func character(at column: Int) -> Int {
        var (low, high) = (0, self.cuts.count - 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if self.cuts[middle] <= column { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Gives a character what of a component lies in some columns.
    private mutating func add(_ component: Int, in columns: Range<Int32>, to character: Int) {
        guard let box = BoundingBox(around: self.labeler.runs(of: component), in: columns) else { return }
        self.boxes[character] = self.boxes[character]?.union(box) ?? box
    }

    /// The boxes, with those that found no ink filled from their stretch and their neighbours' height.
    private func filled(height: Int, centres: [Float]) -> [BoundingBox] {
        self.boxes.indices.map { index in
            if let box = self.boxes[index] { return box }
            let before = self.boxes[..<index].last { $0 != nil } ?? nil
            let after = self.boxes[index...].first { $0 != nil } ?? nil
            let rows = BoundingBox(around: [before, after].compactMap { $0 })
            let (left, right) = (Float(self.cuts[index]), Float(self.cuts[index + 1]))
            let unclipDistance = max(1, min(centres[index] - left, right - centres[index], Float(height) / 2))
            return BoundingBox(
                x0: centres[index] - unclipDistance,
                y0: rows?.y0 ?? Float(height) / 8,
                x1: centres[index] + unclipDistance,
                y1: rows?.y1 ?? Float(height) * 7 / 8
            )
        }
    }
}
