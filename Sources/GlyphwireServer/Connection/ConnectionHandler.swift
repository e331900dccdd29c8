internal import GlyphwireProtocol
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// One connection on its event loop: bytes in, lines out, in between the ``ConnectionStateMachine`` says what is done.
///
/// Automatic reading is off. Bytes are asked for only while the machine has room for a message and what was written is
/// on its way, so a client that sends too fast, or does not read its lines, finds its own socket full.
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long a connection stays open for the client to read its last lines, after it was told that no more come.
    ///
    /// Closing at once while bytes of the client are unread would reset the connection and take those lines with it.
    private static let lingerTime = TimeAmount.seconds(2)

    /// Its number.
    let id: ConnectionID
    /// What is known of it, for those who watch the server.
    let gauge: StreamGauge
    private let server: ServerCore
    /// Where the client comes from, if a proxy has said so.
    var client: SocketAddress?

    private var machine: ConnectionStateMachine
    /// What came in and was not taken yet.
    private var assembler: MessageAssembler
    /// Whether all is said, and what still comes in is thrown away.
    private var isLingering = false
    private var configuration: StreamConfiguration
    /// What the frames have told so far, where they are compared.
    private var memory: StreamMemory?
    private var statistics = FrameStatistics<UInt32>()
    /// Messages that came so far.
    private var messageCount = 0
    private var memoryShare: MemoryShare
    private var patience: PeerPatience
    /// When it is looked whether patience is at its end.
    private var patienceCheck: (task: Scheduled<Void>, time: NIODeadline)?

    private var context: ChannelHandlerContext?
    private var finishFrame: (@Sendable (FinishedFrame, FrameJob) -> Void)?
    private var linger: Scheduled<Void>?
    /// Bytes of all lines so far.
    private var writtenByteCount = 0
    private var stallCheck: Scheduled<Void>?
    private var peer = "unknown"
    /// The address that this connection is counted for.
    private var countedAddress: String?
    /// What let the client in.
    private var token: AccessToken?

    /// A handler for the connection `id` of `server`.
    init(server: ServerCore, id: ConnectionID) {
        self.server = server
        self.id = id
        self.machine = ConnectionStateMachine(
            asksForToken: server.access.isAsked,
            delivery: server.configuration.stream.delivery,
            window: server.configuration.limits.window,
            maxUnansweredMessages: server.configuration.limits.maxUnansweredMessages
        )
        self.assembler = MessageAssembler(limits: server.configuration.limits.wire)
        self.memoryShare = MemoryShare(of: server.memory)
        self.patience = PeerPatience(limits: server.configuration.limits)
        self.configuration = server.configuration.stream
        self.gauge = StreamGauge(
            id: id,
            configuration: server.configuration.stream,
            isAuthenticated: !server.access.isAsked
        )
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let server = self.server
        self.finishFrame = { frame, job in
            server.count(frame.result)
            handler.eventLoop.execute { handler.value.frameFinished(frame, job) }
        }
        if context.channel.isActive { self.channelActive(context: context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        self.finishFrame = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        let client = self.client ?? context.remoteAddress
        self.peer = client.map { "\($0.ipAddress ?? "unknown"):\($0.port ?? 0)" } ?? self.peer
        self.gauge.connected(from: self.peer)
        self.enter(address: client?.site ?? "unknown")
        self.advance(context)
    }

    /// Has the connection counted, or shows it out.
    private func enter(address: String) {
        do throws(WireError) {
            try self.server.addresses.enter(address)
            self.countedAddress = address
        } catch {
            self.server.logger.info(
                "connection refused",
                metadata: [LogKeys.connection: "\(self.id)", LogKeys.peer: "\(self.peer)"]
            )
            self.machine.turnedAway(error)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = self.unwrapInboundIn(data)
        self.server.meters.receivedBytes.wrappingAdd(chunk.readableBytes, ordering: .relaxed)
        self.gauge.received(byteCount: chunk.readableBytes)
        if self.machine.takesMessages { self.assembler.append(&chunk) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        self.advance(context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { self.advance(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            self.machine.inputClosed()
            self.advance(context)
        case is ConnectionRegistry.TokensReplaced:
            if let token = self.token, !self.server.access.knows(token) {
                self.machine.turnedAway(.tokenTakenBack)
                self.advance(context)
            }
        case is ConnectionRegistry.DrainStarted:
            self.machine.drainStarted()
            self.advance(context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Whoever closes TCP without a word of TLS still gets its answers.
        if case NIOSSLError.uncleanShutdown = error { return }
        self.server.logger.debug(
            "connection failed",
            metadata: [LogKeys.connection: "\(self.id)", LogKeys.error: "\(error)"]
        )
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        self.memory = nil
        self.linger?.cancel()
        self.stallCheck?.cancel()
        self.patienceCheck?.task.cancel()
        self.memoryShare.release()
        if let address = self.countedAddress { self.server.addresses.leave(address) }
        if let token = self.token { self.server.access.leave(token) }
        self.server.queue.remove(self.id)
        self.server.logger.info(
            "connection closed",
            metadata: [
                LogKeys.connection: "\(self.id)",
                LogKeys.peer: "\(self.peer)",
                LogKeys.client: "\(self.configuration.client ?? "")",
                LogKeys.token: "\(self.token?.name ?? "")",
                LogKeys.frames: "\(self.statistics.frames)",
                LogKeys.failed: "\(self.statistics.failed)",
                LogKeys.dropped: "\(self.statistics.dropped)",
                LogKeys.expired: "\(self.statistics.expired)",
            ]
        )
    }

    /// A worker has answered a frame of this connection, which may be gone by now.
    private func frameFinished(_ frame: FinishedFrame, _ job: FrameJob) {
        guard let context = self.context else { return }
        self.memoryShare.frameFinished(job)
        if !self.server.watchers.isEmpty {
            var isRead = false
            if case .ok = frame.result.outcome { isRead = true }
            self.server.watchers.show(
                WatchedFrame(
                    stream: self.id.number,
                    isRead: isRead,
                    frame: job.frame,
                    payload: job.payload,
                    line: frame.line
                )
            )
        }
        self.machine.frameFinished(frame, ticket: job.ticket)
        self.assembler.reclaim(job.payload)
        self.advance(context)
    }

    /// Does all that can be done now.
    private func advance(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        var hasWritten = false
        loop: while true {
            self.takeMessages(context)
            switch self.machine.nextOrder() {
            case .send(let reply):
                self.write(reply, context)
                hasWritten = true
            case .finish:
                self.finish(context)
                return
            case nil:
                break loop
            }
        }
        if hasWritten {
            context.flush()
            self.watchUnsentBytes(context)
        }
        let isReading = self.machine.wantsInput && context.channel.isWritable && !self.waitsForMemory
        if self.isLingering || isReading { context.read() }
        self.memoryShare.update(self.assembler)
        self.watchClient(context, isReading: isReading)
    }

    /// Takes messages out of what came in while there is room for them and for their lines.
    private func takeMessages(_ context: ChannelHandlerContext) {
        while self.machine.hasRoom && context.channel.isWritable {
            do throws(WireError) {
                self.assembler.limits = self.limits
                guard let message = try self.nextMessage() else {
                    self.machine.messagesExhausted()
                    return
                }
                self.messageCount += 1
                self.take(message, context)
            } catch {
                self.machine.framingFailed(error, isStranger: self.assembler.isStranger)
            }
        }
    }

    /// The next whole message; a frame that there is no memory for comes without its payload.
    private func nextMessage() throws(WireError) -> Message? {
        var message = try self.assembler.next()
        self.memoryShare.update(self.assembler)
        guard self.memoryShare.isExceeded, !self.waitsForMemory else { return message }
        if message == nil, self.assembler.incoming?.type == MessageType.frame.rawValue {
            self.assembler.discardIncoming()
            message = try self.assembler.next()
        }
        return message
    }

    /// Whether no memory is left, and some comes back when frames of this connection are answered.
    private var waitsForMemory: Bool {
        self.machine.readsEveryFrame && self.machine.hasUnansweredFrames && self.memoryShare.isExceeded
    }

    /// Until a client has shown its token, it can make the server hold no more than that takes.
    private var limits: WireLimits {
        var limits = self.server.configuration.limits.wire
        if self.machine.isUnauthenticated {
            limits.maxMessageBytes = min(
                limits.maxMessageBytes,
                self.server.configuration.limits.maxUnauthenticatedBytes
            )
        }
        return limits
    }

    private func take(_ message: Message, _ context: ChannelHandlerContext) {
        let header = message.header
        let arrival = FrameArrival(
            at: .now,
            wallMicroseconds: WallClock.microseconds,
            capturedMicroseconds: header.capturedMicroseconds,
            clockOffset: self.configuration.clockOffsetMicroseconds
        )
        var request = ConnectionStateMachine.Request(
            message,
            server: self.server,
            arrival: arrival,
            receivedMicroseconds: WallClock.microseconds
        )
        if header.type == MessageType.frame.rawValue { self.gauge.frameReceived(at: arrival.time) }
        if case .configure(let configuration, _) = request, let guess = configuration.token {
            request = .configure(configuration, self.tokenShown(guess))
        }
        switch self.machine.messageReceived(request, sequence: header.sequence) {
        case .none: break
        case .refuseLater(let line, let ticket): self.refuseLater(line, ticket: ticket, context)
        case .configure(let configuration):
            self.configuration = configuration
            self.gauge.configured(configuration)
        case .read(let frame, let ticket):
            guard let finishFrame = self.finishFrame else { return }
            if !self.configuration.isTemporal {
                self.memory = nil
            } else if self.memory == nil {
                self.memory = StreamMemory(start: arrival.time)
            }
            self.submit(
                FrameJob(
                    connection: self.id,
                    ticket: ticket,
                    sequence: header.sequence,
                    capturedMicroseconds: header.capturedMicroseconds,
                    frame: frame,
                    payload: message.payload,
                    configuration: self.configuration,
                    memory: self.memory,
                    arrival: arrival,
                    finish: finishFrame
                )
            )
        }
    }

    /// Looks at a token, and counts who comes in by it.
    private func tokenShown(_ guess: String) -> ConnectionStateMachine.Access {
        guard self.server.access.isAsked else { return .notShown }
        if let token = self.token, token.matches(guess), self.server.access.knows(token) { return .granted }
        switch self.server.access.shown(guess, at: Int(WallClock.microseconds / 1_000_000)) {
        case .granted(let token):
            if let earlier = self.token { self.server.access.leave(earlier) }
            self.token = token
            return .granted
        case .wrong:
            if let address = self.countedAddress { self.server.addresses.guessed(address) }
            self.server.logger.warning(
                "wrong token",
                metadata: [LogKeys.connection: "\(self.id)", LogKeys.peer: "\(self.peer)"]
            )
            return .wrong
        case .refused(let error): return .refused(error)
        }
    }

    /// Whoever guesses gets few answers.
    private func refuseLater(_ line: ErrorLine, ticket: Int, _ context: ChannelHandlerContext) {
        let delay = TimeAmount(self.server.configuration.limits.wrongTokenDelay)
        context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
            guard let context = self.context else { return }
            self.machine.refusalDue(line, ticket: ticket)
            self.advance(context)
        }
    }

    /// Has a frame read, or says why it is not.
    private func submit(_ job: FrameJob) {
        let now = job.arrival.time
        self.memoryShare.frameTaken(job)
        if job.isExpired(at: now) {
            self.answer(job, .expired, at: now)
        } else if let replaced = self.server.queue.append(job) {
            self.answer(replaced, .dropped(by: job.sequence), at: now)
        }
    }

    /// Answers a frame that no worker reads.
    private func answer(_ job: FrameJob, _ outcome: FrameResult.Outcome, at now: ContinuousClock.Instant) {
        let frame = job.unread(outcome, at: now)
        self.server.count(frame.result)
        self.memoryShare.frameFinished(job)
        self.machine.frameFinished(frame, ticket: job.ticket)
        self.assembler.reclaim(job.payload)
    }

    private func write(_ reply: ConnectionStateMachine.Reply, _ context: ChannelHandlerContext) {
        let writer = LineWriter()
        var line = ByteBuffer()
        switch reply {
        case .hello:
            line = self.server.hello
        case .frame(let frame):
            line = frame.line
            self.count(frame.result)
        case .badFrame(let result):
            writer.write(result: result, into: &line)
            self.count(result)
            self.server.count(result)
        case .configured(let configured):
            writer.write(configured: configured, into: &line)
        case .pong(var pong):
            pong.sentMicroseconds = WallClock.microseconds
            writer.write(pong: pong, into: &line)
        case .stats(let sequence):
            let server = self.server.statistics.withLockedValue(\.frames)
            let stats = Stats(sequence: sequence, connection: self.statistics.scope, server: server.scope)
            writer.write(stats: stats, into: &line)
        case .error(let error):
            writer.write(error: error, into: &line)
            self.server.meters.count(error.error)
            self.server.logger.debug(
                "message refused",
                metadata: [LogKeys.connection: "\(self.id)", LogKeys.code: "\(error.error.code.rawValue)"]
            )
        case .goAway:
            let grace = (self.server.configuration.grace.microseconds + 500) / 1000
            writer.write(goAway: GoAway(graceMilliseconds: grace), into: &line)
        case .end(let end):
            writer.write(end: end, into: &line)
        }
        self.writtenByteCount += line.readableBytes
        self.server.meters.sentBytes.wrappingAdd(line.readableBytes, ordering: .relaxed)
        self.gauge.sent(byteCount: line.readableBytes)
        context.write(self.wrapOutboundOut(line), promise: nil)
    }

    /// Counts a frame whose answer is on its way.
    private func count(_ result: FrameResult) {
        self.statistics.frameAnswered(FrameFate(result.outcome), result.timings)
        self.gauge.frameAnswered(result)
    }

    /// Looks in time whether the client has done what is waited for.
    private func watchClient(_ context: ChannelHandlerContext, isReading: Bool) {
        self.patience.waits(self.wait(isReading: isReading), at: context.eventLoop.now)
        self.schedulePatienceCheck(context)
    }

    private func schedulePatienceCheck(_ context: ChannelHandlerContext) {
        guard let deadline = self.patience.deadline else { return }
        if let check = self.patienceCheck {
            // A check that comes too early sees to the next one itself.
            guard deadline < check.time else { return }
            check.task.cancel()
        }
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.patienceCheck = nil
            guard let deadline = self.patience.deadline else { return }
            if deadline > context.eventLoop.now {
                self.schedulePatienceCheck(context)
            } else {
                self.clientTookTooLong(context)
            }
        }
        self.patienceCheck = (task, deadline)
    }

    /// What the client has to do next.
    private func wait(isReading: Bool) -> PeerPatience.Wait {
        guard isReading, !self.isLingering else { return .none }
        if self.machine.isUnauthenticated { return .firstMessage }
        if self.assembler.incoming == nil, self.messageCount == 0 { return .firstMessage }
        if !self.assembler.isBetweenMessages { return .message(number: self.messageCount) }
        return self.machine.hasUnansweredMessages ? .none : .nextMessage(number: self.messageCount)
    }

    private func clientTookTooLong(_ context: ChannelHandlerContext) {
        self.server.logger.info(
            "client took too long",
            metadata: [LogKeys.connection: "\(self.id)", LogKeys.peer: "\(self.peer)"]
        )
        self.machine.turnedAway(self.patience.error)
        self.advance(context)
        // A handshake that never ends keeps the line back, too.
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingerTime) { context.close(promise: nil) }
    }

    /// Looks after a while whether the client has taken any of the bytes that it left until now.
    private func watchUnsentBytes(_ context: ChannelHandlerContext) {
        guard self.stallCheck == nil else { return }
        let unsent = self.unsentByteCount(context)
        guard unsent > 0 else { return }
        let taken = self.writtenByteCount - unsent
        let timeout = TimeAmount(self.server.configuration.limits.slowReaderTime)
        self.stallCheck = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            self.stallCheck = nil
            let unsent = self.unsentByteCount(context)
            if unsent > 0, self.writtenByteCount - unsent == taken {
                self.linesStuck(context)
            } else {
                self.watchUnsentBytes(context)
            }
        }
    }

    /// Bytes of lines that the system has not taken yet.
    private func unsentByteCount(_ context: ChannelHandlerContext) -> Int {
        // The option is one of every socket; where there is none, nothing is held back either.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// The client has not taken a byte of its lines for too long: it is told, in case it reads on, and shown out.
    private func linesStuck(_ context: ChannelHandlerContext) {
        self.server.logger.info(
            "slow reader",
            metadata: [LogKeys.connection: "\(self.id)", LogKeys.peer: "\(self.peer)"]
        )
        self.server.queue.remove(self.id)
        self.machine.linesStuck()
        self.advance(context)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingerTime) { context.close(promise: nil) }
    }

    /// Tells the client that no more comes once it has all its lines, and waits until it goes, but not for ever.
    private func finish(_ context: ChannelHandlerContext) {
        self.isLingering = true
        self.assembler = MessageAssembler(limits: self.limits)
        self.memoryShare.update(self.assembler)
        // From here on the client has the time that its lines and the linger below give it.
        self.patience.waits(.none, at: context.eventLoop.now)
        let eventLoop = context.eventLoop.assumeIsolated()
        // The output is closed behind the last line; where the input is closed already, that closes the connection.
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
            guard self.context != nil else { return }
            self.linger = eventLoop.scheduleTask(in: Self.lingerTime) { context.close(promise: nil) }
        }
        self.watchUnsentBytes(context)
        context.read()
    }
}

extension WireError {
    fileprivate static let tokenTakenBack = WireError(
        .authFailed,
        "the token of this connection is no longer known; ask whoever runs the server for a new one"
    )
}
