internal import TextModel

/// Stages of a line after detection, for one thread at a time.
///
/// Rectify and orient (``LineOrienter``), recognize (``LineRecognizer``), reject or accept (``RecognitionCascade``),
/// then localize characters, split words and correct look-alikes (``LineAssembler``). A rejected line is returned after
/// its first reading and accepted later with the second one.
final class LineStages {
    private let orienter: LineOrienter
    /// Second stage of recognition; `nil` without a cascade.
    private let cascade: RecognitionCascade?
    private let assembler: LineAssembler
    let segmenter = LineSegmenter()
    /// Reader of scripts that the networks do not read; `nil` without one.
    let scriptLineReader: ScriptLineReader?
    /// Reader of letters with diacritics that the networks misread; `nil` without one.
    private let diacriticsReader: DiacriticsReader?
    private let images = LineImagePool()

    /// Minimum calibrated confidence of a reported line.
    ///
    /// If misses and false alarms have equal cost, the optimal threshold is half of the F-measure reached (Lipton,
    /// Elkan and Narayanaswamy, Optimal Thresholding of Classifiers to Maximize F1 Measure, 2014), which is 0.3 for
    /// streets and 0.45 for receipts.
    static let minConfidence: Float = 0.35
    /// Minimum detection score of a lone character whose confusables count with it.
    ///
    /// Of the lone characters that this adds on street scenes, web graphics and plates, those that score 0.7 or less are no
    /// text (accuracy log, *Lone look-alikes*). From 0.71, of four more in forms and web graphics two are none.
    private static let minLoneScore: Float = 0.8

    init(
        _ recognizer: LineRecognizer,
        cascade: RecognitionCascade?,
        calibration: Calibration,
        scriptReader: (any ScriptReader)?
    ) {
        self.orienter = LineOrienter(recognizer: recognizer)
        self.scriptLineReader = scriptReader.map { [images] in
            ScriptLineReader($0, recognizer: recognizer, images: images)
        }
        self.diacriticsReader = scriptReader.flatMap { [images] in DiacriticsReader($0, images: images) }
        self.cascade = cascade
        self.assembler = LineAssembler(calibration)
    }

    /// The cascade that rejected a reading.
    private var rejectingCascade: RecognitionCascade {
        guard let cascade = self.cascade else { preconditionFailure("a reading is rejected without a cascade") }
        return cascade
    }

    /// Reads lines of one shape and width, each in as many directions as it takes.
    ///
    /// - Parameters:
    ///   - lines: The lines; ``LineRecognizer/maxLines`` at most.
    ///   - context: The frame and the options.
    ///   - votes: The votes of the frame's earlier lines.
    /// - Returns: The outcome of each.
    /// - Throws: ``RecognitionError`` if inference fails.
    func read(
        _ lines: [DetectedLine],
        in context: LineContext,
        votes: DirectionVotes
    ) throws(RecognitionError) -> [LineOutcome] {
        try self.orienter.read(lines, in: context, votes: votes, images: self.images).map { oriented in
            defer { self.images.recycle(oriented.image) }
            guard let rejected = self.cascade?.rejection(of: oriented.source, context.options) else {
                return .accepted(self.accept(oriented, in: context, votes: votes))
            }
            return self.confirmed(rejected, oriented, in: context).map(LineOutcome.accepted) ?? .rejected(rejected)
        }
    }

    /// Accepts a rejected reading that confirms the text expected of the line; `nil` for any other.
    ///
    /// A text with digits is not confirmed so: they are what changes in a clock or a counter. Neither is one of which a client
    /// asks for candidates, which the second recognizer has to give.
    private func confirmed(_ rejected: RejectedReading, _ oriented: OrientedReading, in context: LineContext)
        -> AcceptedReading?
    {
        guard let expected = oriented.line.expectedText, !expected.contains(where: \.isNumber), !rejected.isRequired,
            !context.options.wantsCandidates, self.cascade?.canConfirm(oriented.reading) == true
        else { return nil }
        let accepted = self.accept(oriented, in: context)
        // The text that was reported has the letters of that reader.
        let read = self.withDiacritics(accepted, of: self.diacriticsLanguages(context.options), in: context)
        return read.line?.line.text == expected ? read : nil
    }

    /// Recognizes spans of lines, all of one width, with the second recognizer.
    ///
    /// - Parameters:
    ///   - quads: The spans, in sent pixels; ``LineRecognizer/maxLines`` at most.
    ///   - context: The frame and the options.
    /// - Returns: The reading of each span.
    /// - Throws: ``RecognitionError`` if inference fails.
    func recognizeAgain(_ quads: [Quad], in context: LineContext) throws(RecognitionError) -> [RecognizedLine] {
        let images = quads.map { _ in self.images.take() }
        defer { images.forEach(self.images.recycle) }
        return try self.rejectingCascade.recognizer.recognize(
            quads,
            in: context.frame.view,
            options: context.options,
            images: images
        )
    }

