internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Frame that was written to the socket.
struct SentFrame: Hashable {
    var sequence: UInt64
    var capturedMicroseconds: UInt64
    var sentAt: ContinuousClock.Instant
}

/// State machine of a stream of frames over one or several successive connections.
///
/// It keeps the frames without a result, and decides on the actions after a line or a lost connection.
struct ClientStateMachine: ~Copyable {
    private enum Phase {
        /// No channel is open: the first is being opened, or one was lost.
        case disconnected
        /// A channel is open, and the server's `hello` has not arrived.
        case awaitingHello
        case open
        /// The server accepts no more messages, and closes after its last answers.
        case leaving
        case ended
    }

    /// Time without a first message after which a `ping` is due: servers wait for five seconds (Protocol.md's rule A9).
    private static let firstPingDelay = Duration.seconds(2)
    /// Unanswered frames for each that the server works on, so that the next ones are there in time (rule D4).
    private static let framesPerWindow = 2
    /// Frames of a camera that are unanswered at most: two keep network and server busy (rule D9).
    private static let cameraFrames = 2

    private let maxAttempts: Int
    private var phase = Phase.disconnected
    /// Whether a `hello` has arrived; before that a failure is final.
    private var wasOpen = false
    private var isFinishing = false
    /// Whether the `end` was written, behind which a loss is final.
    private var isEndWritten = false
    /// Whether the open channel has written a message.
    private var hasWritten = false
    /// Whether the first message on the open channel has to bring a token.
    private var needsToken = false
    /// Whether the server has yet to answer a token that was sent alone, before the options.
    private var awaitsAdmission = false
    /// Number of frames that the server works on at once; `nil` where newer frames supersede older ones.
    private var window: Int?
    /// Number of attempts to reconnect since the last answer.
    private var attempts = 0
    private var unanswered = CircularBuffer<SentFrame>()
    /// Number of frames that the server of the open channel has answered.
    private(set) var answeredFrames: UInt64 = 0

    /// Creates a machine for the first connection; without a policy there is no other.
    init(reconnect: ReconnectPolicy?) {
        self.maxAttempts = reconnect?.maxAttempts ?? 0
    }

    /// Whether messages may be written.
    var isOpen: Bool {
        if case .open = self.phase { true } else { false }
    }

    /// Whether the server of the open channel has sent its `hello`.
    var hasHello: Bool { self.isOpen || self.isLeaving }

    /// Whether the server has announced that it stops.
    var isLeaving: Bool {
        if case .leaving = self.phase { true } else { false }
    }

    /// Whether frames have no result yet.
    var isAwaitingResults: Bool { !self.unanswered.isEmpty }

    /// Whether the stream has ended.
    var hasEnded: Bool {
        if case .ended = self.phase { true } else { false }
    }

    /// Whether no further message is accepted.
    var refusesMessages: Bool { self.isFinishing || self.hasEnded }

    /// Whether a `ping` may be written where nothing else is.
    var mayPing: Bool { self.isOpen && !self.isFinishing && (self.hasWritten || !self.needsToken) }

    /// Time without a message after which a `ping` is due, at most `interval`.
    func pingDelay(within interval: Duration) -> Duration {
        self.hasWritten ? interval : min(interval, Self.firstPingDelay)
    }

    /// Whether a message may be written now.
    ///
    /// Of files few are under way at a time, and their end follows the last answer, so that little is lost with a
    /// server.
    func mayWrite(_ type: MessageType?) -> Bool {
        guard let window = self.window else { return self.isOpen }
        return switch type {
        case .frame?: self.isOpen && self.unanswered.count / Self.framesPerWindow < window
        case .end?: self.isOpen && self.unanswered.isEmpty
        default: self.isOpen
        }
    }

    /// Whether so few frames are unanswered that one of a camera may be sent.
    var isSendable: Bool { self.isOpen && self.unanswered.count < Self.cameraFrames }

    /// Handles an opened channel.
    mutating func channelOpened() {
        self.phase = .awaitingHello
    }

    /// Finishes the stream: no further messages, only outstanding results.
    mutating func finishRequested() {
        self.isFinishing = true
    }

    /// Takes a finish back whose message was not written.
    mutating func finishCancelled() {
        self.isFinishing = false
    }

    /// Records what is sent first to the server of a `hello`.
    mutating func willOpen(withTokenAlone isTokenAlone: Bool) {
        self.awaitsAdmission = isTokenAlone
    }

