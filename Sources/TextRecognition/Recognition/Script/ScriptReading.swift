/// Reading of a line by a ``ScriptReader``, in logical order: as it is spoken and typed.
public struct ScriptReading: Sendable, Equatable {
    /// Character as its reader sees it: a grapheme cluster.
    public struct Character: Sendable, Equatable {
        /// The cluster, which may be several code points.
        public var text: String
        /// Confidence of the text, 0...1.
        public var confidence: Float
        /// Columns that it takes of the rectified line.
        public var columns: Range<Float>

        /// Creates a character.
        public init(text: String, confidence: Float, columns: Range<Float>) {
            self.text = text
            self.confidence = confidence
            self.columns = columns
        }
    }

    /// Characters that no space separates.
    public struct Word: Sendable, Equatable {
        /// The characters in logical order, at least one.
        public var characters: [Character]
        /// Confidence of the text, 0...1, as the reader states it.
        public var confidence: Float
        /// Whether the dictionary of the language has it; `false` without a dictionary.
        public var isInDictionary = false

        /// Creates a word.
        public init(characters: [Character], confidence: Float) {
            self.characters = characters
            self.confidence = confidence
        }

        /// Text of the characters.
        public var text: String { self.characters.map(\.text).joined() }
    }

    /// Words in logical order.
    public var words: [Word]

    /// Creates a reading.
    public init(words: [Word]) { self.words = words }

    /// Text of the words, with a space between two.
    public var text: String { self.words.map(\.text).joined(separator: " ") }

    /// Mean confidence of the characters' words; 0 without any.
    var confidence: Float {
        let count = self.words.reduce(0) { $0 + $1.characters.count }
        guard count > 0 else { return 0 }
        return self.words.reduce(0) { $0 + $1.confidence * Float($1.characters.count) } / Float(count)
    }
}
