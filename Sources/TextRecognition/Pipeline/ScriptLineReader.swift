internal import TextModel

/// Reader of lines in scripts that the networks do not read, with ink for the boxes, for one thread at a time.
final class ScriptLineReader {
    private enum Tuning {
        /// Most languages that are tried where none is expected; not measured.
        static let maxLanguages = 4
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
        /// Share of a piece of ink in a character's columns from which it is that character's; chosen by eye.
        static let minInkShare: Float = 0.5
    }

    private let crops: CropReader
    private let names: NameReader
    private var segmenter = CharacterSegmenter()

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - reader: The reader of scripts.
    ///   - recognizer: The recognizer that reads names in Latin script.
    ///   - images: The pool of buffers for rectified lines.
    init(_ reader: any ScriptReader, recognizer: LineRecognizer, images: LineImagePool) {
        self.crops = CropReader(reader, images: images)
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
        return self.crops.withBestReading(
            of: LineCrop(oriented),
            in: languages,
            of: context.frame,
            others: minCropConfidence
        ) { best in
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
        let named = self.crops.languages(of: script, named: options.namedLanguages)
        guard options.languages.isEmpty, named.isEmpty else { return named }
        return Array(self.crops.languages(of: script).prefix(Tuning.maxLanguages))
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
