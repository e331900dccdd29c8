/// Line of text found in a frame.
public struct TextLine: Sendable, Hashable {
    /// Recognized text; empty where only boxes were requested.
    public var text: String
    /// Confidence of the text, 0...1.
    public var confidence: Float
    /// Bounding box, in pixels of the frame as sent.
    public var box: Quad
    /// Words of the line, in reading order.
    public var words: [TextWord]
    /// Candidate texts, the best first and equal to ``text``; empty unless more than one was requested.
    public var candidates: [TextCandidate]
    /// Relation to earlier frames of the stream; `nil` where frames are not compared.
    public var state: State?
    /// Script of most letters as an ISO 15924 code, such as `Latn` or `Jpan`; `nil` without letters.
    ///
    /// Of an unread line it is the script that kept it from being read.
    public var script: String?
    /// Reason why the line was not read, so that all its texts are empty; `nil` where it was, or only boxes were requested.
    public var reason: UnreadReason?
    /// Confidence of each network; `nil` where it is unknown.
    public var scores: Scores?
    /// Name of the region that the line is in; `nil` where the stream has no named regions.
    public var region: String?

    /// Confidence of each network.
    public struct Scores: Sendable, Hashable {
        /// Confidence that there is text, 0...1.
        public var detection: Float
        /// Confidence of the recognized text, 0...1; `nil` where it was not recognized.
        public var recognition: Float?

        /// Creates the scores of a line.
        public init(detection: Float, recognition: Float? = nil) {
            self.detection = detection
            self.recognition = recognition
        }
    }

    /// Reason why a line was not read.
    public enum UnreadReason: String, Sendable, CaseIterable {
        /// The models cannot read its script.
        case scriptUnavailable = "script_unavailable"
    }

    /// Relation of a line to earlier frames.
    public enum State: String, Sendable, CaseIterable {
        /// The line is in no earlier frame.
        case new
        /// The line was seen before, and its text is that of an earlier frame.
        case kept
        /// The line was seen before, and was read again in this frame.
        case read
    }

    /// Creates a line of `words`.
    public init(
        text: String,
        confidence: Float,
        box: Quad,
        words: [TextWord],
        candidates: [TextCandidate] = [],
        state: State? = nil,
        script: String? = nil,
        reason: UnreadReason? = nil,
        scores: Scores? = nil,
        region: String? = nil
    ) {
        self.text = text
        self.confidence = confidence
        self.box = box
        self.words = words
        self.candidates = candidates
        self.state = state
        self.script = script
        self.reason = reason
        self.scores = scores
        self.region = region
    }
}
