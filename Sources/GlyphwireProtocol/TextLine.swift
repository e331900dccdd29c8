/// One line of text that was found in a frame.
public struct TextLine: Sendable, Hashable {
    /// What it says; empty where only boxes were asked for.
    public var text: String
    /// How sure the reading is, 0...1.
    public var confidence: Float
    /// Where it is, in pixels of the frame as it was sent.
    public var box: Quad
    /// Its words, in reading order.
    public var words: [TextWord]
    /// Other readings of the line, the best first and equal to ``text``; empty unless more than one was asked for.
    public var candidates: [TextCandidate]

    /// A line of `words`.
    public init(text: String, confidence: Float, box: Quad, words: [TextWord], candidates: [TextCandidate] = []) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.words = words
        self.candidates = candidates
    }
}

/// One word of a line: what stands between two spaces.
public struct TextWord: Sendable, Hashable {
    /// What it says; empty where only boxes were asked for.
    public var text: String
    /// How sure the reading is, 0...1.
    public var confidence: Float
    /// Where it is, in pixels of the frame as it was sent.
    public var box: Quad
    /// Its characters, in reading order; empty where they were not asked for.
    public var characters: [TextCharacter]

    /// A word of `characters`.
    public init(text: String, confidence: Float, box: Quad, characters: [TextCharacter]) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.characters = characters
    }
}

/// One character of a word.
public struct TextCharacter: Sendable, Hashable {
    /// The character; empty where only boxes were asked for.
    public var text: String
    /// How sure the reading is, 0...1.
    public var confidence: Float
    /// The extent of its ink, in pixels of the frame as it was sent.
    public var box: Quad

    /// A character in a box.
    public init(text: String, confidence: Float, box: Quad) {
        self.text = text
        self.confidence = confidence
        self.box = box
    }
}

/// One of several readings of a line.
public struct TextCandidate: Sendable, Hashable {
    /// What the line says in this reading.
    public var text: String
    /// How sure the reading is, 0...1.
    public var confidence: Float

    /// A reading with its confidence.
    public init(text: String, confidence: Float) {
        self.text = text
        self.confidence = confidence
    }
}
