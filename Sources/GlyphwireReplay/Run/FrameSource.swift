internal import GlyphwireProtocol

/// Source of one connection's messages, with due times of frames, over all playbacks of the session.
struct FrameSource: Sendable {
    /// Message with its schedule.
    enum Item: Sendable {
        /// A frame with its number in the session and, if there is a schedule, its due time.
        case frame(Message, recordedSequence: UInt64, due: Duration?)
        /// Any other message.
        case other(Message)
    }

    private let passes: Int?
    private let makeFeed: @Sendable () -> SessionFeed
    private var feed: SessionFeed
    private var schedule: FrameSchedule?
    private var numbering = FrameNumbering()
    private var pass = 0
    private var hasFramesInPass = false
    /// Ending of the session, after its first playback.
    private(set) var ending: SessionReader.Ending?

    /// Creates a source at its start.
    ///
    /// - Parameters:
    ///   - passes: Number of playbacks; `nil` repeats for ever.
    ///   - schedule: Due times of frames; `nil` if each is sent when there is room for it.
    ///   - makeFeed: Creates a feed of the session.
    init(passes: Int?, schedule: FrameSchedule?, makeFeed: @escaping @Sendable () -> SessionFeed) {
        self.passes = passes
        self.makeFeed = makeFeed
        self.feed = makeFeed()
        self.schedule = schedule
    }

    /// Number of frames with an estimated due time.
    var guessedGaps: Int { self.schedule?.guessedGaps ?? 0 }

    /// Returns the next item; `nil` after the last.
    mutating func next() async throws -> Item? {
        while true {
            if let message = try await self.feed.next() {
                switch MessageType(rawValue: message.header.type) {
                case .frame: return self.frame(message)
                // The end message is skipped: the session may be repeated, and the stream ends after all frames.
                case .end: continue
                default: return .other(message)
                }
            }
            self.ending = self.feed.ending
            self.pass += 1
            guard self.hasFramesInPass, self.passes.map({ self.pass < $0 }) ?? true else { return nil }
            self.hasFramesInPass = false
            self.schedule?.startOver()
            self.numbering.startOver()
            self.feed = self.makeFeed()
        }
    }

    private mutating func frame(_ message: Message) -> Item {
        self.hasFramesInPass = true
        return .frame(
            Message(header: self.numbering.next(message.header), payload: message.payload),
            recordedSequence: message.header.sequence,
            due: self.schedule?.next(capturedMicroseconds: message.header.capturedMicroseconds)
        )
    }
}
