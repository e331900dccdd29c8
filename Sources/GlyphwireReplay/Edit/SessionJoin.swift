internal import GlyphwireProtocol
internal import TextModel

/// Concatenation of several sessions' messages into one session.
struct SessionJoin {
    /// Assumed duration of a frame where no other is known: 30 frames per second.
    private static let usualGap: UInt64 = 33_333

    private var frames: UInt64 = 0
    /// Time of the last frame in the new session, and its distance from the one before.
    private var lastTime: UInt64 = 0
    private var lastGap = Self.usualGap
    /// Offset of this session's times; `nil` before its first frame with a time.
    private var shift: UInt64?
    private var hasOptions = false
    private var isFresh = false

    /// Starts the next session.
    mutating func sessionBegins() {
        self.shift = nil
        self.isFresh = true
    }

    /// Messages to write for one message: itself, renumbered if it is a frame, after any it needs before it.
    mutating func messages(for message: Message) -> [Message] {
        switch MessageType(rawValue: message.header.type) {
        case .end:
            return []
        case .configure:
            (self.hasOptions, self.isFresh) = (true, false)
            return [message]
        case .frame:
            let defaults = self.isFresh && self.hasOptions ? [Self.defaults] : []
            self.isFresh = false
            return defaults + [self.renumbered(message)]
        default:
            return [message]
        }
    }

    /// Message that sets every option to its default.
    private static let defaults = Message(header: MessageHeader(type: .configure, payloadByteCount: 0))

    private mutating func renumbered(_ message: Message) -> Message {
        var message = message
        self.frames += 1
        message.header.sequence = self.frames
        let recorded = message.header.capturedMicroseconds
        guard recorded > 0 else { return message }
        if self.shift == nil { self.shift = self.lastTime == 0 ? 0 : self.lastTime &+ self.lastGap &- recorded }
        let time = recorded &+ (self.shift ?? 0)
        if self.lastTime > 0, time > self.lastTime { self.lastGap = time - self.lastTime }
        self.lastTime = time
        message.header.capturedMicroseconds = time
        return message
    }
}
