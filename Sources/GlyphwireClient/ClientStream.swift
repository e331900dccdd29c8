internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Stream of frames over one channel or, with a ``ReconnectPolicy``, several in succession.
///
/// Everything runs on the event loop; calls from tasks come through ``GlyphwireConnection``.
final class ClientStream {
    let queue: LineQueue
    private let eventLoop: any EventLoop
    private let host: String
    private let port: Int
    private let configuration: GlyphwireConnection.Configuration
    /// TLS context of the channels; `nil` for plain TCP.
    private let secured: NIOSSLContext?
    private var machine: ClientStateMachine

    /// Handler of the open channel.
    private var handler: ClientHandler?
    /// Number of the current channel, by which late events of abandoned ones are ignored.
    private var channelNumber = 0
    private var hello: Hello?
    /// Whether the connection is complete: the server has accepted the options, if any.
    ///
    /// Frames are sent before, behind the options.
    private(set) var isReady = false
    /// Last configured options, to be sent again on another connection.
    private var options: StreamConfiguration?
    /// Timeout of the server's `hello`.
    private var deadline: Scheduled<Void>?
    /// Timer of a server that is silent while answers, or its close, are due.
    private let silence: InactivityTimer
    /// Timer of a connection without messages, on which a `ping` is due; `nil` if none is sent.
    private let idleness: InactivityTimer?
    /// Header of the unanswered `ping` of an idle connection.
    private var idlePing: MessageHeader?
    /// Continuation that waits for the first `hello`.
    private var connected: CheckedContinuation<Hello, any Error>?
    /// Messages for which the socket has no room yet.
    private var sends = CircularBuffer<PendingSend>()
    private var requests = RequestTable()
    /// Sequence number of the last frame.
    private var lastSequence: UInt64 = 0
    /// Error that ended the stream.
    private(set) var failure: GlyphwireClientError?

    init(
        host: String,
        port: Int,
        configuration: GlyphwireConnection.Configuration,
        secured: NIOSSLContext?,
        queue: LineQueue,
        eventLoop: any EventLoop
    ) {
        self.host = host
        self.port = port
        self.configuration = configuration
        self.secured = secured
        self.queue = queue
        self.eventLoop = eventLoop
        self.silence = InactivityTimer(limit: configuration.answerTimeout, eventLoop: eventLoop)
        self.idleness = configuration.pingInterval.map { InactivityTimer(limit: $0, eventLoop: eventLoop) }
        self.machine = ClientStateMachine(reconnect: configuration.reconnect)
        self.options = configuration.stream
    }

    func now() -> ContinuousClock.Instant { self.configuration.now() }

    private var address: String { "\(self.host):\(self.port)" }
}

// MARK: Calls from tasks

extension ClientStream {
    func connect(ticket: WaitTicket, _ continuation: CheckedContinuation<Hello, any Error>) {
        if ticket.isCancelled {
            continuation.resume(throwing: CancellationError())
            return
        }
        self.connected = continuation
        self.openChannel()
    }

    /// Sends a frame under its own sequence number, or under the next one.
    func send(_ frame: Frame, ticket: WaitTicket, _ continuation: CheckedContinuation<Written, any Error>) {
        let sequence = frame.sequence ?? self.lastSequence &+ 1
        self.lastSequence = sequence
        self.enqueue(
            PendingSend(message: frame.message(sequence: sequence), ticket: ticket, waiter: .written(continuation))
        )
    }

    /// Sends a message and calls `complete` with the line that answers it.
    func request(
        _ message: Message,
        ticket: WaitTicket,
        _ complete: @escaping (Result<ServerLine, any Error>) -> Void
    ) {
        self.enqueue(PendingSend(message: self.requests.numbered(message), ticket: ticket, waiter: .answered(complete)))
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
        if let index = self.sends.firstIndex(where: { $0.ticket === ticket }) {
            let send = self.sends.remove(at: index)
            if send.type == .end {
                self.machine.finishCancelled()
                self.queue.setLimited(true)
            }
            send.fail(CancellationError())
            self.flush()
        } else {
            self.requests.remove(ticket)?.fail(CancellationError())
        }
    }

    /// Keeps options that the server accepted, for later connections.
    func adopt(_ options: StreamConfiguration) {
        self.options = options
    }

