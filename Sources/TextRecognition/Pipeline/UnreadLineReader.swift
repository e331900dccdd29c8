internal import TextModel

/// Reader of lines in scripts that the networks do not read, with ink for the boxes, for one thread at a time.
final class UnreadLineReader {
    private enum Tuning {
        /// Confidence of a reading from which no other language of the script is tried.
        ///
        /// Ukrainian read as Russian has 0.78 in the mean, and as Ukrainian 0.93 (accuracy log, *Tesseract for other scripts*).
        static let sure: Float = 0.9
        /// Most languages that are tried where none is expected; not measured.
        static let mostLanguages = 4
        /// Share of a piece of ink in a character's columns from which it is that character's; chosen by eye.
        static let minInkShare: Float = 0.5
    }

    private let reader: any ScriptReader
    private var pixels = ScratchBuffer<UInt8>()
    private var segmenter = CharacterSegmenter()

    init(_ reader: any ScriptReader) { self.reader = reader }

    /// Calibration of the confidences of its words, fitted on lines of `bench/scripts` (accuracy log, *Tesseract for other scripts*).
    static let calibration = Calibration(slope: 1.4, offset: -1.75)

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - oriented: What the networks recognized of it, with the rectified line.
    ///   - unread: Its script.
    ///   - options: The languages allowed, and whether characters are asked for.
    /// - Returns: The line with boxes in sent pixels; `nil` if no language of the script can be read, or if the best reading is
    ///   mostly of another script.
    func read(_ oriented: OrientedReading, in unread: UnreadScript, _ options: ReadingOptions) -> TextLine? {
        guard let script = Script(rawValue: unread.code),
            let reading = self.reading(of: oriented, in: self.languages(of: script, options)),
            Script.most(of: reading.text) == script,
            unread.isCertain || unread.isExpected || !Self.looksLatin(reading.text)
        else { return nil }
        return self.line(reading, script, of: oriented, withCharacters: options.characters)
    }

    /// Letters of Cyrillic that look like Latin ones.
    private static let homoglyphs = Set("АВЕЅІЈКМНОРСТУХаеѕіјорсух")

    /// Whether all letters are those that Cyrillic and Latin share by their looks, so that "Тах" may as well be "Tax".
    private static func looksLatin(_ text: String) -> Bool {
        text.allSatisfy { !$0.isLetter || self.homoglyphs.contains($0) }
    }

    /// Languages of a script that are expected, or else that the hints name, or else the most usual ones.
    private func languages(of script: Script, _ options: ReadingOptions) -> [String] {
        func chosen(by codes: [String]) -> [String] {
            let codes = Set(codes.compactMap { Language($0)?.code })
            return known.filter(codes.contains)
        }
        let known = self.reader.languages.filter { Script(language: $0) == script }
        guard options.languages.isEmpty else { return chosen(by: options.languages) }
        let hinted = chosen(by: options.languageHints)
        return hinted.isEmpty ? Array(known.prefix(Tuning.mostLanguages)) : hinted
    }

    /// Most confident reading in one of some languages.
    private func reading(of oriented: OrientedReading, in languages: [String]) -> ScriptReading? {
        guard !languages.isEmpty else { return nil }
        let (width, height) = (oriented.reading.width, LineRecognizer.height)
        self.pixels.reserve(width * height)
        for index in 0..<width * height {
            self.pixels.base[index] = UInt8(max(0, min(255, oriented.image.base[index])))
        }
        let pixels = UnsafeBufferPointer(start: self.pixels.base, count: width * height)
        var best: ScriptReading?
        for language in languages where (best?.confidence ?? 0) < Tuning.sure {
            let reading = self.reader.read(pixels, width: width, height: height, language: language)
            if let reading, reading.confidence > best?.confidence ?? 0 { best = reading }
        }
        return best
    }

    private func line(
        _ reading: ScriptReading,
        _ script: Script,
        of oriented: OrientedReading,
        withCharacters: Bool
    ) -> TextLine? {
        let (width, map) = (oriented.reading.width, oriented.reading.map)
        let ink = self.segmenter.segment(gray: oriented.image.base, width: width, height: LineRecognizer.height)
        let rows =
            BoundingBox(around: ink) ?? BoundingBox(x0: 0, y0: 0, x1: Float(width), y1: Float(LineRecognizer.height))
        let boxes = reading.words.map { word in word.characters.map { Self.box(of: $0.columns, ink, rows: rows) } }
        guard let hull = BoundingBox(around: boxes.flatMap(\.self)) else { return nil }
        /// The box in sent pixels, whose first corner is where its text begins.
        func quad(_ box: BoundingBox) -> Quad {
            script.runsLeft
                ? map.quad(x0: box.x1, y0: box.y0, x1: box.x0, y1: box.y1) : map.quad(box)
        }
        let words = zip(reading.words, boxes).compactMap { word, boxes in
            BoundingBox(around: boxes).map { hull in
                TextWord(
                    text: word.text,
                    confidence: Self.calibration(word.confidence),
                    box: quad(hull).withMargin,
                    characters: withCharacters
                        ? zip(word.characters, boxes).map {
                            TextCharacter(text: $0.text, confidence: $0.confidence, box: quad($1))
                        } : []
                )
            }
        }
        return TextLine(
            text: TextLine.text(of: words),
            confidence: Self.calibration(reading.confidence),
            box: quad(hull).withMargin,
            words: words,
            script: script.rawValue,
            scores: TextLine.Scores(detection: oriented.line.score, recognition: reading.confidence)
        )
    }

    /// Box of a character: the ink that is mostly in its columns, or else these columns, as high as the line.
    ///
    /// In joined scripts a piece of ink is several characters.
    private static func box(of columns: Range<Float>, _ ink: [BoundingBox], rows: BoundingBox) -> BoundingBox {
        let own = ink.filter { piece in
            let shared = min(piece.x1, columns.upperBound) - max(piece.x0, columns.lowerBound)
            return shared > Tuning.minInkShare * piece.width
        }
        return BoundingBox(around: own)
            ?? BoundingBox(x0: columns.lowerBound, y0: rows.y0, x1: columns.upperBound, y1: rows.y1)
    }
}
