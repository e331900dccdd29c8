internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore
internal import NIOSSL

/// Stream of frames over one channel or, with a ``ReconnectPolicy``, several in succession.
///
/// Everything runs on the event loop; calls from tasks come through ``GlyphwireConnection``.
final class ClientStream {
    let queue: LineQueue
    let eventLoop: any EventLoop
    let configuration: GlyphwireConnection.Configuration
    let channel: ClientChannel
    let liveness: Liveness
    var machine: ClientStateMachine
    var sends = SendQueue()

    /// Last `hello` of the server.
    var hello: Hello?
    /// Whether the connection is complete: the server has accepted the options, if any.
    ///
    /// Frames are sent before, behind the options.
    var isReady = false
    /// Options to send first on each connection.
    private(set) var options: OpeningOptions
    /// Continuation that waits for the first `hello`.
    var connected: CheckedContinuation<Hello, any Error>?
    /// Error that ended the stream.
    var failure: GlyphwireClientError?
    /// Tasks that wait until a frame of a camera may be sent.
    var senders: [SendableWait] = []

    init(
        host: String,
        port: Int,
        configuration: GlyphwireConnection.Configuration,
        secured: NIOSSLContext?,
        queue: LineQueue,
        eventLoop: any EventLoop
    ) {
        self.queue = queue
        self.eventLoop = eventLoop
        self.configuration = configuration
        self.channel = ClientChannel(
            host: host,
            port: port,
            configuration: configuration,
            secured: secured,
            eventLoop: eventLoop
        )
        self.liveness = Liveness(configuration: configuration, eventLoop: eventLoop)
        self.machine = ClientStateMachine(reconnect: configuration.reconnect)
        self.options = OpeningOptions(configuration.stream)
    }

    func now() -> ContinuousClock.Instant { self.configuration.now() }

    var address: String { self.channel.address }
}

// MARK: Calls from tasks

extension ClientStream {
    func connect(ticket: WaitTicket, _ continuation: CheckedContinuation<Hello, any Error>) {
        if ticket.isCancelled {
            continuation.resume(throwing: CancellationError())
            return
        }
        self.connected = continuation
        self.channel.open(for: self)
    }

    /// Sends a frame under its own sequence number, or under the next one.
    func send(_ frame: Frame, ticket: WaitTicket, _ continuation: CheckedContinuation<Written, any Error>) {
        self.enqueue(
            PendingSend(message: self.sends.message(of: frame), ticket: ticket, waiter: .written(continuation))
        )
    }

    /// Sends a message and calls `complete` with the line that answers it.
    func request(
        _ message: Message,
        ticket: WaitTicket,
        _ complete: @escaping (Result<ServerLine, any Error>) -> Void
    ) {
        self.enqueue(PendingSend(message: self.sends.numbered(message), ticket: ticket, waiter: .answered(complete)))
    }

    func enqueue(_ send: PendingSend) {
        if send.ticket.isCancelled { return send.fail(CancellationError()) }
        if self.machine.refusesMessages { return send.fail(self.failure ?? .closed) }
        // The limit of the next connection is not known yet.
        if self.machine.isOpen, let error = self.sizeError(of: send.message) { return send.fail(error) }
        if send.type == .end {
            self.machine.finishRequested()
            self.queue.setLimited(false)
        }
        self.sends.append(send)
        self.flush()
    }

    /// Fails the message that waits with `ticket`, unless it was written to the socket already.
    func cancel(_ ticket: WaitTicket) {
        if let send = self.sends.removeUnwritten(ticket) {
            if send.type == .end {
                self.machine.finishCancelled()
                self.queue.setLimited(true)
            }
            send.fail(CancellationError())
            self.flush()
        } else {
            self.sends.removeRequest(ticket)?.fail(CancellationError())
        }
    }

    /// Keeps options that the server accepted, for later connections.
    func adopt(_ options: StreamConfiguration) {
        self.options.accepted(options)
    }

