internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// State machine of one connection: authentication, back-pressure, order of replies, and closing.
///
/// It performs no I/O: events are methods in the past tense, and actions are returned. Every answered message has a
/// slot in one queue of replies; a pending slot delays those behind it.
struct ConnectionStateMachine: ~Copyable {
    /// Parsed message.
    enum Request {
        /// A frame that a worker can read.
        case frame(FrameDescription)
        /// A frame that cannot be read, with its result.
        case badFrame(FrameResult)
        /// Options for the frames that follow, with the outcome of authentication.
        case configure(StreamConfiguration, Access = .notShown)
        /// Options that are rejected, with the error.
        case badConfiguration(WireError)
        /// A request for a `pong`, which gets its send time when it is written.
        case ping(Pong)
        /// A request for a `stats` line.
        case stats
        /// The last message.
        case end
        /// A message of an unknown type, with the error.
        case unknown(WireError)
    }

    /// Outcome of authentication.
    enum Access: Equatable {
        /// No token was sent, or none is required.
        case notShown
        /// The token is valid.
        case granted
        /// The token is unknown.
        case wrong
        /// The token is known, but has expired or reached its connection limit, or the address has guessed too often.
        case refused(WireError)
    }

    /// Action that a message requires, besides its reply.
    enum MessageAction: Equatable {
        /// No action.
        case none
        /// Have the frame read, and report with ``ConnectionStateMachine/frameFinished(_:ticket:)``.
        case read(FrameDescription, ticket: Int)
        /// Use these options for the frames after the message.
        case configure(StreamConfiguration)
        /// Answer after a delay with ``ConnectionStateMachine/refusalDue(_:ticket:)``.
        case refuseLater(ErrorLine, ticket: Int)
    }

    /// Line for the client: a ``Reply/line(_:)``, unless the writer has to complete it.
    enum Reply {
        /// The first line.
        case hello
        /// The answer to a frame, by a worker or because a newer frame superseded it.
        case frame(FinishedFrame)
        /// The answer to a ping, without its send time.
        case pong(Pong)
        /// The statistics, as they are when the line is written.
        case stats(sequence: UInt64)
        /// The notice that the server is stopping.
        case goAway
        // Indirect, since a line can be several times as large as the answer of a worker, which most replies are.
        /// Any other answer, which is complete.
        indirect case line(ServerLine)
    }

    /// Action on the output: what the handler does next with its socket.
    enum OutputAction {
        /// Write this line.
        case send(Reply)
        /// Close once all lines are written; no more will follow.
        case finish
    }

    private enum Phase {
        /// Only a `configure` with a valid token is accepted.
        case unauthenticated
        /// Messages are accepted.
        case open
        /// No more messages are accepted; accepted ones are answered.
        case ending
        /// The closing action was returned.
        case finished
    }

    private let maxFramesInFlight: Int
    private let maxUnansweredMessages: Int

    private var delivery: Delivery
    private var phase: Phase
    private var isInputClosed = false
    /// Pending replies in order; `nil` for a frame that a worker still has.
    private var replies = CircularBuffer<Reply?>(initialCapacity: 8)
    /// Ticket of the first of ``replies``.
    private var firstTicket = 0
    private var unansweredFrames = 0
    private var frames: UInt64 = 0
    /// Whether a `goaway` is due, ahead of the pending replies.
    private var isGoAwayDue = false
    /// Whether a drain has begun.
    private var isDraining = false
    /// Whether the line that ends the connection is among ``replies``, or was.
    private var hasLastLine = false

