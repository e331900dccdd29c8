internal import TextModel

/// Reads the lines of frames, several at a time where others help.
struct LineReaders: Sendable {
    private let readers: ObjectPool<LineReader>
    /// What is read twice; `nil` where nothing is.
    private let doubt: RejectionPolicy?

    /// Readers of one level.
    ///
    /// - Parameters:
    ///   - recognizer: Reads every line.
    ///   - second: Reads again what is doubted; `nil` where nothing is read twice.
    ///   - calibration: What the confidence in a word means.
    init(
        _ recognizer: RecognizerModel,
        second: (model: RecognizerModel, doubt: RejectionPolicy)? = nil,
        calibration: Calibration = .identity
    ) {
        self.doubt = second?.doubt
        self.readers = ObjectPool {
            LineReader(
                LineRecognizer(recognizer, rejection: second?.doubt),
                second: second.map { RecognitionCascade(recognizer: LineRecognizer($0.model), policy: $0.doubt) },
                calibration: calibration
            )
        }
    }

    /// Reads lines.
    ///
    /// What is read does not depend on who helps: lines are read side by side once it is known which way such lines run, and
    /// their votes are counted behind them, in their order, those of lines in doubt last.
    ///
    /// - Parameters:
    ///   - lines: Where they are; neighbours of the same shape are read together.
    ///   - frame: The frame they are in.
    ///   - options: What the client wants to know.
    ///   - executor: Who else may read some of them.
    ///   - votes: Which way the frame's lines ran so far; counts these.
    /// - Returns: The lines with boxes in sent pixels, `nil` for those where nothing can be read.
    /// - Throws: ``RecognitionError`` when inference fails.
    func read(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        options: ReadingOptions,
        with executor: any ParallelExecutor,
        votes: inout DirectionVotes
    ) throws(RecognitionError) -> [TextLine?] {
        let sections = self.sections(of: lines, in: frame)
        let all = sections.joined().map(\.line)
        var outcomes: [LineReader.Outcome] = []
        while outcomes.count < all.count {
            let known = votes
            outcomes += try executor.map(Self.batches(all[outcomes.count...], votes)) {
                (batch) throws(RecognitionError) in
                try self.readers.withObject { (reader) throws(RecognitionError) in
                    try reader.read(batch, in: frame, options, known)
                }
            }.joined().map { outcome in
                outcome.count(in: &votes)
                return outcome
            }
        }
        try self.settle(&outcomes, in: frame, options, executor, &votes)
        return Self.joined(NumberFormat.applied(to: outcomes.map(\.line)), sections)
    }

    /// Finds the words and characters of lines by their ink, without reading them.
    ///
    /// - Parameters:
    ///   - lines: Where they are.
    ///   - frame: The frame they are in.
    ///   - options: What the client wants to know.
    ///   - executor: Who else may measure some of them.
    /// - Returns: The lines with boxes in sent pixels and empty texts, `nil` for those that have no ink.
    func measure(
        _ lines: [DetectedLine],
        in frame: UprightFrame,
        options: ReadingOptions,
        with executor: any ParallelExecutor
    ) -> [TextLine?] {
        let sections = self.sections(of: lines, in: frame)
        let measured = executor.map(sections.joined().map(\.line)) { line in
            self.readers.withObject { $0.measure(line, in: frame, options: options) }
        }
        return Self.joined(measured, sections)
    }

    /// Each line in the sections in which it is read.
    private func sections(of lines: [DetectedLine], in frame: UprightFrame) -> [[LineSection]] {
        lines.map { line in
            guard line.sectionCount > 1 else { return [LineSection(line: line, endsWord: true)] }
            return self.readers.withObject { $0.sections(of: line, in: frame) }
        }
    }

    /// What came of the sections of each line.
    private static func joined(_ read: [TextLine?], _ sections: [[LineSection]]) -> [TextLine?] {
        var rest = read[...]
        return sections.map { sections in
            defer { rest = rest.dropFirst(sections.count) }
            return TextLine(joining: Array(rest.prefix(sections.count)), endsWord: sections.map(\.endsWord))
        }
    }

    /// Has what is in doubt read again, as far as the frame's columns suffice.
    private func settle(
        _ outcomes: inout [LineReader.Outcome],
        in frame: UprightFrame,
        _ options: ReadingOptions,
        _ executor: any ParallelExecutor,
        _ votes: inout DirectionVotes
    ) throws(RecognitionError) {
        let rejected = outcomes.indices.filter { outcomes[$0].rejected != nil }
        let lines = self.limited(outcomes.compactMap(\.rejected))
        var readings = try self.readAgain(lines.flatMap(\.quads), in: frame, options, executor)[...]
        let pieces = lines.map { line in
            defer { readings = readings.dropFirst(line.parts.count) }
            return (line, Array(readings.prefix(line.parts.count)))
        }
        let settled = executor.map(pieces) { line, readings in
            self.readers.withObject { $0.settle(line, with: readings, in: frame, options) }
        }
        for (index, outcome) in zip(rejected, settled) {
            outcome.count(in: &votes)
            outcomes[index] = outcome
        }
    }

    /// Leaves at their first reading the lines for whose second one the columns do not suffice.
    private func limited(_ lines: [LineReader.DoubtfulLine]) -> [LineReader.DoubtfulLine] {
        var lines = lines
        let columns = lines.map { $0.quads.reduce(0) { $0 + LineRecognizer.inputWidth(of: $1) } }
        let gains = lines.indices.map { Float(lines[$0].rejectedWords) / Float(columns[$0]) }
        var left = self.doubt?.columns(ofRejected: columns.reduce(0, +)) ?? 0
        for index in lines.indices.sorted(by: { (gains[$0], $1) > (gains[$1], $0) }) {
            if columns[index] <= left { left -= columns[index] } else { lines[index].parts = [] }
        }
        return lines
    }

    /// Reads parts of lines once more, those of one width together; their readings in the order of `quads`.
    private func readAgain(
        _ quads: [Quad],
        in frame: UprightFrame,
        _ options: ReadingOptions,
        _ executor: any ParallelExecutor
    ) throws(RecognitionError) -> [RecognizedLine] {
        let widths = quads.map(LineRecognizer.inputWidth)
        let order = quads.indices.sorted { widths[$0] > widths[$1] }
        let readings = try executor.map(Self.batches(order) { widths[$0] }) { (batch) throws(RecognitionError) in
            try self.readers.withObject { (reader) throws(RecognitionError) in
                try reader.readAgain(batch.map { quads[$0] }, in: frame, options)
            }
        }
        return zip(order, readings.joined()).sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The first of some lines that can be read side by side, in batches that are best read together: one alone until it is
    /// known which way such lines run, then all that follow of the same shape.
    private static func batches(_ lines: ArraySlice<DetectedLine>, _ votes: DirectionVotes) -> [[DetectedLine]] {
        guard let shape = lines.first?.shape, votes.isDecided(for: shape) else { return [Array(lines.prefix(1))] }
        return Self.batches(lines.prefix { $0.shape == shape }) { LineRecognizer.inputWidth(of: $0.quad) }
    }

    /// Things in batches, each of neighbours of one width.
    private static func batches<Thing>(_ things: some Sequence<Thing>, width: (Thing) -> Int) -> [[Thing]] {
        things.reduce(into: []) { batches, thing in
            if let last = batches.last, last.count < LineRecognizer.mostLines, width(last[0]) == width(thing) {
                batches[batches.count - 1].append(thing)
            } else {
                batches.append([thing])
            }
        }
    }
}