    /// Closes the connection at once.
    func close(_ reason: any Error = GlyphwireClientError.closed) {
        guard !self.machine.hasEnded else { return }
        _ = self.machine.closed()
        self.end(nil, reason: reason)
    }
}

// MARK: Channel events

extension ClientStream {
    func opened(_ handler: ClientHandler, number: Int) {
        guard number == self.channelNumber, self.handler == nil else { return handler.close() }
        self.handler = handler
        self.machine.channelOpened()
    }

    func received(_ bytes: ByteBuffer, at now: ContinuousClock.Instant) {
        let line: ServerLine
        do throws(JSONError) {
            line = try ServerLine(json: bytes)
        } catch {
            return self.fail(.unreadable(bytes, error, from: self.address, isFirst: !self.machine.hasHello))
        }
        let action = self.machine.lineReceived(line)
        var received = ReceivedLine(line: line, bytes: bytes, receivedAt: now, sentAt: nil)
        switch action {
        case .helloReceived(let hello):
            self.queue.push(received, isTaken: true)
            self.helloReceived(hello)
        case .deliver(let frame):
            received.sentAt = frame?.sentAt
            let request = frame == nil ? self.requests.remove(answeredBy: line) : nil
            if !self.isIdlePong(line) { self.queue.push(received, isTaken: request != nil) }
            request?.complete(with: line)
            self.watchSilence(after: line)
            self.flush()
        case .finish:
            self.queue.push(received)
            self.requests.remove(answeredBy: line)?.complete(with: line)
            self.end(nil, reason: GlyphwireClientError.closed)
        case .refuse(let error):
            self.queue.push(received)
            self.fail(error)
        case .fail(let error):
            self.fail(error)
        }
    }

    /// Handles bytes of the server, or a pause in which they could not be received.
    func heard() { self.silence.touch() }

    /// Handles a channel that was closed from outside.
    func lost(_ error: (any Error)?) {
        if let error, error.isHandshakeFailure, !self.machine.hasHello {
            return self.fail(.notSecured(self.address, error))
        }
        self.fail(.lost(self.address, error, isLeaving: self.machine.isLeaving))
    }

    /// Abandons the channel, and the stream unless it may reconnect.
    func fail(_ error: GlyphwireClientError) {
        guard !self.machine.hasEnded else { return }
        let (lost, action) = self.machine.failed(error)
        let wasReady = self.isReady
        self.closeChannel()
        let now = self.now()
        for frame in lost { self.queue.push(.lost(frame, at: now)) }
        switch action {
        case .stop:
            self.failure = error
            self.end(error, reason: error)
        case .reconnect(let attempt):
            if wasReady {
                self.configuration.connectionChanged?(.lost(error))
            } else if error.code == .refused {
                self.configuration.connectionChanged?(.refused(error))
            }
            self.failRequests(error)
            guard let policy = self.configuration.reconnect else { return }
            let delay = max(policy.delay(before: attempt), error.minimumPause)
            self.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
                if !self.machine.hasEnded { self.openChannel() }
            }
        }
    }

    /// Writes waiting messages while the socket has room.
    func flush() {
        guard self.machine.isOpen, let handler = self.handler else { return }
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
}

// MARK: Implementation

extension ClientStream {
    /// Whether a message may be written; for answers it waits only while they are read.
    private func mayWrite(_ send: PendingSend) -> Bool {
        self.machine.mayWrite(send.type) || self.machine.isOpen && self.isPaused
    }

    /// Whether nothing is read from the socket because lines are unread.
    private var isPaused: Bool { self.isReady && self.queue.isPaused }

