internal import TextModel
internal import TextRecognition

/// Symbols that Tesseract recognized in a line, in logical order, as a reading of words and characters.
///
/// A symbol is a code point or a few. Tesseract's words are no words in scripts without spaces, so the text of the line decides.
struct SymbolSequence {
    /// Symbol with its place.
    struct Symbol {
        var text: String
        /// Confidence of the symbol, 0...1.
        var confidence: Float
        /// Confidence of Tesseract's word, 0...1.
        var wordConfidence: Float
        /// Left edge in columns.
        var left: Float
        /// Right edge in columns.
        var right: Float
    }

    /// Signs that direct the order of letters on a screen, which Tesseract adds: U+200E, U+200F, U+202A to U+202E.
    private static func isDirectional(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isBidiControl
    }

    private let symbols: [Symbol]
    private let width: Float

    /// Creates a sequence in a line of `width` columns.
    init(_ symbols: [Symbol], width: Float) {
        self.symbols = symbols
        self.width = width
    }

    /// The reading, with words where the text of the line has spaces.
    func reading(spacedAs line: String) -> ScriptReading {
        let words = self.words(spacedAs: line).map(Self.characters).filter { !$0.isEmpty }
        var columns = self.columns(of: words)[...]
        return ScriptReading(
            words: words.map { characters in
                let confidence = characters.reduce(0) { $0 + $1.wordConfidence } / Float(characters.count)
                return ScriptReading.Word(
                    characters: characters.map {
                        ScriptReading.Character(
                            text: $0.text,
                            confidence: min(max($0.confidence, 0), 1),
                            columns: columns.removeFirst()
                        )
                    },
                    confidence: min(max(confidence, 0), 1)
                )
            }
        )
    }

    /// Symbols of each word: a word ends where the text of the line has a space behind a symbol.
    private func words(spacedAs line: String) -> [[Symbol]] {
        var rest = line.unicodeScalars.filter { !Self.isDirectional($0) }[...]
        var words: [[Symbol]] = [[]]
        for symbol in self.symbols {
            let scalars = symbol.text.unicodeScalars.filter { !Self.isDirectional($0) }
            let hasSpace = rest.first?.properties.isWhitespace == true
            rest = rest.drop { $0.properties.isWhitespace }
            if hasSpace { words.append([]) }
            if rest.starts(with: scalars) { rest = rest.dropFirst(scalars.count) }
            var symbol = symbol
            symbol.text = String(String.UnicodeScalarView(scalars))
            words[words.count - 1].append(symbol)
        }
        return words
    }

    /// Characters of a word: symbols that belong to one grapheme cluster are one.
    private static func characters(_ word: [Symbol]) -> [Symbol] {
        var characters: [Symbol] = []
        for symbol in word where !symbol.text.isEmpty {
            if var last = characters.last, (last.text + symbol.text).count == last.text.count {
                last.text += symbol.text
                last.confidence = min(last.confidence, symbol.confidence)
                last.left = min(last.left, symbol.left)
                last.right = max(last.right, symbol.right)
                characters[characters.count - 1] = last
            } else {
                characters.append(symbol)
            }
        }
        for index in characters.indices {
            let isBeforeLetter = characters.dropFirst(index + 1).first?.text.first?.isLetter == true
            if !isBeforeLetter { characters[index].text.dropLastJoiner() }
        }
        return characters.filter { !$0.text.isEmpty }
    }

    /// Columns of the characters of words.
    private func columns(of words: [[Symbol]]) -> [Range<Float>] {
        let symbols = words.flatMap(\.self)
        var columns = [Range<Float>](repeating: 0..<0, count: symbols.count)
        for run in DirectionRun.runs(of: words.map { $0.map(\.text) }) {
            let placed = self.columns(of: run.indices.map { symbols[$0] }, runsLeft: run.runsLeft)
            for (index, range) in zip(run.indices, placed) { columns[index] = range }
        }
        return columns
    }

    /// Columns of characters of one direction, of which none begins before the one in front of it ends.
    ///
    /// Tesseract gives some symbols the box of a whole word.
    private func columns(of symbols: [Symbol], runsLeft: Bool) -> [Range<Float>] {
        // Along the text, so that each sequence rises.
        let along = symbols.map {
            runsLeft ? (start: self.width - $0.right, end: self.width - $0.left) : (start: $0.left, end: $0.right)
        }
        var end: Float = 0
        return along.indices.map { index in
            let start = min(max(along[index].start, end), self.width)
            let next = index + 1 < along.count ? along[index + 1].start : self.width
            end = max(start, min(along[index].end, next > start ? next : along[index].end, self.width))
            return runsLeft ? self.width - end..<self.width - start : start..<end
        }
    }
}

extension String {
    /// Joiners that act on the next letter: before another character they mean nothing.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    /// Removes a joiner from the end.
    fileprivate mutating func dropLastJoiner() {
        if let end = self.unicodeScalars.last, Self.joiners.contains(end) { self.unicodeScalars.removeLast() }
    }
}
