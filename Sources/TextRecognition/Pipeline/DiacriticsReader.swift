internal import TextModel

/// Reader of the letters with diacritics in languages of Latin script whose letters the networks misread, for one thread at a time.
///
/// The networks read which letters of a to z a word has, and a ``ScriptReader`` of the language which of them are others: of
/// the Romanian *știință* the networks read *stiinta*. The words and their boxes stay those of the networks.
final class DiacriticsReader {
    private enum Tuning {
        /// Margin around the detected line, as a share of its height.
        ///
        /// Boxes of lines end close to their small letters, and may cut off what stands above capitals and below letters.
        static let margin: Float = 0.15
        /// Confidence of the networks from which a letter is what they read.
        ///
        /// Of 199 letters whose diacritics `fast` lost on drawn pages, 40 have it, and of 11,896 that have none, 0.94 (accuracy log,
        /// *Diacritics by Tesseract*).
        static let sureLetter: Float = 0.99
        /// Least share of a line's characters in words of the dictionary with which the line is in the language, so that the networks
        /// are sure of nothing in it; chosen by hand.
        static let minDictionaryShare: Float = 0.5
    }

    /// Filler of machine-readable zones (ICAO Doc 9303, part 3), which have letters of A to Z alone.
    private static let filler: Character = "<"

    private let crops: CropReader
    private let images: LineImagePool

    /// Creates a reader; `nil` where the reader of scripts has no such language.
    ///
    /// - Parameters:
    ///   - reader: The reader of scripts.
    ///   - images: The pool of buffers for rectified lines.
    init?(_ reader: any ScriptReader, images: LineImagePool) {
        self.crops = CropReader(reader, images: images)
        self.images = images
        guard !self.crops.languages(of: .latin).isEmpty else { return nil }
    }

    /// Returns the languages that it reads of those that the client names.
    func languages(named options: ReadingOptions) -> [String] {
        // Letters that the client allows are among those that the networks choose from.
        guard !options.namedLanguages.isEmpty, options.allowedCharacters == nil else { return [] }
        return self.crops.languages(of: .latin, named: options.namedLanguages)
    }

    /// Returns a line with the letters that the reader of its language reads in the words of the networks.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - oriented: The reading that it was assembled from, with the rectified line.
    ///   - languages: The languages that it may have, at least one.
    ///   - context: The frame and the words expected.
    /// - Returns: The line.
    func line(
        _ line: TextLine,
        of oriented: OrientedReading,
        in languages: [String],
        _ context: LineContext
    ) -> TextLine {
        let image = self.images.take()
        defer { self.images.recycle(image) }
        let detected = LineCrop(oriented)
        let around = detected.map.quad(detected.box.expanded(by: Tuning.margin * Float(LineSize.height)))
        let crop = LineCrop(around, in: context.frame, image: image)
        return self.crops.withBestReading(of: crop, in: languages, of: context.frame, others: 0) { best in
            guard let best else { return line }
            var line = line
            let columns = line.words.map { best.columns(of: $0.box) }
            let letters = best.letters(in: columns)
            let isInLanguage = best.dictionaryShare >= Tuning.minDictionaryShare
            let unsure = best.letters(of: oriented.reading).filter { $0.confidence < Tuning.sureLetter }
            let custom = Set(context.options.customWords.map(\.trimmingPunctuation))
            var policy = DiacriticsPolicy(
                replacesLetters: context.options.languageCorrection,
                uncertainLanguage: isInLanguage ? nil : Language(best.language)
            )
            for (index, word) in line.words.enumerated() where Self.mayTakeDiacritics(word, custom: custom) {
                let (first, last) = columns[index]
                policy.isSure = !isInLanguage && !unsure.contains { $0.centre >= first && $0.centre <= last }
                line.words[index].takeDiacritics(of: letters[index], columns: columns[index], under: policy)
            }
            line.takeTextOfWords()
            return line
        }
    }

    /// Whether a word may have other letters.
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - custom: The words of the client, which stay whatever signs are around them, without such signs of their own.
    /// - Returns: Whether it is none of these, and no part of a machine-readable zone.
    static func mayTakeDiacritics(_ word: TextWord, custom: Set<String>) -> Bool {
        !word.text.contains(Self.filler) && !custom.contains(word.text.trimmingPunctuation)
    }
}

extension CropReading {
    /// Columns of the ends of a word in sent pixels.
    fileprivate func columns(of word: Quad) -> (first: Float, last: Float) {
        (self.crop.column(of: word.topLeft), self.crop.column(of: word.topRight))
    }

    /// What the reader reads in the columns of each word.
    ///
    /// Its characters are less exact than its words: each of these belongs to the nearest word as a whole, unless it spans several.
    fileprivate func letters(in columns: [(first: Float, last: Float)]) -> [WordLetters] {
        var letters = columns.map { _ in WordLetters() }
        guard !columns.isEmpty else { return letters }
        func nearest(to column: Float) -> Int {
            let distances = columns.map { max($0.first - column, column - $0.last, 0) }
            return distances.indices.min { distances[$0] < distances[$1] } ?? 0
        }
        for word in self.reading.words {
            guard let range = word.columns else { continue }
            let spanned = columns.count { range.contains(($0.first + $0.last) / 2) }
            if spanned > 1 {
                for character in word.characters { letters[nearest(to: character.columns.middle)].add([character]) }
            } else {
                letters[nearest(to: range.middle)].add(word.characters, of: word)
            }
        }
        return letters
    }
}

extension ScriptReading.Word {
    /// Columns of all characters; `nil` without any.
    fileprivate var columns: Range<Float>? {
        guard let first = self.characters.map(\.columns.lowerBound).min(),
            let last = self.characters.map(\.columns.upperBound).max()
        else { return nil }
        return first..<max(first, last)
    }
}

extension String {
    /// The text from its first letter or digit to its last; all of it if there is none.
    var trimmingPunctuation: String {
        func isKept(_ character: Character) -> Bool { character.isLetter || character.isNumber }
        guard let first = self.firstIndex(where: isKept), let last = self.lastIndex(where: isKept) else { return self }
        return String(self[first...last])
    }
}

extension Range<Float> {
    fileprivate var middle: Float { (self.lowerBound + self.upperBound) / 2 }
}