    private func openChannel() {
        let stream = NIOLoopBound(self, eventLoop: self.eventLoop)
        let timeout = TimeAmount(self.configuration.connectTimeout)
        let maxLineBytes = self.configuration.maxLineBytes
        let number = self.channelNumber
        let (secured, serverName) = (self.secured, self.serverName)
        self.deadline = self.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.fail(.noHello(from: self.address, within: self.configuration.connectTimeout))
        }
        ClientBootstrap(group: self.eventLoop)
            // The deadline above fires first, with a better message.
            .connectTimeout(timeout + .seconds(1))
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ClientHandler(stream: stream.value, number: number, maxLineBytes: maxLineBytes)
                    if let secured {
                        let tls = try NIOSSLClientHandler(context: secured, serverHostname: serverName)
                        try channel.pipeline.syncOperations.addHandler(tls)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: self.host, port: self.port)
            .whenFailure { stream.value.cannotConnect($0, number: number) }
    }

    /// Host name that the server's certificate must match; an address is compared with the connection's.
    private var serverName: String? {
        (try? SocketAddress(ipAddress: self.host, port: self.port)) == nil ? self.host : nil
    }

    private func cannotConnect(_ error: any Error, number: Int) {
        guard number == self.channelNumber else { return }
        self.fail(.cannotConnect(to: self.address, error))
    }

    private func helloReceived(_ hello: Hello) {
        self.hello = hello
        self.deadline?.cancel()
        self.deadline = nil
        guard let options = self.options else {
            self.connectionCompleted(.success(hello))
            return
        }
        let configure = PendingSend(
            message: self.requests.numbered(.configure(options)),
            ticket: WaitTicket(),
            waiter: .answered { result in
                self.connectionCompleted(result.map { _ in hello })
            }
        )
        self.sends.prepend(configure)
        self.flush()
    }

    /// Completes the connection once the server has accepted or rejected the options, if any.
    private func connectionCompleted(_ result: Result<Hello, any Error>) {
        switch result {
        case .success(let hello):
            self.isReady = true
            self.putPingOff()
            self.idleness?.start(while: { self.isReady }, expired: { self.pingIdle() })
            if let connected = self.connected {
                connected.resume(returning: hello)
                self.connected = nil
            } else {
                self.configuration.connectionChanged?(.restored)
            }
            self.flush()
        case .failure(let error as GlyphwireClientError)
        where [.refused, .messageTooLarge].contains(error.code) && self.handler != nil:
            // Only the options were refused: a connection that was, is closed by now, and may be made again.
            self.fail(error)
        case .failure:
            break
        }
    }

    private var isAwaitingAnswers: Bool { self.machine.isAwaitingResults || !self.requests.isEmpty }

    /// Starts the check for a server that says that it stops: its close is due, also where no answer is.
    private func watchSilence(after line: ServerLine) {
        if case .goAway = line { self.watchSilence() }
    }

    /// Starts the check for a silent server while answers are due, or its close.
    private func watchSilence() {
        self.silence.start(while: { self.isAwaitingAnswers || self.machine.isLeaving }) {
            // While lines are not taken, none can arrive; while the socket takes a message, none answers it.
            if self.isPaused || self.handler?.hasProgressed() == true { return }
            let isLeaving = self.machine.isLeaving
            self.fail(.silent(self.address, for: self.configuration.answerTimeout, isLeaving: isLeaving))
        }
    }

    /// Begins the time again after which a `ping` is due.
    private func putPingOff() {
        guard let interval = self.configuration.pingInterval else { return }
        self.idleness?.touch(limit: self.machine.pingDelay(within: interval))
    }

    private func pingIdle() {
        guard self.machine.mayPing, self.sends.isEmpty, self.idlePing == nil else { return }
        let ping = self.requests.numbered(.ping(capturedMicroseconds: 0))
        self.idlePing = ping.header
        self.enqueue(PendingSend(message: ping, ticket: WaitTicket(), waiter: .answered { _ in self.idlePing = nil }))
    }

    private func isIdlePong(_ line: ServerLine) -> Bool { self.idlePing.map(line.answers) ?? false }

    /// The error of a message that is larger than the server accepts, or than a length field can say; `nil` for others.
    private func sizeError(of message: Message) -> GlyphwireClientError? {
        let size = message.payload.readableBytes + MessageHeader.byteCount - MessageHeader.lengthFieldByteCount
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
            self.requests.add(send)
        }
    }

    private func failRequests(_ error: any Error) {
        for request in self.requests.removeAll() { request.fail(error) }
    }

    private func closeChannel() {
        self.deadline?.cancel()
        self.deadline = nil
        self.silence.stop()
        self.idleness?.stop()
        self.handler?.close()
        self.handler = nil
        self.isReady = false
        self.channelNumber += 1
    }

    /// Ends the stream: `error` goes to readers of lines, `reason` to all other waiting tasks.
    private func end(_ error: (any Error)?, reason: any Error) {
        self.closeChannel()
        self.connected?.resume(throwing: reason)
        self.connected = nil
        self.failRequests(reason)
        while let send = self.sends.popFirst() { send.fail(reason) }
        self.queue.finish(throwing: error)
    }
}
