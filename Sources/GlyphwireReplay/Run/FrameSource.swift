internal import GlyphwireProtocol

/// Source of one connection's messages in order, frames with their due times, as often as the session is played.
struct FrameSource: Sendable {
    /// A message, and what is known of it.
    enum Item: Sendable {
        /// A frame to send, with its number in the session and, given a schedule, its due time.
        case frame(Message, recordedSequence: UInt64, due: Duration?)
        /// Anything else.
        case other(Message)
    }

    private let passes: Int?
    private let makeFeed: @Sendable () -> SessionFeed
    private var feed: SessionFeed
    private var schedule: FrameSchedule?
    private var numbering = FrameNumbering()
    private var pass = 0
    private var hasFramesInPass = false
    /// How the session ends, once it was played to its end.
    private(set) var ending: SessionReader.Ending?

    /// A source at its start.
    ///
    /// - Parameters:
    ///   - passes: How often the session is played; `nil` goes on for ever.
    ///   - schedule: When frames are due; `nil` if each follows when there is room for it.
    ///   - makeFeed: Begins to hand out the session.
    init(passes: Int?, schedule: FrameSchedule?, makeFeed: @escaping @Sendable () -> SessionFeed) {
        self.passes = passes
        self.makeFeed = makeFeed
        self.feed = makeFeed()
        self.schedule = schedule
    }

    /// Frames with an estimated due time.
    var guessedGaps: Int { self.schedule?.guessedGaps ?? 0 }

    /// The next item, `nil` after the last.
    mutating func next() async throws -> Item? {
        while true {
            if let message = try await self.feed.next() {
                switch MessageType(rawValue: message.header.type) {
                case .frame: return self.frame(message)
                // A session that ends is played on, or ended when all is sent.
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
