internal import TextModel

/// Pipeline that reads detected lines in batches, several of them in parallel.
struct LinePipeline: Sendable {
    private let stages: ObjectPool<LineStages>
    /// Scripts that the first model reads, and those that the second one does.
    private let scripts: (first: Set<Script>, second: Set<Script>)

    /// Creates the pipeline of one level.
    ///
    /// - Parameters:
    ///   - recognizer: The model that reads every line.
    ///   - second: The second stage of the cascade; `nil` without a cascade.
    ///   - calibration: The calibration of word confidences.
    ///   - scriptReader: The reader of scripts that the models do not read; `nil` for none.
    init(
        _ recognizer: RecognizerModel,
        second: CascadeStage? = nil,
        calibration: Calibration = .identity,
        scriptReader: (any ScriptReader)? = nil
    ) {
        self.scripts = (recognizer.scripts?.readable ?? [], second?.recognizer.scripts?.readable ?? [])
        self.stages = ObjectPool {
            LineStages(
                LineRecognizer(recognizer, rejection: second?.policy),
                cascade: second.map {
                    RecognitionCascade(recognizer: LineRecognizer($0.recognizer), policy: $0.policy)
                },
                calibration: calibration,
                scriptReader: scriptReader
            )
        }
    }

    /// Reads lines.
    ///
    /// The result does not depend on the number of threads: lines are read in parallel once the direction of such lines
    /// is known, and their votes are counted afterwards in order, those of rejected lines last. The longest lines are read first:
    /// their direction is a prior for the short ones, and those of one width are read together.
    ///
    /// - Parameters:
    ///   - lines: The lines, in any order.
    ///   - context: The frame and the options.
    ///   - executor: The threads that read.
    ///   - votes: The votes of the frame's earlier lines, to which those of these lines are added.
    /// - Returns: The lines with boxes in sent pixels, `nil` for unreadable ones.
    /// - Throws: ``RecognitionError`` if inference fails.
    func read(
        _ lines: [DetectedLine],
        in context: LineContext,
        with executor: any ParallelExecutor,
        votes: inout LineVotes
    ) throws(RecognitionError) -> [TextLine?] {
        let order = lines.indices.sorted { (lines[$0].elongation, $1) > (lines[$1].elongation, $0) }
        let sections = self.sections(of: order.map { lines[$0] }, in: context.frame)
        let all = sections.joined().map(\.line)
        var outcomes: [LineOutcome] = []
        votes.directions.expect(lines)
        while outcomes.count < all.count {
            let known = votes.directions
            let batches = Self.batches(all[outcomes.count...], votes: known)
            let read = try executor.map(batches) { (batch) throws(RecognitionError) in
                try self.stages.withObject { (stages) throws(RecognitionError) in
                    try stages.read(batch, in: context, votes: known)
                }
            }.joined()
            read.compactMap(\.vote).forEach { votes.directions.count($0) }
            outcomes += read
        }
        try self.resolveRejections(in: &outcomes, context: context, executor: executor, votes: &votes.directions)
        self.decideScripts(in: &outcomes, context: context, executor: executor, votes: &votes)
        self.resolveScripts(in: &outcomes, context: context, executor: executor, votes: &votes)
        self.readDiacritics(in: &outcomes, context: context, executor: executor)
        let reported = Self.reported(outcomes, context.options)
        let joined = Self.joined(NumberFormat.applied(to: reported), sections)
        let read = Self.withoutDrawings(joined, among: outcomes, context.options)
        return zip(order, read).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Segments lines into words and characters without recognizing them.
    ///
    /// - Parameters:
    ///   - lines: The lines.
    ///   - context: The frame and the options.
    ///   - executor: The threads that segment.
    /// - Returns: The lines with boxes in sent pixels and empty texts, `nil` for those without foreground.
    func segment(
        _ lines: [DetectedLine],
        in context: LineContext,
        with executor: any ParallelExecutor
    ) -> [TextLine?] {
        let sections = self.sections(of: lines, in: context.frame)
        let segmented = executor.map(sections.joined().map(\.line)) { line in
            self.stages.withObject { $0.segment(line, in: context) }
        }
        return Self.joined(segmented, sections)
    }

    /// Lines without those that are omitted, as the client asks.
    private static func reported(_ outcomes: [LineOutcome], _ options: ReadingOptions) -> [AssembledLine?] {
        outcomes.map { outcome in
            guard let line = outcome.acceptance?.line else { return nil }
            return options.unreadable == .omit && line.line.reason == .scriptUnavailable ? nil : line
        }
    }

    /// Lines without those that are no text among the lines that were read with them.
    ///
    /// Not among those of a stream's past, which may have shown another scene.
    private static func withoutDrawings(
        _ lines: [TextLine?],
        among outcomes: [LineOutcome],
        _ options: ReadingOptions
    ) -> [TextLine?] {
        let scripts = ScriptVotes().counting(outcomes)
        return lines.map { line in line.flatMap { scripts.areAgainst($0.text, options) ? nil : $0 } }
    }

    /// Sections of each line.
    private func sections(of lines: [DetectedLine], in frame: UprightFrame) -> [[LineSection]] {
        lines.map { line in
            guard line.sectionCount > 1 else { return [LineSection(line: line, endsWord: true)] }
            return self.stages.withObject { $0.sections(of: line, in: frame) }
        }
    }

    /// Lines joined from their sections.
    private static func joined(_ read: [TextLine?], _ sections: [[LineSection]]) -> [TextLine?] {
        var rest = read[...]
        return sections.map { sections in
            defer { rest = rest.dropFirst(sections.count) }
            return TextLine(joining: zip(rest, sections).map { ReadSection(line: $0, endsWord: $1.endsWord) })
        }
    }
}

/// Second stage of the cascade.
extension LinePipeline {
    /// Recognizes rejected spans again within the budget of these lines, and accepts the lines.
    private func resolveRejections(
        in outcomes: inout [LineOutcome],
        context: LineContext,
        executor: any ParallelExecutor,
        votes: inout DirectionVotes
    ) throws(RecognitionError) {
        let indices = outcomes.indices.filter { outcomes[$0].rejection != nil }
        guard !indices.isEmpty else { return }
        let rejected = self.stages.withObject { $0.withinBudget(outcomes.compactMap(\.rejection)) }
        let quads = rejected.flatMap(\.quads)
        var readings = try self.recognizeAgain(quads, in: context, executor: executor)[...]
        let pairs = rejected.map { line in
            defer { readings = readings.dropFirst(line.spans.count) }
            return (line, Array(readings.prefix(line.spans.count)))
        }
        let accepted = executor.map(pairs) { line, readings in
            self.stages.withObject { $0.accept(line, with: readings, in: context) }
        }
        for (index, outcome) in zip(indices, accepted) {
            if let vote = outcome.vote { votes.count(vote) }
            outcomes[index] = .accepted(outcome)
        }
    }

