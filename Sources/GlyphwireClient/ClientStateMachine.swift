internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// A frame that was handed to the socket.
struct SentFrame: Hashable {
    var sequence: UInt64
    var capturedMicroseconds: UInt64
    var sentAt: ContinuousClock.Instant
}

/// State machine of a stream of frames, over one connection or several in a row.
///
/// It keeps the frames without a result, and decides what a line or a lost connection leads to.
struct ClientStateMachine: ~Copyable {
    private enum Phase {
        /// No channel is open: the first is being made, or one was lost.
        case disconnected
        /// A channel is open, and the server has not said who it is.
        case greeting
        case open
        case ended
    }

    private let maxAttempts: Int
    private var phase = Phase.disconnected
    /// Whether the server has greeted once; before that a failure is final.
    private var wasOpen = false
    private var isFinishing = false
    /// Attempts to connect again since the last greeting.
    private var attempts = 0
    private var unanswered = CircularBuffer<SentFrame>()

    /// A machine that is connecting for the first time; without a policy it does so once.
    init(reconnect: ReconnectPolicy?) {
        self.maxAttempts = reconnect?.maxAttempts ?? 0
    }

    /// Whether messages may be written.
    var isOpen: Bool {
        if case .open = self.phase { true } else { false }
    }

    /// Whether everything is over.
    var hasEnded: Bool {
        if case .ended = self.phase { true } else { false }
    }

    /// Whether no message may follow those that wait already.
    var refusesMessages: Bool { self.isFinishing || self.hasEnded }

    /// A channel was opened.
    mutating func channelOpened() {
        self.phase = .greeting
    }

    /// The caller wants no more than what is still to come.
    mutating func finishAsked() {
        self.isFinishing = true
    }

    /// A frame was handed to the socket.
    mutating func frameWritten(_ frame: SentFrame) {
        self.unanswered.append(frame)
    }

    /// What follows from a line.
    enum LineAction {
        /// The server may be written to.
        case greet(Hello)
        /// The line is for the caller; it answers this frame, or none.
        case deliver(answering: SentFrame?)
        /// The line is for the caller, and the last one.
        case finish
        /// The line is for the caller, and then the connection is given up.
        case refuse(GlyphwireClientError)
        /// The connection is given up.
        case fail(GlyphwireClientError)
    }

    /// A line came in.
    mutating func lineReceived(_ line: ServerLine) -> LineAction {
        if case .error(let error) = line, error.isFatal { return .refuse(.refused(error.error)) }
        if case .greeting = self.phase { return self.greetingReceived(line) }
        if line.isAnswer { self.attempts = 0 }
        switch line {
        case .result(let result):
            guard let frame = self.unanswered.first, frame.sequence == result.sequence else {
                return .fail(self.unexpected(result))
            }
            self.unanswered.removeFirst()
            return .deliver(answering: frame)
        case .end where self.isFinishing && self.unanswered.isEmpty:
            self.phase = .ended
            return .finish
        default:
            return .deliver(answering: nil)
        }
    }

    private mutating func greetingReceived(_ line: ServerLine) -> LineAction {
        guard case .hello(let hello) = line else {
            return .fail(GlyphwireClientError(.notGlyphwire, "the server's first line is no greeting; check the port"))
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
        return .greet(hello)
    }

    private func unexpected(_ result: FrameResult) -> GlyphwireClientError {
        let expected = self.unanswered.first.map { "frame \($0.sequence) is next" } ?? "no frame waits for one"
        return GlyphwireClientError(
            .badLine,
            "the server sent a result for frame \(result.sequence), but \(expected); results come in the order of frames"
        )
    }

    /// What follows from a failure.
    enum FailureAction: Equatable {
        /// Pause, then make the attempt of this number.
        case reconnect(attempt: Int)
        /// Report the error to the caller, and end.
        case stop
    }

    /// The channel failed, or could not be opened.
    ///
    /// - Parameter error: Why.
    /// - Returns: The frames that will have no result, and what to do.
    mutating func failed(_ error: GlyphwireClientError) -> (lost: CircularBuffer<SentFrame>, action: FailureAction) {
        let lost = self.unanswered
        self.unanswered = CircularBuffer()
        guard self.wasOpen, !self.isFinishing, !error.isPermanent, self.attempts < self.maxAttempts else {
            self.phase = .ended
            return (lost, .stop)
        }
        self.phase = .disconnected
        self.attempts += 1
        return (lost, .reconnect(attempt: self.attempts))
    }

    /// The caller wants nothing more.
    mutating func closed() {
        self.phase = .ended
        self.unanswered = CircularBuffer()
    }
}

extension ServerLine {
    /// Whether the line answers a message, and so shows that the server has admitted the client.
    ///
    /// A greeting does not: `too_many_connections` may follow it.
    fileprivate var isAnswer: Bool {
        switch self {
        case .configured, .result, .pong, .stats, .end, .error: true
        default: false
        }
    }
}
