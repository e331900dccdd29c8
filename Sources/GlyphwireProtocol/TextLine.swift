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
    /// What earlier frames of the stream had of it; `nil` where they were not looked at.
    public var state: State?

    /// What a line has in common with earlier frames.
    public enum State: String, Sendable, CaseIterable {
        /// No earlier frame showed it.
        case new
        /// It was there before, and what it says was read from an earlier frame.
        case kept
        /// It was there before, and was read again in this frame.
        case read
    }

    /// A line of `words`.
    public init(
        text: String,
        confidence: Float,
        box: Quad,
        words: [TextWord],
        candidates: [TextCandidate] = [],
        state: State? = nil
    ) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.words = words
        self.candidates = candidates
        self.state = state
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
    /// A number that it keeps while it stays in view, and that no other word of the stream gets; `nil` where frames are
    /// not compared.
    public var id: UInt64?

    /// A word of `characters`.
    public init(text: String, confidence: Float, box: Quad, characters: [TextCharacter], id: UInt64? = nil) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.characters = characters
        self.id = id
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