    /// Recognizes spans of lines with the second model in batches of one width; readings in the order of `quads`.
    private func recognizeAgain(
        _ quads: [Quad],
        in context: LineContext,
        executor: any ParallelExecutor
    ) throws(RecognitionError) -> [RecognizedLine] {
        let widths = quads.map { LineSize($0).inputWidth }
        let order = quads.indices.sorted { widths[$0] > widths[$1] }
        let readings = try executor.map(Self.batches(order) { widths[$0] }) { (batch) throws(RecognitionError) in
            try self.stages.withObject { (stages) throws(RecognitionError) in
                try stages.recognizeAgain(batch.map { quads[$0] }, in: context)
            }
        }
        return zip(order, readings.joined()).sorted { $0.0 < $1.0 }.map(\.1)
    }
}

/// Scripts of lines among others.
extension LinePipeline {
    /// Votes for scripts that no model reads: those of the frame's lines, then those with the languages that the client names.
    private func priors(_ votes: LineVotes, _ options: ReadingOptions) -> [(ScriptPrior, LineVotes)] {
        var priors: [(ScriptPrior, LineVotes)] = [(.lines, votes)]
        if let scripts = votes.scripts.expecting(options) {
            priors.append((.languages, LineVotes(directions: votes.directions, scripts: scripts)))
        }
        return priors.filter { $0.1.scripts.haveOther(than: self.scripts.first.union(self.scripts.second)) }
    }

    /// Reading whose script votes change; see ``AcceptedReading/ambiguous(among:_:_:except:)``.
    private func ambiguous(
        _ reading: AcceptedReading,
        among priors: [(ScriptPrior, LineVotes)],
        _ options: ReadingOptions
    ) -> DirectedReading? {
        for (prior, votes) in priors {
            let changed = reading.ambiguous(among: votes, prior, options, except: self.scripts.second)
            if let changed { return changed }
        }
        return nil
    }

