internal import TextModel

/// Reader of lines in scripts that the networks do not read, with ink for the boxes, for one thread at a time.
final class ScriptLineReader {
    private enum Tuning {
        /// Evidence for a language, as ``CropReading/languageEvidence``, from which no other one of the script is tried.
        ///
        /// Higher ones take more time and gain no words (accuracy log, *Dictionaries of one script's languages*).
        static let sureLanguage: Float = 1.05
        /// What words that a language's dictionary has add to the confidence of a reading, if all are.
        ///
        /// Found on phrases in six languages (accuracy log, *Dictionaries of one script's languages*).
        static let dictionaryWeight: Float = 0.2
        /// Least length of a word that counts for its language: shorter ones are words of several (accuracy log, *Dictionaries
        /// of one script's languages*).
        static let minDictionaryWord = 3
        /// Most languages that are tried where none is expected; not measured.
        static let maxLanguages = 4
        /// Confidence of a reading from which no other crop of the line is tried.
        ///
        /// Words of lines of `bench/scripts`, clear and as a camera sees them, in the mean of eleven scripts: 0.726 with one crop;
        /// with three 0.761, 0.779 and 0.784 where they are tried below 0.9, 0.93 and 0.95, and 0.788 where they always are
        /// (accuracy log, *Scripts of a frame, and crops for Tesseract*).
        static let sureCrop: Float = 0.93
        /// Confidence of a reading in a script that is not the most probable one.
        ///
        /// Readers of the right script have 0.93 to 0.96 there (accuracy log, *Short, mixed and outlined lines in other scripts*).
        static let sureScript: Float = 0.9
        /// Confidence of a reading in a script that is suspected only, below which no other crop is tried.
        ///
        /// Of 252 such lines in 562 drawn pictures of other scripts, one is read below it, upside down; in forms in English, a third of
        /// the readers' time went into such crops (accuracy log, *Lines in Latin script that are tried in vain*).
        static let hopelessCrop: Float = 0.35
        /// The same for a certain script before the frame's other lines are known, and for one that they make improbable.
        ///
        /// Of 2,382 lines in other scripts that are read in the end, 67 are below it, and all three lines of forms in English that were
        /// taken for one (accuracy log, *Suspected scripts among the frame's other lines*).
        static let improbableCrop: Float = 0.6
        /// Margins of the other crops around the ink, as shares of its height.
        ///
        /// The text that Tesseract was trained on has some; no single one is best for all scripts (accuracy log, *Scripts of a frame,
        /// and crops for Tesseract*).
        static let cropMargins: [Float] = [0.15, 0.1]
        /// Margin of a detected line in which its ink is looked for, as a share of its height.
        ///
        /// The detector was trained on Latin and Han, and cuts off vowel signs above and below other scripts' letters (accuracy log,
        /// *Scripts of a frame, and crops for Tesseract*).
        static let inkMargin: Float = 0.25
        /// Share of a piece of ink in a character's columns from which it is that character's; chosen by eye.
        static let minInkShare: Float = 0.5
    }

    private let reader: any ScriptReader
    private let names: NameReader
    private let images: LineImagePool
    private var pixels = ScratchBuffer<UInt8>()
    private var segmenter = CharacterSegmenter()

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - reader: The reader of scripts.
    ///   - recognizer: The recognizer that reads names in Latin script.
    ///   - images: The pool of buffers for rectified lines.
    init(_ reader: any ScriptReader, recognizer: LineRecognizer, images: LineImagePool) {
        (self.reader, self.images) = (reader, images)
        self.names = NameReader(recognizer, images: images)
    }

    /// Calibration of the confidences of its words, fitted on lines of `bench/scripts` (accuracy log, *Tesseract for other scripts*).
    static let calibration = Calibration(slope: 1.4, offset: -1.75)

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - oriented: What the networks recognized of it, with the rectified line.
    ///   - unavailable: Its script.
    ///   - confidence: The confidence that a reading needs if a dictionary does not prove its script.
    ///   - context: The frame, the languages allowed, and whether characters are asked for.
    /// - Returns: The line with boxes in sent pixels, or that no language of the script can be read, or no reading counts.
    func read(
        _ oriented: OrientedReading,
        in unavailable: UnavailableScript,
        atLeast confidence: Float,
        _ context: LineContext
    ) -> ScriptLineReading {
        var isUndecided = false
        for script in unavailable.candidates {
            switch self.read(oriented, as: script, in: unavailable, atLeast: confidence, context) {
            case .line(let line): return .line(line)
            case .undecided: isUndecided = true
            case .nothing: break
            }
        }
        return isUndecided ? .undecided : .nothing
    }

