internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// The rules of one connection: who is let in, how much it may have unanswered, in which order it is answered, how it ends.
///
/// Pure: events go in as calls in the past tense, and what is to be done comes out. Every message that asks for a line
/// has a place in one line of replies; a place whose reply is not known yet holds back those behind it.
struct ConnectionStateMachine: ~Copyable {
    /// A message, understood.
    enum Request {
        /// A frame that a worker can read.
        case frame(FrameDescription)
        /// A frame that cannot be read, and what it is told.
        case badFrame(FrameResult)
        /// Options for the frames that follow, and what became of the token among them.
        case configure(StreamConfiguration, Access = .notShown)
        /// Options that cannot be honoured, and what they are told.
        case badConfiguration(WireError)
        /// A request for a `pong`, whose time of sending is not known yet.
        case ping(Pong)
        /// A request for a `stats` line.
        case stats
        /// The last message.
        case end
        /// A message of no type that there is, and what it is told.
        case unknown(WireError)
    }

    /// What became of a token.
    enum Access: Equatable {
        /// There was none, or nobody asks for one.
        case notShown
        /// It lets its holder in.
        case granted
        /// It is wrong.
        case wrong
        /// It is right, but does not let its holder in.
        case refused(WireError)
    }

    /// What a message leads to, besides its reply.
    enum MessageAction: Equatable {
        /// Nothing.
        case none
        /// Have the frame read, and report with ``ConnectionStateMachine/frameFinished(_:ticket:)``.
        case read(FrameDescription, ticket: Int)
        /// Read the frames that follow in this way.
        case configure(StreamConfiguration)
        /// Answer after a while with ``ConnectionStateMachine/refusalDue(_:ticket:)``.
        case refuseLater(ErrorLine, ticket: Int)
    }

    /// A line for the client.
    enum Reply {
        /// The first line.
        case hello
        /// A frame that was answered by a worker, or for a newer one's sake.
        case frame(FinishedFrame)
        /// A frame that never reached a worker.
        case badFrame(FrameResult)
        /// The options now in force.
        case configured(Configured)
        /// The answer to a ping, but for the time it is sent.
        case pong(Pong)
        /// The statistics, as they are when the line is written.
        case stats(sequence: UInt64)
        /// A message that could not be honoured.
        case error(ErrorLine)
        /// That the server stops.
        case goAway
        /// The last line of a stream that was ended.
        case end(EndLine)
    }

    /// What is to be done next.
    enum Order {
        /// Write this line.
        case send(Reply)
        /// Nothing more will be written: close once all of it is out.
        case finish
    }

    private enum Phase {
        /// Only a configure message with the right token is taken.
        case unauthenticated
        /// Messages are taken.
        case open
        /// No message is taken any more; what was taken is answered.
        case ending
        /// The order to finish was given.
        case finished
    }

    private let window: Int
    private let maxUnansweredMessages: Int

    private var delivery: Delivery
    private var phase: Phase
    private var isInputClosed = false
    /// The replies to come, in order; `nil` for a frame that a worker still has.
    private var replies = CircularBuffer<Reply?>(initialCapacity: 8)
    /// The ticket of the first of ``replies``.
    private var firstTicket = 0
    private var unansweredFrames = 0
    private var frames: UInt64 = 0
    /// Whether the client is to be told that the server stops, ahead of the answers that it still gets.
    private var isGoAwayDue = false

    /// A connection that was just made and is to be greeted.
    ///
    /// - Parameters:
    ///   - requiresToken: Whether the first message must show a token.
    ///   - delivery: What becomes of frames until the client says otherwise.
    ///   - window: Frames that may be unanswered at a time where every one is read.
    ///   - maxUnansweredMessages: Messages, frames among them, that may be unanswered at a time.
    init(requiresToken: Bool, delivery: Delivery, window: Int, maxUnansweredMessages: Int) {
        self.delivery = delivery
        self.window = window
        self.maxUnansweredMessages = maxUnansweredMessages
        self.phase = requiresToken ? .unauthenticated : .open
        self.replies.append(.hello)
    }

    /// Whether the client has yet to show its token.
    var isUnauthenticated: Bool { self.phase == .unauthenticated }

    /// Whether the order to finish was given.
    var isFinished: Bool { self.phase == .finished }

    /// Whether messages are still taken, now or when there is room.
    var takesMessages: Bool {
        switch self.phase {
        case .unauthenticated, .open: true
        case .ending, .finished: false
        }
    }

    /// Whether another message can be taken now.
    var hasRoom: Bool {
        guard self.takesMessages, self.replies.count < self.maxUnansweredMessages else { return false }
        return self.delivery == .live || self.unansweredFrames < self.window
    }

    /// Whether frames wait for a worker, or for those before them.
    var hasUnansweredFrames: Bool { self.unansweredFrames > 0 }

    /// Whether lines are due.
    var hasUnansweredMessages: Bool { !self.replies.isEmpty }

    /// Whether every frame is to be read, and the client waits for room.
    var readsEveryFrame: Bool { self.delivery == .every }

