/// Character localisation: finds the box of each recognized character in the foreground of its line.
///
/// Takes the recognizer's centres and gives boxes, both in pixels of the rectified line. The line is cut between
/// neighbouring characters at the column with least foreground; each connected component goes to the character that holds it,
/// and one that two characters share is split at the cut. Where the components of a word align with its characters, these take
/// precedence, as the recognizer's centres may be a time step off.
struct CharacterLocalizer: ~Copyable {
    private var mask = ForegroundMask()
    private var labeler = ComponentLabeler()
    private var boxes: [BoundingBox?] = []
    /// Columns between characters, with the line's start and end.
    private var cuts: [Int] = []
    /// Whether the contrast of the line is sufficient.
    private var hasForeground = false
    /// Columns of the vertical rules of the last line.
    private(set) var rules: [Float] = []
    /// Boxes of the horizontal bars of the last line, such as underscores, from left to right.
    private(set) var bars: [BoundingBox] = []
    /// Characters of the last line without foreground of their own.
    private var unplaced: [Int] = []

    private enum Tuning {
        /// Least area of a component in pixels; not measured.
        static let minArea: Float = 3
        /// Cost, in foreground, of each column between a cut and its expected place; not measured.
        static let distanceCost: Float = 0.8
        /// Largest distance of a character's centre from its group's, in widths of the group.
        ///
        /// Without a limit for each character, pages have 0.937 for 0.941 and scenes 0.525 for 0.529 at `fast` (accuracy log,
        /// *Touching characters and their neighbours*); other limits were not measured.
        static let maxDistance: Float = 0.75
        /// Share of a component with which one character takes all of it; not measured.
        static let wholeShare: Float = 0.8
        /// Rows above and below a box without foreground and neighbours: the line's height over this number.
        static let marginDivisor: Float = 8
    }

    /// Localises the characters of a line.
    ///
    /// - Parameters:
    ///   - characters: In ascending order of their centres; the last ones may lie behind the line's end.
    ///   - words: The ranges of characters that make up words, by the recognizer's spaces.
    ///   - gray: The line's intensities, row by row.
    ///   - width: The width of the line.
    ///   - height: The height of the line.
    /// - Returns: The box of each; cells around the centres where a line has no usable foreground.
    mutating func localize(
        _ characters: [ExpectedCharacter],
        words: [Range<Int>],
        gray: UnsafePointer<Float>,
        width: Int,
        height: Int
    ) -> [BoundingBox] {
        self.boxes.removeAll(keepingCapacity: true)
        self.boxes.append(contentsOf: repeatElement(nil, count: characters.count))
        self.rules.removeAll(keepingCapacity: true)
        self.bars.removeAll(keepingCapacity: true)
        self.cuts.removeAll(keepingCapacity: true)
        self.unplaced.removeAll(keepingCapacity: true)
        self.hasForeground = false
        guard !characters.isEmpty else { return [] }
        self.hasForeground = self.mask.separate(gray, width: width, height: height)
        self.cut(between: characters, width: width)
        if self.hasForeground {
            let components = ConnectedComponent.components(of: self.mask, by: &self.labeler)
            let band = ConnectedComponent.textBand(of: components, height: height)
            let own = components.indices.filter { index in
                components[index].area >= Tuning.minArea && !components[index].isForeign(to: band, height: height)
            }
            self.rules += components.filter { $0.isVerticalRule(beside: band, height: height) }.map(\.box.centreX)
            // An underscore may touch the line's lower edge, as what belongs to a neighbouring line does.
            self.bars += components.filter(\.isBar).map(\.box).sorted { $0.x0 < $1.x0 }
            for index in own { self.assign(index, components[index]) }
            self.share(own, components)
            let groups = ConnectedComponent.groups(of: own.map { components[$0] }).map { group in
                ConnectedComponent.Group(box: group.box, members: group.members.map { own[$0] })
            }
            for word in words { self.align(groups, with: characters, word: word, height: height) }
        }
        self.unplaced = self.boxes.indices.filter { self.boxes[$0] == nil }
        return self.filled(height: height, characters)
    }