    /// Reads a line as one of the scripts that it may have.
    private func read(
        _ oriented: OrientedReading,
        as script: Script,
        in unavailable: UnavailableScript,
        atLeast confidence: Float,
        _ context: LineContext
    ) -> ScriptLineReading {
        let languages = self.languages(of: script, context.options)
        guard !languages.isEmpty else { return .nothing }
        let minCropConfidence = Self.minCropConfidence(of: script, in: unavailable)
        let taken = (0...Tuning.cropMargins.count).map { _ in self.images.take() }
        defer { taken.forEach(self.images.recycle) }
        let best = self.best(
            of: LineCrop(oriented),
            in: languages,
            of: context.frame,
            others: minCropConfidence,
            images: taken
        )
        if unavailable.isUndecided, minCropConfidence.isFinite, best?.confidence ?? 0 < minCropConfidence {
            return .undecided
        }
        guard let best, Script.most(of: best.reading.text) == script,
            Self.isProven(script, by: best.reading, in: unavailable)
                || Self.calibration(best.confidence) >= confidence
                    && Self.counts(best.reading, as: script, in: unavailable),
            let line = self.line(of: best, in: script, oriented, context),
            line.confidence >= LineStages.minConfidence
        else { return .nothing }
        return .line(line)
    }

    /// Confidence of the line as it was detected below which no other crop is tried; more than any for none at all.
    private static func minCropConfidence(of script: Script, in unavailable: UnavailableScript) -> Float {
        guard !unavailable.isVague, script.rawValue == unavailable.code else { return .infinity }
        guard !unavailable.isImprobable, !unavailable.isUndecided else { return Tuning.improbableCrop }
        return unavailable.isCertain ? 0 : Tuning.hopelessCrop
    }

    /// Whether the machine has a language of a script, and the client allows it.
    func canRead(_ script: UnavailableScript, _ options: ReadingOptions) -> Bool {
        script.candidates.contains { !self.languages(of: $0, options).isEmpty }
    }

    /// Whether the words of a reading prove its script, whatever the networks read.
    private static func isProven(_ script: Script, by reading: ScriptReading, in unavailable: UnavailableScript) -> Bool
    {
        reading.isProof(of: script, isExpected: unavailable.prior != .none)
            || unavailable.isMixed && reading.hasProof(of: script)
    }

    /// Whether a reading that does not prove its script counts if it is more confident than the networks.
    private static func counts(_ reading: ScriptReading, as script: Script, in unavailable: UnavailableScript) -> Bool {
        guard !unavailable.isVague else { return false }
        let isFurther = unavailable.isFurther || script.rawValue != unavailable.code
        guard !isFurther || reading.confidence >= Tuning.sureScript else { return false }
        return unavailable.isCertain || !Homoglyphs.areAll(lettersOf: reading.text)
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
        return hinted.isEmpty ? Array(known.prefix(Tuning.maxLanguages)) : hinted
    }

    /// Reading of a crop in a language.
    private struct CropReading {
        var reading: ScriptReading
        let language: String
        let crop: LineCrop
        /// Whether its brightest tone alone was shown.
        let isToned: Bool

        var confidence: Float { self.reading.confidence }

        /// Returns what the networks read of the same line, in the columns of this crop.
        func letters(of line: RecognizedLine) -> [LocatedLetter] {
            line.spacedCharacters.map(\.character).map { letter in
                LocatedLetter(
                    text: line.alphabet.characters[letter.label],
                    confidence: letter.confidence,
                    centre: self.crop.column(of: line.map(letter.centre, Float(LineSize.height) / 2))
                )
            }
        }

