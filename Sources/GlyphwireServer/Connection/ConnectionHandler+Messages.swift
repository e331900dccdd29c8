internal import GlyphwireProtocol
internal import TextModel
internal import Logging
internal import NIOCore
internal import SystemSupport

/// Message path: messages are parsed, passed to the state machine, and frames submitted to the queue.
extension ConnectionHandler {
    /// Takes messages while there is room for them and for their replies.
    func takeMessages(_ context: ChannelHandlerContext) {
        while self.machine.hasRoom && context.channel.isWritable {
            do throws(WireError) {
                let message = try self.framing.nextMessage(
                    isAuthenticated: !self.machine.isUnauthenticated,
                    canWaitForMemory: self.canWaitForMemory
                )
                guard let message else {
                    self.machine.messagesExhausted()
                    return
                }
                self.take(message, context)
            } catch {
                if let mistake = self.framing.mistake { self.accounting.ends(ConnectionEnd(mistake)) }
                self.machine.framingFailed(error)
            }
        }
    }

    /// Whether memory is scarce and answering this connection's frames will free some.
    ///
    /// It waits before memory is exhausted, since frames that cannot wait would be rejected then.
    var waitsForMemory: Bool { self.canWaitForMemory && self.framing.isMemoryScarce }

    private var canWaitForMemory: Bool { self.machine.readsEveryFrame && self.machine.hasUnansweredFrames }

    private func take(_ message: Message, _ context: ChannelHandlerContext) {
        let header = message.header
        let arrival = FrameArrival(
            at: .now,
            wallMicroseconds: WallClock.microseconds,
            capturedMicroseconds: header.capturedMicroseconds,
            clockOffset: self.stream.configuration.clockOffsetMicroseconds
        )
        var request = self.requests.request(
            of: message,
            arrival: arrival,
            receivedMicroseconds: WallClock.microseconds
        )
        if header.type == MessageType.frame.rawValue { self.accounting.gauge.frameReceived(at: arrival.time) }
        if case .configure(let configuration, _) = request, let secret = configuration.token {
            request = .configure(configuration, self.authenticate(secret, of: configuration.client))
        }
        switch self.machine.messageReceived(request, sequence: header.sequence) {
        case .none: break
        case .refuseLater(let line, let ticket): self.refuseLater(line, ticket: ticket, context)
        case .configure(let configuration):
            self.stream.configuration = configuration
            self.accounting.gauge.configured(configuration)
        case .read(let frame, let ticket):
            self.submit(message, as: frame, arrival: arrival, ticket: ticket)
        }
    }

    private func authenticate(_ secret: String, of client: String?) -> ConnectionStateMachine.Access {
        let access = self.admission.authenticate(secret, at: WallClock.seconds)
        if access == .wrong { self.accounting.logPeer(.warning, "wrong token") }
        if let (token, refusal) = self.admission.refusedToken {
            self.accounting.refused(token, of: client, for: refusal)
        }
        return access
    }

    /// Delays the answer to a wrong token, to slow down guessing.
    private func refuseLater(_ line: ErrorLine, ticket: Int, _ context: ChannelHandlerContext) {
        let delay = TimeAmount(self.admission.wrongTokenDelay)
        context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
            guard let context = self.context else { return }
            self.machine.refusalDue(line, ticket: ticket)
            self.advance(context)
        }
    }

    /// Submits a frame to the queue, and answers it or another that no worker will read.
    private func submit(_ message: Message, as frame: FrameDescription, arrival: FrameArrival, ticket: Int) {
        guard let finishFrame = self.finishFrame else { return }
        let job = FrameJob(
            connection: self.accounting.id,
            ticket: ticket,
            sequence: message.header.sequence,
            capturedMicroseconds: message.header.capturedMicroseconds,
            frame: frame,
            payload: message.payload,
            configuration: self.stream.configuration,
            tracking: self.stream.trackingState(),
            arrival: arrival,
            finish: finishFrame
        )
        self.framing.payloadTaken(job.payload)
        if job.isExpired(at: arrival.time) { return self.answer(job, .expired, at: arrival.time) }
        switch self.queue.append(job) {
        case .queued: break
        case .superseding(let older): self.answer(older, .dropped(by: job.sequence), at: arrival.time)
        case .stopped: self.answer(job, .error(.serverStops), at: arrival.time)
        }
    }

    /// Answers a frame without reading it.
    private func answer(_ job: FrameJob, _ outcome: FrameResult.Outcome, at now: ContinuousClock.Instant) {
        let frame = job.unread(outcome, at: now)
        self.accounting.meters.frameAnswered(frame.result)
        self.machine.frameFinished(frame, ticket: job.ticket)
        // No worker has had it, so no stream keeps it to compare the next frame with.
        self.framing.payloadReleased(job.payload, isShared: false)
    }
}
