public import TextModel

/// The models of a process: says what can be asked of them and makes a reader for each worker.
public protocol ReadingEngine: Sendable {
    /// The levels that are loaded, `fast` first.
    var levels: [RecognitionLevel] { get }

    /// The codes of the languages that a level's models can read, in alphabetical order.
    func languages(of level: RecognitionLevel) -> [String]

    /// Whether a level's models can read `character`.
    func canRead(_ character: Character, at level: RecognitionLevel) -> Bool

    /// Makes the reader of one worker thread, with which `executor` take part in the work on a frame.
    func makeReader(executor: any ParallelExecutor) -> any TextReader
}

extension ReadingEngine {
    /// Makes a reader that nobody helps.
    public func makeReader() -> any TextReader { self.makeReader(executor: InlineExecutor()) }

    /// Checks that readers of this engine can honour `options`, so that a client hears of it once and not with each frame.
    ///
    /// - Parameter options: What a client asks for.
    /// - Throws: ``RecognitionError`` with ``RecognitionError/Code/levelUnavailable``, ``RecognitionError/Code/unsupportedLanguage`` or, for a word
    ///   that cannot be read, ``RecognitionError/Code/unreadableWord``.
    public func validate(_ options: ReadingOptions) throws(RecognitionError) {
        guard self.levels.contains(options.level) else {
            let offered = self.levels.map(\.rawValue).joined(separator: ", ")
            throw RecognitionError(
                .levelUnavailable,
                "This server runs without the level \"\(options.level.rawValue)\"; it offers: \(offered)."
            )
        }
        let known = self.languages(of: options.level)
        for code in options.languages where !known.contains(Language(code)?.code ?? "") {
            throw RecognitionError(
                .unsupportedLanguage,
                "The level \"\(options.level.rawValue)\" cannot read the language \"\(code)\"; it reads: "
                    + known.joined(separator: ", ") + "."
            )
        }
        for word in options.customWords {
            guard let character = word.first(where: { !self.canRead($0, at: options.level) }) else { continue }
            throw RecognitionError(
                .unreadableWord,
                "\"customWords\" holds \"\(word)\", but the level \"\(options.level.rawValue)\" cannot read "
                    + "\"\(character)\"; leave the word out"
            )
        }
    }
}
