internal import FramePipeline
internal import GlyphwireProtocol
internal import TextModel
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
    static let lingerTime = TimeAmount.seconds(2)

    /// Its number.
    let id: ConnectionID
    /// What is known of it, for those who watch the server.
    let gauge: StreamGauge
    let server: ServerCore
    /// Where the client comes from, if a proxy has said so.
    var client: SocketAddress?

    var machine: ConnectionStateMachine
    /// What came in and was not taken yet.
    var assembler: MessageAssembler
    /// Whether all is said, and what still comes in is thrown away.
    var isLingering = false
    var configuration: StreamConfiguration
    /// What the frames have told so far, where they are compared.
    var memory: StreamMemory?
    private var statistics = FrameStatistics<UInt32>()
    /// Messages that came so far.
    var messageCount = 0
    var memoryShare: MemoryShare
    var patience: PeerPatience
    /// When it is looked whether patience is at its end.
    var patienceCheck: (task: Scheduled<Void>, time: NIODeadline)?

    var context: ChannelHandlerContext?
    var finishFrame: (@Sendable (FinishedFrame, FrameJob) -> Void)?
    private var linger: Scheduled<Void>?
    /// Of the newest frame that was shown to those who watch.
    private var watchedTicket = -1
    /// Bytes of all lines so far.
    var writtenByteCount = 0
    var stallCheck: Scheduled<Void>?
    var peer = "unknown"
    /// The address that this connection is counted for.
    var countedAddress: String?
    /// What let the client in.
    var token: AccessToken?

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
        case is ConnectionRegistry.TokensChanged:
            if let token = self.token, let error = self.server.access.refusal(of: token, at: WallClock.seconds) {
                self.machine.turnedAway(error)
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
        // Workers may overtake each other, but who watches sees no older frame after a newer one.
        if !self.server.watchers.isEmpty, job.ticket > self.watchedTicket {
            self.watchedTicket = job.ticket
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
    func advance(_ context: ChannelHandlerContext) {
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