        /// Evidence that the line is in the language: the confidence, and more where the dictionary has its words.
        ///
        /// A language reads others of its script with nearly the confidence of its own, but as words that do not exist.
        var languageEvidence: Float {
            let known = self.reading.words.filter {
                $0.isInDictionary && $0.characters.count >= Tuning.minDictionaryWord
            }
            let counts = [self.reading.words, known].map { $0.reduce(0) { $0 + $1.characters.count } }
            return self.confidence + Tuning.dictionaryWeight * Float(counts[1]) / Float(max(1, counts[0]))
        }
    }

    /// Most confident reading of a line of any crop, in the most evident of some languages.
    ///
    /// - Parameters:
    ///   - crop: The line as it was detected.
    ///   - languages: The languages that are tried; of further crops only the best one of the first.
    ///   - frame: The frame.
    ///   - others: The confidence from which other crops are tried, up to a sure one.
    ///   - images: Buffers for the surroundings of the line, and for the further crops, of which the reading keeps one.
    /// - Returns: The reading; `nil` if there is none.
    private func best(
        of crop: LineCrop,
        in languages: [String],
        of frame: UprightFrame,
        others: Float,
        images: [LineImage]
    ) -> CropReading? {
        var best = self.reading(of: crop, in: languages)
        let confidence = best?.confidence ?? 0
        guard confidence >= others, confidence < Tuning.sureCrop else { return best }
        let toned = self.reading(of: crop, in: languages, isToned: true)
        if let toned, toned.confidence > best?.confidence ?? 0 { best = toned }
        guard (best?.confidence ?? 0) < Tuning.sureCrop else { return best }
        let surroundings = crop.box.expanded(by: Tuning.inkMargin * Float(LineSize.height))
        let around = LineCrop(crop.map.quad(surroundings), in: frame, image: images[0])
        guard let ink = BoundingBox(around: self.segmenter.segment(around)) else { return best }
        for (margin, image) in zip(Tuning.cropMargins, images.dropFirst()) {
            let quad = around.map.quad(ink.expanded(by: margin * ink.height))
            // The ink of a dash is far longer than high.
            guard LineSize(quad).isWhole else { continue }
            let crop = LineCrop(quad, in: frame, image: image)
            let reading = self.reading(
                of: crop,
                in: best.map { [$0.language] } ?? languages,
                isToned: best?.isToned == true
            )
            if let reading, reading.confidence > best?.confidence ?? 0 { best = reading }
        }
        return best
    }

    /// Reading of a crop in that of some languages for which there is most evidence; `nil` also for the brightest tone of a crop
    /// that has none on a darker ground.
    private func reading(of crop: LineCrop, in languages: [String], isToned: Bool = false) -> CropReading? {
        let (width, height) = (crop.width, LineSize.height)
        self.pixels.reserve(width * height)
        for index in 0..<width * height {
            self.pixels.base[index] = UInt8(max(0, min(255, crop.image.base[index])))
        }
        let pixels = UnsafeMutableBufferPointer(start: self.pixels.base, count: width * height)
        if isToned {
            guard let tone = BrightestTone(of: UnsafeBufferPointer(pixels)) else { return nil }
            for index in pixels.indices { pixels[index] = tone.shade(of: pixels[index]) }
        }
        var best: CropReading?
        for language in languages where (best?.languageEvidence ?? 0) < Tuning.sureLanguage {
            let pixels = UnsafeBufferPointer(pixels)
            let reading = self.reader.read(pixels, width: width, height: height, language: language)
                .map { CropReading(reading: $0, language: language, crop: crop, isToned: isToned) }
            if let reading, reading.languageEvidence > best?.languageEvidence ?? 0 { best = reading }
        }
        return best
    }

    /// Line of the best reading, with the names that the networks read by themselves, or else in the line.
    private func line(
        of best: CropReading,
        in script: Script,
        _ oriented: OrientedReading,
        _ context: LineContext
    ) -> TextLine? {
        let map = best.crop.map
        let ink = self.segmenter.segment(best.crop)
        let reading = self.names.withNames(best.reading, of: best.crop, ink: ink, context)
            .withNames(of: best.letters(of: oriented.reading))
        let rows = BoundingBox(around: ink) ?? best.crop.box
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
                    characters: context.options.characters
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
            script: (Script.most(of: reading.text) ?? script).rawValue,
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
