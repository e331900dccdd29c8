public import TextModel

/// Engine of a process: its models, their capabilities, and the readers of its workers.
public protocol ReadingEngine: Sendable {
    /// Loaded levels, `fast` first.
    var levels: [RecognitionLevel] { get }

    /// Language codes that a level supports, in alphabetical order.
    ///
    /// It is called on event loops, so it should have them ready.
    func languages(of level: RecognitionLevel) -> [String]

    /// Codes among them of languages that a reader beside the models supports, at each level.
    var furtherLanguages: [String] { get }

    /// Whether a level's models support `character`.
    func canRead(_ character: Character, at level: RecognitionLevel) -> Bool

    /// Creates the reader of one worker thread, with an `executor` for parallel work on a frame.
    func makeReader(executor: any ParallelExecutor) -> any TextReader
}

extension ReadingEngine {
    /// None, by default.
    public var furtherLanguages: [String] { [] }

    /// Creates a reader that works on its caller's thread only.
    public func makeReader() -> any TextReader { self.makeReader(executor: InlineExecutor()) }

    /// Checks once per configuration, not with each frame, that readers of this engine support `options`.
    ///
    /// - Parameter options: The reading options of a client.
    /// - Throws: ``RecognitionError`` with ``RecognitionError/Code/levelUnavailable``,
    ///   ``RecognitionError/Code/unsupportedLanguage`` or, for a custom word with unsupported characters,
    ///   ``RecognitionError/Code/unreadableWord``.
    public func validate(_ options: ReadingOptions) throws(RecognitionError) {
        guard self.levels.contains(options.level) else {
            let offered = self.levels.map(\.rawValue).joined(separator: ", ")
            throw RecognitionError(
                .levelUnavailable,
                "this server runs without the level \"\(options.level.rawValue)\"; send one that it has: \(offered)"
            )
        }
        if !options.languages.isEmpty { try self.validateLanguages(of: options) }
        for word in options.customWords {
            guard let character = word.first(where: { !self.canRead($0, at: options.level) }) else { continue }
            throw RecognitionError(
                .unreadableWord,
                "\"customWords\" holds \"\(word)\", but the level \"\(options.level.rawValue)\" cannot read "
                    + "\"\(character)\"; leave the word out"
            )
        }
    }

    private func validateLanguages(of options: ReadingOptions) throws(RecognitionError) {
        let known = self.languages(of: options.level)
        for code in options.languages where !known.contains(Language(code)?.code ?? "") {
            throw RecognitionError(
                .unsupportedLanguage,
                "the level \"\(options.level.rawValue)\" cannot read the language \"\(code)\"; send those that it reads: "
                    + known.joined(separator: ", ")
            )
        }
    }
}
