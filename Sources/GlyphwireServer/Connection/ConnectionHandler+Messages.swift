internal import GlyphwireProtocol
internal import TextModel
internal import Logging
internal import NIOCore
internal import TextRecognition

/// From bytes to frames in the queue: what comes in is taken apart, judged and handed on.
extension ConnectionHandler {
    /// Takes messages out of what came in while there is room for them and for their lines.
    func takeMessages(_ context: ChannelHandlerContext) {
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
    var waitsForMemory: Bool {
        self.machine.readsEveryFrame && self.machine.hasUnansweredFrames && self.memoryShare.isExceeded
    }

    /// Until a client has shown its token, it can make the server hold no more than that takes.
    var limits: WireLimits {
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
                self.memory = StreamMemory(start: arrival.time, budget: self.server.remembered)
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
        let (access, now) = (self.server.access, WallClock.seconds)
        if let token = self.token, token.matches(guess), access.refusal(of: token, at: now) == nil { return .granted }
        switch access.shown(guess, at: now) {
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
}