    /// Hands undecided lines to the readers of their scripts, as far as these are probable among the frame's other lines.
    ///
    /// By itself one line in 30 of print in Latin script is suspected of another one.
    private func decideScripts(
        in outcomes: inout [LineOutcome],
        context: LineContext,
        executor: any ParallelExecutor,
        votes: inout LineVotes
    ) {
        let undecided = outcomes.indices.compactMap { index in
            outcomes[index].acceptance.flatMap { $0.isScriptUndecided ? (index, $0) : nil }
        }
        guard !undecided.isEmpty else { return }
        let counted = votes.scripts.counting(outcomes)
        let (scripts, directions) = (counted.expecting(context.options) ?? counted, votes.directions)
        let decided = executor.map(undecided) { _, first in
            first.decided(among: scripts).flatMap { source in
                self.stages.withObject { $0.acceptDecided(source, in: context, votes: directions) }
            }
        }
        for ((index, first), decided) in zip(undecided, decided) {
            let accepted = decided ?? first.withoutScriptReading
            if first.vote == nil, let vote = accepted.vote { votes.directions.count(vote) }
            outcomes[index] = .accepted(accepted)
        }
    }

    /// Reads lines again that have another script among the frame's other lines than by themselves.
    ///
    /// A line that is read so has no vote in later frames: it is no evidence of its own for either script.
    private func resolveScripts(
        in outcomes: inout [LineOutcome],
        context: LineContext,
        executor: any ParallelExecutor,
        votes: inout LineVotes
    ) {
        var scriptVotes = outcomes.map { $0.acceptance?.scriptVote }
        defer { scriptVotes.compactMap(\.self).forEach { votes.scripts.count($0) } }
        var all = votes
        all.scripts = all.scripts.counting(outcomes)
        let priors = self.priors(all, context.options)
        guard !priors.isEmpty else { return }
        let ambiguous = outcomes.indices.compactMap { index in
            outcomes[index].acceptance
                .flatMap { self.ambiguous($0, among: priors, context.options) }
                .map { (index, $0) }
        }
        let accepted = executor.map(ambiguous) { _, source in
            self.stages.withObject { $0.acceptDecided(source, in: context, votes: nil) }
        }
        for ((index, _), accepted) in zip(ambiguous, accepted) {
            guard let first = outcomes[index].acceptance, let accepted, accepted.prevails(over: first) else { continue }
            if outcomes[index].vote == nil, let vote = accepted.vote { votes.directions.count(vote) }
            outcomes[index] = .accepted(accepted)
            scriptVotes[index] = nil
        }
    }
}

/// Languages in Latin script whose letters the models misread.
extension LinePipeline {
    /// Reads the letters of accepted lines by the reader of the languages that the client names.
    private func readDiacritics(
        in outcomes: inout [LineOutcome],
        context: LineContext,
        executor: any ParallelExecutor
    ) {
        let languages = self.stages.withObject { $0.diacriticsLanguages(context.options) }
        guard !languages.isEmpty else { return }
        outcomes = executor.map(outcomes) { outcome in
            guard let accepted = outcome.acceptance else { return outcome }
            return self.stages.withObject { .accepted($0.withDiacritics(accepted, of: languages, in: context)) }
        }
    }
}

extension ScriptVotes {
    /// Returns the votes with those of accepted lines.
    fileprivate func counting(_ outcomes: [LineOutcome]) -> ScriptVotes {
        outcomes.compactMap { $0.acceptance?.scriptVote }.reduce(into: self) { $0.count($1) }
    }
}

/// Batches of lines that are recognized in one inference.
extension LinePipeline {
    /// The first lines that can be read in parallel, in batches.
    ///
    /// It is a single line until the direction of such lines is known, then all that follow of the same shape.
    private static func batches(_ lines: ArraySlice<DetectedLine>, votes: DirectionVotes) -> [[DetectedLine]] {
        guard let shape = lines.first?.shape, votes.isDecided(for: shape) else { return [Array(lines.prefix(1))] }
        return Self.batches(lines.prefix { $0.shape == shape }) { LineSize($0.quad).inputWidth }
    }

    /// Batches of elements, each of neighbours of one width.
    private static func batches<Element>(_ elements: some Sequence<Element>, width: (Element) -> Int) -> [[Element]] {
        elements.reduce(into: []) { batches, element in
            if let last = batches.last, last.count < LineRecognizer.maxLines, width(last[0]) == width(element) {
                batches[batches.count - 1].append(element)
            } else {
                batches.append([element])
            }
        }
    }
}
