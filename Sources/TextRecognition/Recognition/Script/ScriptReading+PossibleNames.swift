internal import TextModel

/// Words that may be names in Latin script, of which a script's reader makes letters of its own.
extension ScriptReading {
    /// Confidence up to which a word may be a name: those that are read for certain are not tried, which takes time (accuracy log, *Latin
    /// names in lines of other scripts*).
    private static let maxNameConfidence: Float = 0.94

    /// Runs of words that may be names: none is certain or in the dictionary, and one is no number.
    var possibleNames: [Range<Int>] {
        let mayBeName = self.words.map { !$0.isInDictionary && $0.confidence <= Self.maxNameConfidence }
        return mayBeName.runs(where: ==).filter { run in
            mayBeName[run.lowerBound] && self.words[run].contains { !$0.text.allSatisfy(\.isNumber) }
        }
    }

    /// Columns of a run of words, from the widest gap of the ink before it to that behind it.
    ///
    /// Where a reader sees letters of its own, the columns that it states are off by up to a letter.
    ///
    /// - Parameters:
    ///   - run: The words.
    ///   - ink: The pieces of ink of the line.
    ///   - width: The number of columns of the line.
    /// - Returns: The columns.
    func columns(of run: Range<Int>, in ink: [BoundingBox], width: Float) -> Range<Float> {
        let own = self.words[run].centres.sorted()
        let others = (self.words[..<run.lowerBound] + self.words[run.upperBound...]).centres
        guard let first = own.first, let last = own.last else { return 0..<width }
        let left = others.filter { $0 < first }.max().map { Self.gap(between: $0, and: first, in: ink) } ?? 0
        let right = others.filter { $0 > last }.min().map { Self.gap(between: last, and: $0, in: ink) } ?? width
        return left..<max(left, right)
    }

    /// Middle of the widest gap of the ink between two columns; that of the columns where there is none.
    private static func gap(between left: Float, and right: Float, in ink: [BoundingBox]) -> Float {
        var (end, widest, middle) = (left, Float(0), (left + right) / 2)
        let pieces = ink.filter { $0.x1 > left && $0.x0 < right }.sorted { $0.x0 < $1.x0 }
        for piece in pieces {
            if piece.x0 - end > widest { (widest, middle) = (piece.x0 - end, (piece.x0 + end) / 2) }
            end = max(end, piece.x1)
        }
        return right - end > widest ? (right + end) / 2 : middle
    }
}

extension Collection<ScriptReading.Word> {
    /// Middle columns of the characters.
    fileprivate var centres: [Float] {
        self.flatMap(\.characters).map { ($0.columns.lowerBound + $0.columns.upperBound) / 2 }
    }
}