    /// Records a message written to the socket.
    mutating func messageWritten(_ type: MessageType?) {
        self.hasWritten = true
        if type == .end { self.isEndWritten = true }
    }

    /// Records a frame written to the socket.
    mutating func frameWritten(_ frame: SentFrame) {
        self.unanswered.append(frame)
    }

    /// Action after a line.
    enum LineAction {
        /// Start writing to the server.
        case helloReceived(Hello)
        /// Pass the line to the caller; it answers this frame, or none.
        case deliver(answering: SentFrame?)
        /// Pass the line to the caller as the last one.
        case finish
        /// Pass the line to the caller, then abandon the connection.
        case refuse(GlyphwireClientError)
        /// Abandon the connection.
        case fail(GlyphwireClientError)
    }

    /// Handles a received line.
    mutating func lineReceived(_ line: ServerLine) -> LineAction {
        if case .error(let error) = line, error.isFatal { return .refuse(.refused(error.error)) }
        if case .awaitingHello = self.phase { return self.firstLineReceived(line) }
        // The options that follow a token may still be refused, and decide on the window.
        if self.awaitsAdmission, line.answered != nil {
            self.awaitsAdmission = false
            return .deliver(answering: nil)
        }
        // An answer shows that the server has admitted the client. A hello does not: `too_many_connections` may follow
        // it. Nor does an error, which may refuse the options.
        if line.answered != nil { self.attempts = 0 }
        switch line {
        case .result(let result):
            guard let frame = self.unanswered.first, frame.sequence == result.sequence else {
                return .fail(self.unexpected(result))
            }
            self.unanswered.removeFirst()
            self.answeredFrames += 1
            return .deliver(answering: frame)
        case .configured(let configured):
            self.window = configured.window.map { max($0, 1) }
            return .deliver(answering: nil)
        case .end where self.isEndWritten && self.unanswered.isEmpty:
            self.phase = .ended
            return .finish
        case .goAway:
            self.phase = .leaving
            return .deliver(answering: nil)
        default:
            return .deliver(answering: nil)
        }
    }

    private mutating func firstLineReceived(_ line: ServerLine) -> LineAction {
        guard case .hello(let hello) = line else {
            return .fail(
                GlyphwireClientError(.notGlyphwire, "the server's first line is not a hello line; check the port")
            )
        }
        guard hello.protocolVersion == Hello.protocolVersion else {
            return .fail(
                GlyphwireClientError(
                    .unsupportedProtocol,
                    "the server speaks version \(hello.protocolVersion) of the protocol, this client "
                        + "\(Hello.protocolVersion); update the older of the two"
                )
            )
        }
        self.phase = .open
        self.wasOpen = true
        self.hasWritten = false
        self.answeredFrames = 0
        self.needsToken = hello.authentication == .token
        return .helloReceived(hello)
    }

    private func unexpected(_ result: FrameResult) -> GlyphwireClientError {
        let expected = self.unanswered.first.map { "frame \($0.sequence) is next" } ?? "no frame is outstanding"
        return GlyphwireClientError(
            .badLine,
            "the server sent a result for frame \(result.sequence), but \(expected); results come in the order of "
                + "frames"
        )
    }

    /// Action after a failure.
    enum FailureAction: Equatable {
        /// Pause, then make the attempt with this number.
        case reconnect(attempt: Int)
        /// Report the error to the caller, and end.
        case stop
    }

    /// Handles a channel that failed or could not be opened.
    ///
    /// - Parameter error: The reason.
    /// - Returns: The frames that will have no result, and the action.
    mutating func failed(_ error: GlyphwireClientError) -> (lost: CircularBuffer<SentFrame>, action: FailureAction) {
        let lost = self.unanswered
        self.unanswered = CircularBuffer()
        guard self.wasOpen, !self.isEndWritten, !error.isPermanent, self.attempts < self.maxAttempts else {
            self.phase = .ended
            return (lost, .stop)
        }
        self.phase = .disconnected
        self.attempts += 1
        return (lost, .reconnect(attempt: self.attempts))
    }

    /// Handles a close by the caller, or options that the server has rejected.
    ///
    /// - Returns: The frames that will have no result.
    mutating func closed() -> CircularBuffer<SentFrame> {
        self.phase = .ended
        defer { self.unanswered = CircularBuffer() }
        return self.unanswered
    }
}
