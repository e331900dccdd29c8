internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Events of the channel: a connection is made, brings lines, and is lost.
extension ClientStream {
    func opened(_ handler: ClientHandler, number: Int) {
        guard self.channel.opened(handler, number: number) else { return handler.close() }
        self.machine.channelOpened()
    }

    func cannotConnect(_ error: any Error, number: Int) {
        guard self.channel.isCurrent(number) else { return }
        self.fail(.cannotConnect(to: self.address, error))
    }

    func received(_ bytes: ByteBuffer, at now: ContinuousClock.Instant) {
        let line: ServerLine
        do throws(JSONError) {
            line = try ServerLine(json: bytes)
        } catch {
            return self.fail(.unreadable(bytes, error, from: self.address, isFirst: !self.machine.hasHello))
        }
        self.received(ReceivedLine(line: line, bytes: bytes, receivedAt: now, sentAt: nil))
    }

    private func received(_ received: ReceivedLine) {
        var received = received
        let line = received.line
        let action = self.machine.lineReceived(line)
        switch action {
        case .helloReceived(let hello):
            self.queue.push(received, isTaken: true)
            self.helloReceived(hello)
        case .deliver(let frame):
            received.sentAt = frame?.sentAt
            let request = frame == nil ? self.sends.removeRequest(answeredBy: line) : nil
            if !self.liveness.isIdlePong(line) { self.queue.push(received, isTaken: request != nil) }
            request?.complete(with: line)
            // A server that says that it stops has its close to make, also where no answer is due.
            if case .goAway = line { self.watchSilence() }
            self.flush()
        case .finish:
            self.queue.push(received)
            self.sends.removeRequest(answeredBy: line)?.complete(with: line)
            self.end(nil, reason: GlyphwireClientError.closed)
        case .refuse(let error):
            self.queue.push(received)
            self.fail(error)
        case .fail(let error):
            self.fail(error)
        }
    }

    /// Handles a channel that was closed from outside.
    func lost(_ error: (any Error)?) {
        if let error, error.isHandshakeFailure, !self.machine.hasHello {
            return self.fail(.notSecured(self.address, error))
        }
        // A port that has sent a hello before is the right one.
        guard error != nil || self.hello != nil else { return self.fail(.closedBeforeHello(self.address)) }
        self.fail(.lost(self.address, error, isLeaving: self.machine.isLeaving))
    }

    /// Abandons the channel, and the stream unless it may reconnect.
    func fail(_ error: GlyphwireClientError) {
        guard !self.machine.hasEnded else { return }
        if error.code == .connectionLost, let end = self.missingEnd {
            let line = ReceivedLine(line: .end(end), bytes: ByteBuffer(), receivedAt: self.now(), sentAt: nil)
            return self.received(line)
        }
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
            for request in self.sends.removeRequests() { request.fail(error) }
            self.reconnect(after: error, attempt: attempt)
        }
    }

    /// The `end` line that a server that stops does not send, if everything else is answered: the stream is complete.
    ///
    /// The client's `end` has crossed the `goaway` then (Protocol.md's rule G4).
    private var missingEnd: EndLine? {
        guard self.machine.isLeaving, !self.machine.isAwaitingResults, let header = self.sends.onlyUnansweredEnd else {
            return nil
        }
        return EndLine(sequence: header.sequence, frames: self.machine.answeredFrames)
    }

    private func reconnect(after error: GlyphwireClientError, attempt: Int) {
        guard let policy = self.configuration.reconnect else { return }
        let delay = max(policy.delay(before: attempt), error.minimumPause)
        self.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) {
            if !self.machine.hasEnded { self.channel.open(for: self) }
        }
    }

    private func helloReceived(_ hello: Hello) {
        self.hello = hello
        self.channel.helloReceived()
        let messages = self.options.messages(for: hello).map { self.sends.numbered($0) }
        self.machine.willOpen(withTokenAlone: messages.count > 1)
        guard let last = messages.last else { return self.connectionCompleted(.success(hello)) }
        for message in messages.reversed() {
            let isLast = message == last
            let configure = PendingSend(
                message: message,
                ticket: WaitTicket(),
                waiter: .answered { result in
                    // The token alone completes nothing, unless it is refused.
                    if case .success = result, !isLast { return }
                    self.connectionCompleted(result.map { _ in hello })
                }
            )
            self.sends.prepend(configure)
        }
        self.flush()
    }

    /// Completes the connection once the server has accepted or rejected the options, if any.
    private func connectionCompleted(_ result: Result<Hello, any Error>) {
        switch result {
        case .success(let hello):
            self.isReady = true
            self.putPingOff()
            self.liveness.watchIdleness(while: { self.isReady }, idle: { self.pingIdle() })
            if let connected = self.connected {
                connected.resume(returning: hello)
                self.connected = nil
            } else {
                self.configuration.connectionChanged?(.restored)
            }
            self.flush()
        case .failure(let error as GlyphwireClientError)
        where [.refused, .messageTooLarge].contains(error.code) && self.channel.handler != nil:
            // Only the options were refused: a connection that was, is closed by now, and may be made again.
            self.fail(error)
        case .failure:
            break
        }
    }

    private func closeChannel() {
        self.liveness.stop()
        self.channel.close()
        self.isReady = false
    }

    /// Ends the stream: `error` goes to readers of lines, `reason` to all other waiting tasks.
    func end(_ error: (any Error)?, reason: any Error) {
        self.closeChannel()
        self.connected?.resume(throwing: reason)
        self.connected = nil
        for send in self.sends.removeAll() { send.fail(reason) }
        self.failSenders(reason)
        self.queue.finish(throwing: error)
    }
}