    /// Whether bytes from the client are wanted: there is room for a message, and more can come.
    var wantsInput: Bool { self.hasRoom && !self.isInputClosed }

    /// A whole message came in while there was room for it.
    mutating func messageReceived(_ request: Request, sequence: UInt64) -> MessageAction {
        precondition(self.hasRoom, "a message was taken without room for it")
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
            self.replies.append(.badFrame(result))
        case .configure(let configuration, let access):
            return self.configured(configuration, access, sequence: sequence)
        case .ping(let pong):
            self.replies.append(.pong(pong))
        case .stats:
            self.replies.append(.stats(sequence: sequence))
        case .end:
            self.replies.append(.end(EndLine(sequence: sequence, frames: self.frames)))
            self.phase = .ending
        case .badConfiguration(let error), .unknown(let error):
            self.replies.append(.error(ErrorLine(error: error, sequence: sequence)))
        }
        return .none
    }

    /// What comes in cannot be taken apart any more, maybe because it is of another protocol.
    mutating func framingFailed(_ error: WireError, isForeignProtocol: Bool) {
        // Whoever is not let in yet is told to show a token, not how large a message may be.
        self.refuse(self.phase == .unauthenticated && !isForeignProtocol ? .missingToken : error, sequence: nil)
    }

    /// The client cannot be served, or has to go.
    mutating func connectionRefused(_ error: WireError) {
        if self.takesMessages { self.refuse(error, sequence: nil) }
    }

    /// The client sends no more bytes; whole messages may still be waiting for room.
    mutating func inputClosed() { self.isInputClosed = true }

    /// No whole message is left of what came in.
    mutating func messagesExhausted() {
        if self.isInputClosed, self.phase != .finished { self.phase = .ending }
    }

    /// The server stops: what was taken is answered, nothing more is taken.
    mutating func drainStarted() {
        guard self.takesMessages else { return }
        self.phase = .ending
        self.isGoAwayDue = true
    }

    /// The client does not take its lines: those to come are not written, but for one that says so.
    mutating func linesStuck() {
        guard self.phase != .finished else { return }
        self.firstTicket += self.replies.count
        self.replies.removeAll()
        self.refuse(.slowReader, sequence: nil)
    }

    /// A frame was answered: read by a worker, or dropped for a newer one.
    mutating func frameFinished(_ frame: FinishedFrame, ticket: Int) { self.replied(.frame(frame), ticket: ticket) }

    /// Whoever showed a wrong token has waited long enough for the answer.
    mutating func refusalDue(_ line: ErrorLine, ticket: Int) { self.replied(.error(line), ticket: ticket) }

    private mutating func replied(_ reply: Reply, ticket: Int) {
        guard ticket >= self.firstTicket else { return }
        let index = self.replies.index(self.replies.startIndex, offsetBy: ticket - self.firstTicket)
        self.replies[index] = reply
    }

    /// What is to be done next, if anything can be; each order is given once.
    mutating func nextOrder() -> Order? {
        // Nothing comes before the greeting, which is the first of all replies.
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
        case .frame, .badFrame: self.unansweredFrames -= 1
        default: break
        }
        return .send(reply)
    }

    /// The first message must show the token; whoever mistypes an option in it is told, and may try again.
    private mutating func firstMessageReceived(_ request: Request, sequence: UInt64) -> MessageAction {
        switch request {
        case .configure(let configuration, let access) where access != .notShown:
            self.phase = .open
            return self.configured(configuration, access, sequence: sequence)
        case .badConfiguration(let error):
            self.replies.append(.error(ErrorLine(error: error, sequence: sequence)))
            return .none
        default: break
        }
        self.refuse(.missingToken, sequence: sequence)
        return .none
    }

    /// A configure whose token, if it has one, was looked at.
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
            let line = ErrorLine(error: .wrongToken, sequence: sequence)
            return .refuseLater(line, ticket: self.firstTicket + self.replies.count - 1)
        }
    }

    private mutating func configure(_ configuration: StreamConfiguration, sequence: UInt64) -> MessageAction {
        self.delivery = configuration.delivery
        let window = self.delivery == .every ? self.window : nil
        let configured = Configured(sequence: sequence, options: configuration, window: window)
        self.replies.append(.configured(configured))
        return .configure(configured.options)
    }

    /// Says why nothing more is taken.
    private mutating func refuse(_ error: WireError, sequence: UInt64?) {
        self.replies.append(.error(ErrorLine(error: error, sequence: sequence)))
        self.phase = .ending
    }
}

extension WireError {
    fileprivate static let missingToken = WireError(
        .authRequired,
        "this server asks for a token; send it in a configure message before anything else"
    )
    fileprivate static let slowReader = WireError(
        .slowReader,
        "lines were left untaken for too long; read them while you send, and connect again"
    )
    fileprivate static let wrongToken = WireError(
        .authFailed,
        "the token is not this server's; ask whoever runs it, connect again and send the right one"
    )
}
