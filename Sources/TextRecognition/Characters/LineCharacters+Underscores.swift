/// Underscores: bars on the baseline, which recognizers merge or read as a dash.
extension LineCharacters {
    /// Lengths in capital heights, chosen by hand on rendered identifiers.
    ///
    /// Measured together (accuracy log, *Underscores, marked zeros and spaces beside brackets*), none alone.
    private enum Tuning {
        /// Usual width of an underscore: half an em in proportional faces, a cell in monospaced ones.
        static let usualWidth: Float = 0.78
        /// Widths that the line's bars may show instead.
        static let widths: [Float] = stride(from: 0.55, through: 0.9, by: 0.01).map { $0 }
        /// Weight of the distance from the usual width, beside the distances of the bars from whole numbers of underscores.
        static let priorWeight: Float = 1
        /// Least width of a bar that is an underscore; the line may begin within one.
        static let minWidth: Float = 0.4
        /// Most thickness of a bar that is one.
        static let maxThickness: Float = 0.22
        /// Distance above the baseline from which a bar is none.
        static let maxRise: Float = 0.1
        /// Most gap between an underscore and the character that it belongs to.
        static let maxGap: Float = 0.2
        /// Share of a bar's width that may lie above or below a neighbour.
        static let maxOverlap: Float = 0.2
    }

    /// Characters as which underscores may be recognized.
    private static let dashes: Set = ["_", "-", "–", "—"]

    private func isDash(_ index: Int, _ alphabet: Alphabet) -> Bool {
        Self.dashes.contains(alphabet.characters[self.characters[index].recognized.label])
    }

    /// Sets the number of underscores in each place by the bars on the baseline.
    ///
    /// - Parameters:
    ///   - alphabet: The alphabet of the characters.
    ///   - bars: The horizontal bars of the line's foreground, from left to right.
    mutating func readUnderscores(_ alphabet: Alphabet, bars: [BoundingBox]) {
        // Few lines have any, and measuring a line takes time.
        guard self.characters.indices.contains(where: { self.isDash($0, alphabet) }),
            let label = alphabet.label(of: "_"), let band = LetterBand(self, alphabet)
        else { return }
        let underscores = Self.outlines(of: bars).filter {
            Self.isOnBaseline($0, band) && $0.width >= Tuning.minWidth * band.height
                && $0.height <= Tuning.maxThickness * band.height
        }
        let unit = Self.width(of: underscores.map { $0.width / band.height }) * band.height
        for row in Self.rows(of: underscores, maxGap: Tuning.maxGap * band.height).reversed() {
            self.replaceDashes(by: row, label: label, unit: unit, alphabet, band)
        }
        self.repeatDashes(alphabet, label: label, unit: unit, band)
    }

    /// Returns the width of one underscore, of which the bars of a line are whole numbers.
    private static func width(of bars: [Float]) -> Float {
        func misfit(_ width: Float) -> Float {
            let distances = bars.map { abs($0 / width - max(1, ($0 / width).rounded())) }
            return distances.reduce(Tuning.priorWeight * abs(width - Tuning.usualWidth), +)
        }
        return Tuning.widths.min { misfit($0) < misfit($1) } ?? Tuning.usualWidth
    }

    private static func isOnBaseline(_ box: BoundingBox, _ band: LetterBand) -> Bool {
        box.y0 >= band.baseline - Tuning.maxRise * band.height
    }

    /// Whether no letter stands above a bar; a bar below letters is an underline.
    private func isClear(_ bar: BoundingBox, _ alphabet: Alphabet) -> Bool {
        let inner = bar.x0 + Tuning.maxOverlap * bar.width..<bar.x1 - Tuning.maxOverlap * bar.width
        return self.characters.indices.allSatisfy {
            !inner.contains(self.characters[$0].box.centreX) || self.isDash($0, alphabet)
        }
    }

    /// Returns the number of underscores that a bar of some width is.
    private static func count(width: Float, unit: Float) -> Int { max(1, Int((width / unit).rounded())) }

    /// Joins bars of the same columns, which are the upper and the lower edge of one thick bar.
    private static func outlines(of bars: [BoundingBox]) -> [BoundingBox] {
        bars.reduce(into: []) { outlines, bar in
            if let last = outlines.last, bar.centreX < last.x1 {
                outlines[outlines.count - 1] = last.union(bar)
            } else {
                outlines.append(bar)
            }
        }
    }

