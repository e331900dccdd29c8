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
    /// The script of most of its letters as ISO 15924 has it, such as `Latn` or `Jpan`; `nil` where there are no letters.
    public var script: String?
    /// How sure each network is by itself; `nil` where that is not known.
    public var scores: Scores?

    /// How sure the networks are, each by itself.
    public struct Scores: Sendable, Hashable {
        /// That there is text, 0...1.
        public var detection: Float
        /// What it says, 0...1; `nil` where it was not read.
        public var recognition: Float?

        /// The scores of a line.
        public init(detection: Float, recognition: Float? = nil) {
            self.detection = detection
            self.recognition = recognition
        }
    }

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
        state: State? = nil,
        script: String? = nil,
        scores: Scores? = nil
    ) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.words = words
        self.candidates = candidates
        self.state = state
        self.script = script
        self.scores = scores
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
    /// A number that it keeps while it stays in view or is soon back, and that no other word of the stream gets; `nil` where
    /// frames are not compared.
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