    /// Returns the rejected readings of lines that are read together within the budget; see ``RecognitionCascade``.
    func withinBudget(_ lines: [RejectedReading]) -> [RejectedReading] { self.rejectingCascade.withinBudget(lines) }

    /// Accepts a rejected line with the second readings of its spans, which replace the first ones whatever their confidence.
    func accept(_ rejected: RejectedReading, with readings: [RecognizedLine], in context: LineContext)
        -> AcceptedReading
    {
        var source = rejected.source
        source.reading = source.reading.replacing(rejected.spans, with: readings)
        return self.withRectified(source, in: context) { self.accept($0, in: context) }
    }

    /// Calls a closure with a reading whose rectified line is not at hand.
    func withRectified<Value>(
        _ source: DirectedReading,
        in context: LineContext,
        _ body: (OrientedReading) -> Value
    ) -> Value {
        let image = self.images.take()
        defer { self.images.recycle(image) }
        image.rectify(context.frame.view, map: source.reading.map, width: source.reading.width)
        return body(OrientedReading(source: source, image: image))
    }

    /// Returns the calibrated confidence that a line is text, whichever text it is.
    ///
    /// A lone 0 has no neighbours by which it differs from an O or an o, and a lone Ä none that show its language. Each
    /// may be improbable where it is certain that one of them is there. Rings and bars are often drawn, letters with
    /// accents are not.
    func textConfidence(of oriented: OrientedReading) -> Float {
        let reading = oriented.reading
        guard let first = reading.characters.first, reading.characters.count == 1 else {
            return self.assembler.calibration(reading.confidence)
        }
        return self.assembler.calibration(
            oriented.line.score >= Self.minLoneScore
                ? max(first.letterConfidence, first.jointConfidence) : first.letterConfidence
        )
    }

    /// Accepts a line before the frame's other lines are known: one in a suspected script as what the networks read, and undecided.
    private func accept(_ oriented: OrientedReading, in context: LineContext, votes: DirectionVotes? = nil)
        -> AcceptedReading
    {
        let reading = oriented.reading
        if let script = reading.certainUnavailableScript {
            return self.accept(oriented, inUnavailable: script, in: context, votes: votes)
        }
        guard self.textConfidence(of: oriented) >= Self.minConfidence else {
            // What is no text to the networks seldom is any, and to try costs time on pages of Latin print.
            let second = self.cascade?.recognizer.scripts?.readable ?? []
            guard let (source, script) = oriented.source.withProbableScript(among: votes, except: second) else {
                return oriented.accepted(as: nil, vote: nil)
            }
            return self.withRectified(source, in: context) {
                self.accept($0, inUnavailable: script, in: context, votes: votes)
            }
        }
        let vote = oriented.vote(of: OrientationCue.evidence(in: reading.text))
        let suspected = reading.suspectedUnavailableScript
        return oriented.accepted(
            as: self.assembler.line(of: oriented, in: context),
            vote: reading.confidence >= LineOrienter.minConfidence ? vote : nil,
            isScriptUndecided: suspected.flatMap { self.scriptLineReader?.canRead($0, context.options) } ?? false
        )
    }

    /// Returns the languages that the client names whose diacritics a reader reads.
    func diacriticsLanguages(_ options: ReadingOptions) -> [String] {
        self.diacriticsReader?.languages(named: options) ?? []
    }

    /// Returns an accepted line with its letters as the reader of diacritics reads them in some languages, unless it has them.
    func withDiacritics(
        _ accepted: AcceptedReading,
        of languages: [String],
        in context: LineContext
    ) -> AcceptedReading {
        guard !accepted.hasDiacritics, !languages.isEmpty, let line = accepted.line?.line,
            line.script == Script.latin.rawValue, line.reason == nil, let reader = self.diacriticsReader
        else { return accepted }
        var changed = accepted
        changed.hasDiacritics = true
        changed.line?.line = self.withRectified(accepted.source, in: context) {
            reader.line(line, of: $0, in: languages, context)
        }
        return changed
    }

    /// Splits a line that is too long for the recognizer's widest input; see ``LineSegmenter``.
    func sections(of line: DetectedLine, in frame: UprightFrame) -> [LineSection] {
        let image = self.images.take()
        defer { self.images.recycle(image) }
        return self.segmenter.sections(of: line, in: frame, image: image)
    }

    /// Segments a line into words and characters without recognizing it; see ``LineSegmenter``.
    func segment(_ line: DetectedLine, in context: LineContext) -> TextLine? {
        let image = self.images.take()
        defer { self.images.recycle(image) }
        return self.segmenter.segment(line, in: context, image: image)
    }
}
