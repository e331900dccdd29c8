/// Line of text whose characters are put in the order in which a page shows them from left to right.
///
/// The order is that of the Unicode Bidirectional Algorithm (UAX #9) without the rules for pairs of brackets (N0) and for
/// characters that direct the order (X1 to X8), which recognized text has none of. Brackets are not mirrored (L4): of the
/// readers of PDF that were tried, PDFium expects it, but poppler and MuPDF do not.
struct BidirectionalLine {
    private let words: [[Character]]
    /// Direction of the line, and so of what is in front of it and behind it.
    private let direction: BidirectionalClass
    /// Class of each character, with a space after each word but the last.
    private var classes: [BidirectionalClass]

    /// Creates a line of words that begins at the right if it `runsLeft`.
    init(words: [String], runsLeft: Bool) {
        self.words = words.map { Array($0) }
        self.direction = runsLeft ? .rightToLeft : .leftToRight
        let characters = self.words.joined(separator: [" "] as [Character])
        self.classes = characters.map { BidirectionalClass($0) }
        self.resolveNumbers()
        self.resolveNeutrals()
    }

    /// Characters of each word, from left to right.
    var wordsFromLeft: [[Character]] {
        var start = 0
        return self.words.map { word in
            let order = self.order(of: start..<start + word.count)
            let characters = order.map { word[$0 - start] }
            start += word.count + 1
            return characters
        }
    }

    /// Resolves numbers, and the signs in and at them (rules W2 to W7).
    private mutating func resolveNumbers() {
        self.replaceNumbers(behind: .arabicLetter, by: .arabicNumber)
        self.classes = self.classes.map { $0 == .arabicLetter ? .rightToLeft : $0 }
        self.joinNumbers()
        self.replaceRuns(of: [.europeanTerminator]) { before, after in
            before == .europeanNumber || after == .europeanNumber ? .europeanNumber : .neutral
        }
        self.replaceRuns(of: [.europeanSeparator, .commonSeparator]) { _, _ in .neutral }
        self.replaceNumbers(behind: .leftToRight, by: .leftToRight)
    }

    /// Gives neutral characters the direction of both sides if that is one, or else that of the line (rules N1 and N2).
    private mutating func resolveNeutrals() {
        let direction = self.direction
        self.replaceRuns(of: [.neutral]) { before, after in
            before.direction == after.direction ? before.direction : direction
        }
    }

    /// Replaces European numbers of which the last letter in front has a class (rules W2 and W7).
    private mutating func replaceNumbers(behind letter: BidirectionalClass, by number: BidirectionalClass) {
        var last = self.direction
        for index in self.classes.indices {
            if self.classes[index].isLetter { last = self.classes[index] }
            if self.classes[index] == .europeanNumber, last == letter { self.classes[index] = number }
        }
    }

    /// Makes a separator part of the number if it is the only character between two digits of one kind (rule W4).
    private mutating func joinNumbers() {
        for index in self.classes.indices.dropFirst().dropLast() {
            let (before, after) = (self.classes[index - 1], self.classes[index + 1])
            switch (self.classes[index], after) {
            case (.commonSeparator, .europeanNumber), (.commonSeparator, .arabicNumber),
                (.europeanSeparator, .europeanNumber):
                if before == after { self.classes[index] = after }
            default: break
            }
        }
    }

    /// Replaces runs of characters by what `replacement` makes of the classes in front of a run and behind it.
    private mutating func replaceRuns(
        of members: Set<BidirectionalClass>,
        by replacement: (_ before: BidirectionalClass, _ after: BidirectionalClass) -> BidirectionalClass
    ) {
        var start = 0
        while let first = self.classes[start...].firstIndex(where: members.contains) {
            let end = self.classes[first...].firstIndex { !members.contains($0) } ?? self.classes.count
            let before = first > 0 ? self.classes[first - 1] : self.direction
            let after = end < self.classes.count ? self.classes[end] : self.direction
            for index in first..<end { self.classes[index] = replacement(before, after) }
            start = end
        }
    }

    /// Level of a character, odd if it runs left (rules I1 and I2).
    private func level(of index: Int) -> Int {
        switch self.classes[index] {
        case .rightToLeft: 1
        case .leftToRight: self.direction == .leftToRight ? 0 : 2
        default: 2
        }
    }

    /// Places of the characters in `range`, from left to right (rule L2).
    private func order(of range: Range<Int>) -> [Int] {
        var order = Array(range)
        for level in [2, 1] {
            var start = 0
            while start < order.count {
                let end = order[start...].firstIndex { self.level(of: $0) < level } ?? order.count
                order[start..<end].reverse()
                start = end + 1
            }
        }
        return order
    }
}