    /// Creates the state of a new connection, whose first reply is the `hello`.
    ///
    /// - Parameters:
    ///   - requiresToken: Whether the first message must contain a token.
    ///   - delivery: The delivery of frames until the client configures another.
    ///   - maxFramesInFlight: Maximum number of unanswered frames where every frame is read.
    ///   - maxUnansweredMessages: Maximum number of unanswered messages, frames included.
    init(requiresToken: Bool, delivery: Delivery, maxFramesInFlight: Int, maxUnansweredMessages: Int) {
        self.delivery = delivery
        self.maxFramesInFlight = maxFramesInFlight
        self.maxUnansweredMessages = maxUnansweredMessages
        self.phase = requiresToken ? .unauthenticated : .open
        self.replies.append(.hello)
    }

    /// Whether the client has yet to authenticate.
    var isUnauthenticated: Bool { self.phase == .unauthenticated }

    /// Whether the closing action was returned.
    var isFinished: Bool { self.phase == .finished }

    /// Whether messages are still accepted, now or once there is room.
    var takesMessages: Bool {
        switch self.phase {
        case .unauthenticated, .open: true
        case .ending, .finished: false
        }
    }

    /// Whether another message can be accepted now.
    var hasRoom: Bool {
        guard self.takesMessages, self.replies.count < self.maxUnansweredMessages else { return false }
        return self.delivery == .live || self.unansweredFrames < self.maxFramesInFlight
    }

    /// Whether frames are waiting for a worker, or for the replies before them.
    var hasUnansweredFrames: Bool { self.unansweredFrames > 0 }

    /// Whether replies are pending.
    var hasUnansweredMessages: Bool { !self.replies.isEmpty }

    /// Whether every frame is read, so that the client waits for room.
    var readsEveryFrame: Bool { self.delivery == .every }

    /// Whether to read from the socket: there is room for a message, and the input is open.
    var wantsInput: Bool { self.hasRoom && !self.isInputClosed }

    /// Accepts a whole message; there must be room for it.
    mutating func messageReceived(_ request: Request, sequence: UInt64) -> MessageAction {
        precondition(self.hasRoom, "a message was accepted beyond the limit")
        if self.phase == .unauthenticated { return self.firstMessageReceived(request, sequence: sequence) }
        switch request {
        case .frame(let description):
            self.frames += 1
            self.unansweredFrames += 1
            self.replies.append(nil)
            return .read(description, ticket: self.firstTicket + self.replies.count - 1)
        case .badFrame(let result):
            self.frames += 1
            self.unansweredFrames += 1
            self.answer(.result(result))
        case .configure(let configuration, let access):
            return self.configured(configuration, access, sequence: sequence)
        case .ping(let pong):
            self.replies.append(.pong(pong))
        case .stats:
            self.replies.append(.stats(sequence: sequence))
        case .end:
            self.answer(.end(EndLine(sequence: sequence, frames: self.frames)))
            self.phase = .ending
            self.hasLastLine = true
        case .badConfiguration(let error), .unknown(let error):
            self.answer(.error(ErrorLine(error: error, sequence: sequence)))
        }
        return .none
    }

    /// Handles bytes that cannot be framed.
    mutating func framingFailed(_ error: WireError) { self.refuse(error, sequence: nil) }

    /// Refuses the client, at the start or later.
    mutating func connectionRefused(_ error: WireError) {
        if self.takesMessages { self.refuse(error, sequence: nil) }
    }

    /// Handles the end of the input; whole messages may still be waiting for room.
    mutating func inputClosed() { self.isInputClosed = true }

    /// Handles the end of the received messages.
    mutating func messagesExhausted() {
        if self.isInputClosed, self.phase != .finished { self.phase = .ending }
    }

    /// Starts a drain: accepted messages are answered, no more are accepted.
    ///
    /// A client that has closed its side without an `end` is notified as well.
    mutating func drainStarted() {
        guard !self.isDraining, !self.hasLastLine, self.phase != .finished else { return }
        self.isDraining = true
        self.phase = .ending
        self.isGoAwayDue = true
    }

    /// Handles a client that does not read its lines: one error replaces the pending lines.
    mutating func linesStuck() {
        guard self.phase != .finished else { return }
        self.firstTicket += self.replies.count
        self.replies.removeAll()
        self.refuse(.slowReader, sequence: nil)
    }