    /// Characters as which a vertical rule may be recognized.
    private static let ruleReadings: Set = ["|", "1", "l", "I", "i", "!", "[", "]", "/", "丨"]
    /// Those of them that look like nothing else.
    private static let bars: Set = ["|", "丨"]

    /// Returns the characters of the last line that are vertical rules.
    ///
    /// A bar is one if a rule lies between its neighbours, whatever foreground it was given: its centre is a few columns off.
    func misrecognizedRules(_ line: LineCharacters, _ alphabet: Alphabet) -> [Int] {
        guard !self.rules.isEmpty else { return [] }
        let unplaced = Set(self.unplaced)
        return line.characters.indices.filter { index in
            let text = alphabet.characters[line.characters[index].recognized.label]
            let isBar = Self.bars.contains(text)
            guard isBar || unplaced.contains(index) && Self.ruleReadings.contains(text) else { return false }
            let columns = isBar ? line.columns(around: index) : Float(self.cuts[index])..<Float(self.cuts[index + 1])
            return self.rules.contains(where: columns.contains)
        }
    }

    /// Returns the foreground share of the middle ninth of a box in the last line; 0 without usable foreground.
    func centreForeground(of box: BoundingBox) -> Float {
        guard self.hasForeground else { return 0 }
        let (width, height) = (box.width / 3, box.height / 3)
        return self.mask.mean(columns: box.x0 + width..<box.x1 - width, rows: box.y0 + height..<box.y1 - height)
    }

    /// Replaces the boxes of a word by its component groups, where each is near the centres of its characters.
    ///
    /// No cut is needed then except within characters that touch, and centres some pixels off do no harm.
    private mutating func align(
        _ groups: [ConnectedComponent.Group],
        with characters: [ExpectedCharacter],
        word: Range<Int>,
        height: Int
    ) {
        let columns = Float(self.cuts[word.lowerBound])..<Float(self.cuts[word.upperBound])
        let own = groups.filter { columns.contains($0.box.centreX) }
        let members = Array(characters[word])
        guard let ranges = LetterAlignment.align(own.map(\.box), with: members) else { return }
        let isNear = zip(own, ranges).allSatisfy { group, range in
            // A narrow group, such as an i, is as tolerant as one half as wide as the line is high.
            let distance = Tuning.maxDistance * max(group.box.width, Float(height) / 2)
            return members[range].allSatisfy { abs(group.box.centreX - $0.centre) <= distance }
        }
        guard isNear else { return }
        for (group, range) in zip(own, ranges) {
            let indices = word.lowerBound + range.lowerBound..<word.lowerBound + range.upperBound
            if range.count == 1 {
                self.boxes[indices.lowerBound] = group.box
            } else {
                self.split(group, into: indices, of: characters)
            }
        }
    }

    /// Splits touching characters at the least foreground near the edges that their advance widths predict.
    private mutating func split(
        _ group: ConnectedComponent.Group,
        into indices: Range<Int>,
        of characters: [ExpectedCharacter]
    ) {
        let unit = group.box.width / characters[indices].totalWidth
        var ends: [Int] = []
        var edge = group.box.x0
        for (left, right) in zip(indices, indices.dropFirst()) {
            edge += unit * characters[left].advanceWidth
            let reach = unit * min(characters[left].advanceWidth, characters[right].advanceWidth) / 2
            ends.append(self.minForegroundColumn(near: edge, in: Int(edge - reach)...Int(edge + reach)))
        }
        var start = Int32(group.box.x0)
        for (index, end) in zip(indices, ends.map(Int32.init) + [Int32(group.box.x1)]) {
            self.boxes[index] = nil
            for component in group.members { self.add(component, in: start..<max(start, end), to: index) }
            start = max(start, end)
        }
    }

    /// Chooses the cut between each two neighbours; ``cuts`` holds one more at each end.
    private mutating func cut(between characters: [ExpectedCharacter], width: Int) {
        self.cuts.removeAll(keepingCapacity: true)
        self.cuts.append(0)
        for (left, right) in zip(characters, characters.dropFirst()) {
            let share = left.advanceWidth / (left.advanceWidth + right.advanceWidth)
            let expected = left.centre + (right.centre - left.centre) * share
            let first = min(width, max(self.cuts[self.cuts.count - 1], Int(left.centre)))
            let last = min(width - 1, Int(right.centre))
            let isMeasured = self.hasForeground && first <= last
            self.cuts.append(
                isMeasured
                    ? self.minForegroundColumn(near: expected, in: first...last) : max(first, min(width, Int(expected)))
            )
        }
        self.cuts.append(width)
    }