    /// Closes the connection at once.
    func close(_ reason: any Error = GlyphwireClientError.closed) {
        guard !self.machine.hasEnded else { return }
        _ = self.machine.closed()
        self.end(nil, reason: reason)
    }
}

// MARK: Writing

extension ClientStream {
    /// Whether nothing is read from the socket because lines are unread.
    var isPaused: Bool { self.isReady && self.queue.isPaused }

    private var isAwaitingAnswers: Bool { self.machine.isAwaitingResults || self.sends.isAwaitingAnswers }

    /// Writes waiting messages while the socket has room, and resumes the tasks that wait until a frame may be sent.
    func flush() {
        defer { self.resumeSenders() }
        guard self.machine.isOpen, let handler = self.channel.handler else { return }
        var hasWritten = false
        while handler.isWritable, let next = self.sends.first, self.mayWrite(next) {
            let send = self.sends.removeFirst()
            // The limit of this connection may be lower than that of the one for which the message was queued.
            if let error = self.sizeError(of: send.message) {
                send.fail(error)
                continue
            }
            self.write(send, to: handler)
            hasWritten = true
        }
        if hasWritten { handler.flush() }
    }

    /// Whether a message may be written; for answers it waits only while they are read.
    private func mayWrite(_ send: PendingSend) -> Bool {
        self.machine.mayWrite(send.type) || self.machine.isOpen && self.isPaused
    }

    /// The error of a message that is larger than the server accepts, or than a length field can say; `nil` for others.
    private func sizeError(of message: Message) -> GlyphwireClientError? {
        let size = MessageHeader.length(ofPayload: message.payload.readableBytes)
        let limit = min(self.hello?.limits.maxMessageBytes ?? .max, Int(UInt32.max))
        return size > limit ? .tooLarge(size, limit: limit, for: self.address) : nil
    }

    private func write(_ send: PendingSend, to handler: ClientHandler) {
        let header = send.message.header
        self.machine.messageWritten(send.type)
        self.putPingOff()
        if !self.isAwaitingAnswers { self.heard() }
        defer { self.watchSilence() }
        let now = self.now()
        if send.type == .frame {
            self.machine.frameWritten(
                SentFrame(
                    sequence: header.sequence,
                    capturedMicroseconds: header.capturedMicroseconds,
                    sentAt: now
                )
            )
        }
        handler.write(send.message)
        switch send.waiter {
        case .written(let continuation):
            continuation.resume(returning: Written(sequence: header.sequence, at: now))
        case .answered:
            self.sends.written(send)
        }
    }
}

// MARK: Without traffic

extension ClientStream {
    /// Handles bytes of the server, or a pause in which they could not be received.
    func heard() { self.liveness.heard() }

    /// Begins the time again after which a `ping` is due.
    func putPingOff() { self.liveness.putPingOff { self.machine.pingDelay(within: $0) } }

    /// Sends a `ping` where no message is on its way.
    func pingIdle() {
        guard self.machine.mayPing, self.sends.isEmpty, self.liveness.idlePing == nil else { return }
        let ping = self.sends.numbered(.ping(capturedMicroseconds: 0))
        self.liveness.idlePing = ping.header
        self.enqueue(
            PendingSend(message: ping, ticket: WaitTicket(), waiter: .answered { _ in self.liveness.idlePing = nil })
        )
    }

    /// Starts the check for a silent server while answers are due, or its close.
    func watchSilence() {
        self.liveness.watchSilence(while: { self.isAwaitingAnswers || self.machine.isLeaving }) {
            // While lines are not taken, none can arrive; while the socket takes a message, none answers it.
            if self.isPaused || self.channel.handler?.hasProgressed() == true { return }
            let isLeaving = self.machine.isLeaving
            self.fail(.silent(self.address, for: self.configuration.answerTimeout, isLeaving: isLeaving))
        }
    }
}