    /// Joins bars that stand closer together than `maxGap`.
    private static func rows(of bars: [BoundingBox], maxGap: Float) -> [[BoundingBox]] {
        bars.reduce(into: []) { rows, bar in
            if let last = rows.last?.last, bar.x0 - last.x1 <= maxGap {
                rows[rows.count - 1].append(bar)
            } else {
                rows.append([bar])
            }
        }
    }

    /// Replaces the dashes that were recognized in the place of a row of bars.
    private mutating func replaceDashes(
        by row: [BoundingBox],
        label: Int,
        unit: Float,
        _ alphabet: Alphabet,
        _ band: LetterBand
    ) {
        guard let hull = BoundingBox(around: row) else { return }
        let slack = unit / 2
        let dashes = self.characters.indices.filter {
            let centre = self.characters[$0].box.centreX
            return centre > hull.x0 - slack && centre < hull.x1 + slack && self.isDash($0, alphabet)
        }
        // A row of nothing but hyphens may be one.
        guard self.isClear(hull, alphabet), dashes.contains(where: { self.characters[$0].recognized.label == label }),
            let place = dashes.first, let next = dashes.last.map({ $0 + 1 })
        else { return }
        // In a skewed line the letters beside it show the baseline better than the whole line does.
        let isBelow = [place - 1, next].filter(self.characters.indices.contains).allSatisfy {
            let text = alphabet.characters[self.characters[$0].recognized.label].first
            return text.map(LetterHeights.standing.contains) != true
                || hull.y0 >= self.characters[$0].box.y1 - Tuning.maxRise * band.height
        }
        guard isBelow else { return }
        let maxGap = Tuning.maxGap * band.height
        let isAttached = (
            left: place > 0 && hull.x0 - self.characters[place - 1].box.x1 <= maxGap,
            right: next < self.characters.count && self.characters[next].box.x0 - hull.x1 <= maxGap
        )
        let count = max(dashes.count, row.reduce(0) { $0 + Self.count(width: $1.width, unit: unit) })
        self.separate(place - 1, next, from: hull)
        if next < self.characters.count, isAttached.right { self.characters[next].spaceLogOdds = -.infinity }
        var underscores = Self.underscores(count, in: hull, like: self.characters[place], label: label)
        if isAttached.left { underscores[0].spaceLogOdds = -.infinity }
        self.characters.replaceSubrange(place..<next, with: underscores)
    }

    /// Ends the boxes of the neighbours at a row of bars, which they may contain.
    private mutating func separate(_ left: Int, _ right: Int, from hull: BoundingBox) {
        if left >= 0, self.characters[left].box.x1 > hull.x0, self.characters[left].box.x0 < hull.x0 - 1 {
            self.characters[left].box.x1 = hull.x0
        }
        if right < self.characters.count, self.characters[right].box.x0 < hull.x1,
            self.characters[right].box.x1 > hull.x1 + 1
        {
            self.characters[right].box.x0 = hull.x1
        }
    }

    /// Returns underscores of equal width in a box.
    private static func underscores(
        _ count: Int,
        in box: BoundingBox,
        like first: LocatedCharacter,
        label: Int
    ) -> [LocatedCharacter] {
        let width = box.width / Float(count)
        return (0..<count).map { place in
            var underscore = first
            underscore.recognized.label = label
            underscore.box = box
            underscore.box.x0 = box.x0 + Float(place) * width
            underscore.box.x1 = box.x0 + Float(place + 1) * width
            if place > 0 { underscore.spaceLogOdds = -.infinity }
            return underscore
        }
    }

    /// Splits a row of underscores that was recognized as one, or as a dash, by the width of its box.
    ///
    /// A bar that is longer than the line is high is no component of its own; see ``CharacterLocalizer``.
    private mutating func repeatDashes(_ alphabet: Alphabet, label: Int, unit: Float, _ band: LetterBand) {
        for index in self.characters.indices.reversed() where self.isDash(index, alphabet) {
            let box = self.characters[index].box
            guard Self.isOnBaseline(box, band) else { continue }
            // The box of the neighbour may contain the end of the underscore.
            let overlap = Tuning.maxOverlap * box.width
            let isAlone = self.characters.indices.allSatisfy { other in
                let neighbour = self.characters[other].box
                return other == index || neighbour.x1 <= box.x0 + overlap || neighbour.x0 >= box.x1 - overlap
            }
            guard isAlone else { continue }
            let count = Self.count(width: box.width, unit: unit)
            let underscores = Self.underscores(count, in: box, like: self.characters[index], label: label)
            self.characters.replaceSubrange(index...index, with: underscores)
        }
    }
}