    /// Returns the column with least foreground and distance from a place.
    private func minForegroundColumn(near place: Float, in columns: ClosedRange<Int>) -> Int {
        var (best, least) = (columns.lowerBound, Float.infinity)
        for x in columns {
            let cost = self.mask.profile[x] + Tuning.distanceCost * abs(Float(x) + 0.5 - place)
            if cost < least { (best, least) = (x, cost) }
        }
        return best
    }
}

extension CharacterLocalizer {
    /// Assigns a component to the character with most of it, or to each the columns between its cuts.
    private mutating func assign(_ index: Int, _ component: ConnectedComponent) {
        let runs = self.labeler.runs(of: index)
        let characters = self.characters(across: component.box)
        if characters.count == 1 {
            self.add(index, in: 0..<Int32.max, to: characters.lowerBound)
            return
        }
        let shares = characters.map { character in
            let columns = self.columns(of: character)
            return runs.reduce(Float(0)) { sum, run in
                sum + Float(max(0, min(run.end, columns.upperBound) - max(run.first, columns.lowerBound)))
            }
        }
        if let owner = shares.indices.max(by: { shares[$0] < shares[$1] }),
            shares[owner] >= Tuning.wholeShare * component.area
        {
            self.add(index, in: 0..<Int32.max, to: characters.lowerBound + owner)
        } else {
            for character in characters { self.add(index, in: self.columns(of: character), to: character) }
        }
    }

    /// Gives characters without foreground their columns of the components that went to a neighbour.
    private mutating func share(_ indices: [Int], _ components: [ConnectedComponent]) {
        let isEmpty = self.boxes.map { $0 == nil }
        guard isEmpty.contains(true) else { return }
        for index in indices {
            for character in self.characters(across: components[index].box) where isEmpty[character] {
                self.add(index, in: self.columns(of: character), to: character)
            }
        }
    }

    /// Returns the columns between the cuts on either side of a character.
    private func columns(of character: Int) -> Range<Int32> {
        Int32(self.cuts[character])..<Int32(self.cuts[character + 1])
    }

    /// Returns the characters whose columns a box reaches.
    private func characters(across box: BoundingBox) -> ClosedRange<Int> {
        self.character(at: Int(box.x0))...self.character(at: Int(box.x1) - 1)
    }

    /// Returns the character that holds a column.
    private func character(at column: Int) -> Int {
        var (low, high) = (0, self.cuts.count - 2)
        while low < high {
            let middle = (low + high + 1) / 2
            if self.cuts[middle] <= column { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// Adds some columns of a component to a character.
    private mutating func add(_ component: Int, in columns: Range<Int32>, to character: Int) {
        guard let box = BoundingBox(around: self.labeler.runs(of: component), in: columns) else { return }
        self.boxes[character] = self.boxes[character]?.union(box) ?? box
    }

    /// Returns all boxes, those without foreground with their own columns and the rows of their neighbours.
    private func filled(height: Int, _ characters: [ExpectedCharacter]) -> [BoundingBox] {
        let margin = Tuning.marginDivisor
        return self.boxes.indices.map { index in
            if let box = self.boxes[index] { return box }
            let before = self.boxes[..<index].last { $0 != nil } ?? nil
            let after = self.boxes[index...].first { $0 != nil } ?? nil
            let rows = BoundingBox(around: [before, after].compactMap { $0 })
            let centre = characters[index].centre
            let (left, right) = (Float(self.cuts[index]), Float(self.cuts[index + 1]))
            let halfWidth = max(1, min(centre - left, right - centre, Float(height) / 2))
            return BoundingBox(
                x0: centre - halfWidth,
                y0: rows?.y0 ?? Float(height) / margin,
                x1: centre + halfWidth,
                y1: rows?.y1 ?? Float(height) * (margin - 1) / margin
            )
        }
    }
}