    /// Sets the reply to a frame that was read or superseded.
    mutating func frameFinished(_ frame: FinishedFrame, ticket: Int) { self.replied(.frame(frame), ticket: ticket) }

    /// Sets the reply to a wrong token after its delay.
    mutating func refusalDue(_ line: ErrorLine, ticket: Int) { self.replied(.line(.error(line)), ticket: ticket) }

    private mutating func replied(_ reply: Reply, ticket: Int) {
        guard ticket >= self.firstTicket else { return }
        let index = self.replies.index(self.replies.startIndex, offsetBy: ticket - self.firstTicket)
        self.replies[index] = reply
    }

    /// The next action on the output, if there is one; each is returned once.
    mutating func nextOutputAction() -> OutputAction? {
        // Nothing precedes the `hello`, the first of all replies.
        if self.isGoAwayDue, self.firstTicket > 0 {
            self.isGoAwayDue = false
            return .send(.goAway)
        }
        guard let first = self.replies.first else {
            guard self.phase == .ending else { return nil }
            self.phase = .finished
            return .finish
        }
        guard let reply = first else { return nil }
        self.replies.removeFirst()
        self.firstTicket += 1
        switch reply {
        case .frame, .line(.result): self.unansweredFrames -= 1
        default: break
        }
        return .send(reply)
    }

    /// Handles the first message, which must contain the token; one with a rejected option may be sent again.
    private mutating func firstMessageReceived(_ request: Request, sequence: UInt64) -> MessageAction {
        switch request {
        case .configure(let configuration, let access) where access != .notShown:
            self.phase = .open
            return self.configured(configuration, access, sequence: sequence)
        case .badConfiguration(let error):
            self.answer(.error(ErrorLine(error: error, sequence: sequence)))
            return .none
        default: break
        }
        self.refuse(.missingToken, sequence: sequence)
        return .none
    }

    /// Handles a `configure` whose token, if any, was checked.
    private mutating func configured(
        _ configuration: StreamConfiguration,
        _ access: Access,
        sequence: UInt64
    ) -> MessageAction {
        switch access {
        case .notShown, .granted:
            return self.configure(configuration, sequence: sequence)
        case .refused(let error):
            self.refuse(error, sequence: sequence)
            return .none
        case .wrong:
            self.replies.append(nil)
            self.phase = .ending
            self.hasLastLine = true
            let line = ErrorLine(error: .wrongToken, sequence: sequence)
            return .refuseLater(line, ticket: self.firstTicket + self.replies.count - 1)
        }
    }

    private mutating func configure(_ configuration: StreamConfiguration, sequence: UInt64) -> MessageAction {
        self.delivery = configuration.delivery
        let window = self.delivery == .every ? self.maxFramesInFlight : nil
        let configured = Configured(sequence: sequence, options: configuration, window: window)
        self.answer(.configured(configured))
        return .configure(configured.options)
    }

    /// Adds the answer to a message, after those of the messages before it.
    private mutating func answer(_ line: ServerLine) { self.replies.append(.line(line)) }

    /// Reports an error, and accepts no more messages.
    private mutating func refuse(_ error: WireError, sequence: UInt64?) {
        self.answer(.error(ErrorLine(error: error, sequence: sequence)))
        self.phase = .ending
        self.hasLastLine = true
    }
}

extension WireError {
    /// Error of a client that sends anything else before its token.
    static let missingToken = WireError(
        .authRequired,
        "this server requires a token; send it in a configure message before anything else"
    )
    fileprivate static let slowReader = WireError(
        .slowReader,
        "the client did not read its lines in time; connect again, and read them while sending"
    )
    fileprivate static let wrongToken = WireError(
        .authFailed,
        "the token is not valid; ask the server's operator, connect again and send the right one"
    )
}
