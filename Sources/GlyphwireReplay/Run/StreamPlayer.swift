internal import GlyphwireClient
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Player of a session on one connection: sends each frame when due, and receives the results.
struct StreamPlayer: Sendable {
    /// Outcome of a playback.
    struct Outcome: Sendable {
        var ending: SessionReader.Ending?
        var guessedGaps = 0
    }

    /// Time after the end for which frames that were due before it are still sent.
    private static let grace = Duration.milliseconds(100)

    /// Index of the connection in the run.
    let number: Int
    let configuration: ReplayConfiguration
    let connection: GlyphwireConnection
    let source: FrameSource
    let startsAt: ContinuousClock.Instant
    let board: StatisticsBoard
    let finishLine: FinishLine
    let comparison: ResultComparison?
    let resultsPath: String?
    let onLine: (@Sendable (ServerLine) -> Void)?
    private let traffic: StreamTraffic

    init(
        number: Int,
        configuration: ReplayConfiguration,
        connection: GlyphwireConnection,
        source: FrameSource,
        startsAt: ContinuousClock.Instant,
        endsAt: ContinuousClock.Instant?,
        board: StatisticsBoard,
        finishLine: FinishLine,
        comparison: ResultComparison?,
        onLine: (@Sendable (ServerLine) -> Void)?
    ) {
        self.number = number
        self.configuration = configuration
        self.connection = connection
        self.source = source
        self.startsAt = startsAt
        self.board = board
        self.finishLine = finishLine
        self.comparison = comparison
        self.resultsPath = configuration.results(ofStream: number)
        self.onLine = onLine
        self.traffic = StreamTraffic(startsAt: startsAt, endsAt: endsAt, maxInFlight: configuration.maxInFlight)
    }

    private var clock: ReplayClock { self.configuration.clock }

    /// Plays the session until it ends, time runs out or `stop` is given, and waits for the last result.
    ///
    /// When time runs out, unmeasured frames continue to be sent until the measured ones are answered on all streams. If
    /// the connection breaks, the frames that were still to be sent are lost, each when it is due, and then it throws.
    func play(until stop: StopSignal) async throws -> Outcome {
        defer { self.finishLine.arrived(self.number) }
        let sending = Task { try await self.send() }
        let handler = stop.onStop {
            // Frames that were due until now are measured.
            self.traffic.end(at: self.clock.now() + .nanoseconds(1))
            sending.cancel()
        }
        defer { stop.remove(handler) }
        self.finishLine.onPassed { self.endSending(sending) }
        async let received: Void = self.receive()
        async let _ = self.watch()
        async let _ = self.cancel(sending, at: self.traffic.endsAt)
        do {
            let outcome = try await withTaskCancellationHandler {
                try await sending.value
            } onCancel: {
                self.endSending(sending)
            }
            if self.finishLine.isPassed, !self.traffic.isIdle { self.closeEarly() }
            self.traffic.finishing(at: self.clock.now())
            async let _ = self.limitDrain()
            try await self.connection.finish()
            try await received
            return outcome
        } catch {
            self.connection.close()
            self.endSending(sending)
            let outcome = try? await sending.value
            var cause = error
            do { try await received } catch { cause = error }
            switch self.traffic.ending {
            case .open: throw cause
            case .timedOut: throw self.timeout
            case .drained: return outcome ?? Outcome()
            }
        }
    }

    /// Records a frame without a result, if it was due before the end.
    private func recordEnd(of frame: StreamTraffic.Waiting, as status: FrameStatus) {
        guard self.traffic.counts(frame.dueAt) else { return }
        self.board.frameEnded(self.record(of: frame, status, endedAt: max(self.clock.now(), frame.dueAt)))
        self.comparison?.frameMissed(frame.recordedSequence)
    }

    private func record(
        of frame: StreamTraffic.Waiting,
        _ status: FrameStatus,
        sentAt: ContinuousClock.Instant? = nil,
        endedAt: ContinuousClock.Instant
    ) -> FrameRecord {
        FrameRecord(
            stream: self.number,
            sequence: frame.sequence,
            recordedSequence: frame.recordedSequence,
            status: status,
            dueAt: frame.dueAt,
            sentAt: sentAt,
            endedAt: endedAt
        )
    }
}

// MARK: Sending

extension StreamPlayer {
    private func send() async throws -> Outcome {
        var source = self.source
        do {
            try await self.sendAll(of: &source)
        } catch is CancellationError {
            // Time has run out, or all measured frames are answered.
            try await self.recordRest(of: &source, as: .unsent)
        } catch {
            self.connection.close()
            // No other stream has to wait for this one.
            self.finishLine.arrived(self.number)
            let end = try await self.recordRest(of: &source, as: .lost)
            if let end { self.board.streamBroke(plannedUntil: end) }
            throw error
        }
        return Outcome(ending: source.ending, guessedGaps: source.guessedGaps)
    }

    /// Sends each message in its turn, until the session ends or the sending is cancelled.
    private func sendAll(of source: inout FrameSource) async throws {
        var isFirstMessage = true
        while let item = try await source.next() {
            if isFirstMessage {
                isFirstMessage = false
                try await self.sendOptions(before: item)
            }
            switch item {
            case .frame(let message, let recordedSequence, let due):
                let frame = StreamTraffic.Waiting(
                    sequence: message.header.sequence,
                    recordedSequence: recordedSequence,
                    dueAt: try await self.turn(of: due)
                )
                if !self.traffic.counts(frame.dueAt) {
                    try await self.passEnd()
                }
                try await self.send(message, as: frame)
            case .other(let message) where message.header.type == MessageType.configure.rawValue:
                try await self.connection.send(try self.configuration.options.applied(to: message))
            case .other(let message):
                try await self.connection.send(message)
            }
        }
    }

    /// Sends the overriding options if the session does not begin with a `configure` message.
    private func sendOptions(before item: FrameSource.Item) async throws {
        if case .other(let message) = item, message.header.type == MessageType.configure.rawValue { return }
        if let configure = try self.configuration.options.message() { try await self.connection.send(configure) }
    }

    /// Waits until a frame may be sent: at its due time, or without one when there is room.
    private func turn(of due: Duration?) async throws -> ContinuousClock.Instant {
        if let due { return self.startsAt + due }
        var places = self.traffic.places?.makeAsyncIterator()
        _ = await places?.next()
        try Task.checkCancellation()
        return self.clock.now()
    }

    /// Waits until the end of the run, even if its last frame was answered early.
    private func passEnd() async throws {
        self.traffic.passedEnd()
        if let end = self.traffic.endsAt, end > self.clock.now() { try await self.clock.sleep(end) }
        self.arriveIfComplete()
    }

    private func send(_ message: Message, as frame: StreamTraffic.Waiting) async throws {
        do {
            if frame.dueAt > self.clock.now() { try await self.clock.sleep(frame.dueAt) }
        } catch {
            self.recordEnd(of: frame, as: .unsent)
            throw error
        }
        self.traffic.sending(frame, at: self.clock.now())
        do {
            let sentAt = try await self.connection.send(message)
            if self.traffic.counts(frame.dueAt) { self.board.frameSent(dueAt: frame.dueAt, sentAt: sentAt) }
        } catch {
            // A frame that is no longer outstanding was recorded when the receiving ended.
            let status = error is CancellationError ? FrameStatus.unsent : .lost
            if self.traffic.notSent() { self.recordEnd(of: frame, as: status) }
            throw error
        }
    }

    /// Records the frames that are left: each when it is due or, once the sending is cancelled, at once.
    ///
    /// - Returns: The time until which they were to be sent; `nil` if none is left.
    @discardableResult
    private func recordRest(
        of source: inout FrameSource,
        as status: FrameStatus
    ) async throws -> ContinuousClock.Instant? {
        var lastDue: ContinuousClock.Instant?
        while let item = try await source.next() {
            guard case .frame(let message, let recordedSequence, let due) = item else { continue }
            // In a closed loop a frame is due when there is room for it, which there no longer is.
            guard let due, await self.reaches(self.startsAt + due) else { return self.traffic.endsAt }
            let frame = StreamTraffic.Waiting(
                sequence: message.header.sequence,
                recordedSequence: recordedSequence,
                dueAt: self.startsAt + due
            )
            self.recordEnd(of: frame, as: status)
            lastDue = frame.dueAt
        }
        return lastDue
    }

    /// Waits for the due time of a frame, unless the sending is cancelled.
    ///
    /// - Returns: Whether it comes before the end.
    private func reaches(_ dueAt: ContinuousClock.Instant) async -> Bool {
        guard self.traffic.counts(dueAt) else { return false }
        try? await self.clock.sleep(dueAt)
        return self.traffic.counts(dueAt)
    }

    /// Ends the sending; a run without an end of its own ends now.
    private func endSending(_ sending: Task<Outcome, any Error>) {
        let isEndless = self.configuration.passes == nil && self.configuration.duration == nil
        if isEndless { self.traffic.end(at: self.clock.now() + .nanoseconds(1)) }
        sending.cancel()
    }
}

// MARK: Receiving

extension StreamPlayer {
    private func receive() async throws {
        var results: ResultsWriter?
        do {
            results = try self.resultsPath.map { path in
                try ResultsWriter(path: path, apartFrom: self.configuration.inputs)
            }
            for try await received in self.connection.lines {
                guard try self.take(received) else { continue }
                if received.bytes.readableBytes > 0 { try await results?.write(received.bytes) }
            }
            try await results?.finish()
        } catch {
            self.connection.close()
            // What the server sent up to then shows what went wrong.
            await results?.keep()
            self.recordUnanswered()
            throw error
        }
        self.recordUnanswered()
    }

    /// Records the frames that will have no result.
    private func recordUnanswered() {
        let status = self.traffic.ending == .drained ? FrameStatus.unanswered : .lost
        for frame in self.traffic.receivingEnded() { self.recordEnd(of: frame, as: status) }
    }

    /// - Returns: Whether the line is of a measured frame.
    private func take(_ received: ReceivedLine) throws(ReplayError) -> Bool {
        switch received.line {
        case .result(let result):
            guard let frame = self.traffic.resultReceived(at: received.receivedAt) else { break }
            defer { self.arriveIfComplete() }
            guard self.traffic.counts(frame.dueAt) else { return false }
            var record = self.record(
                of: frame,
                FrameStatus(result.outcome),
                sentAt: received.sentAt,
                endedAt: received.receivedAt
            )
            record.timings = result.timings
            self.board.frameEnded(record)
            self.comparison?.take(result, recordedSequence: frame.recordedSequence)
        // An error that ends the connection, such as that of too many, is thrown by its lines.
        case .error(let error) where !error.isFatal && !self.configuration.options.options.isEmpty:
            throw ReplayError(
                .badConfiguration,
                "the server refuses the options (\(error.error.code.rawValue)): \(error.error.message)"
            )
        default:
            self.traffic.lineReceived(at: received.receivedAt)
        }
        self.onLine?(received.line)
        return true
    }
}

// MARK: Watching

extension StreamPlayer {
    /// Ends the sending when time runs out.
    ///
    /// If frames remain, it ends at once; otherwise when the measured ones should be answered. A frame that was due
    /// just before is still sent, so that a busy machine is not mistaken for a full socket.
    private func cancel(_ sending: Task<Outcome, any Error>, at end: ContinuousClock.Instant?) async {
        guard let end, (try? await self.clock.sleep(end + Self.grace)) != nil else { return }
        guard self.traffic.hasPassedEnd else { return sending.cancel() }
        guard (try? await self.clock.sleep(end + self.configuration.drain)) != nil else { return }
        self.finishLine.pass()
    }

    /// Notifies the other streams once all measured frames are answered here.
    private func arriveIfComplete() {
        if self.traffic.isComplete(at: self.clock.now()) { self.finishLine.arrived(self.number) }
    }

    /// Closes the connection at once.
    private func closeEarly() {
        self.traffic.drained()
        self.connection.close()
    }

    /// Waits for outstanding answers, and closes the connection if that takes too long.
    ///
    /// After a session that was played to its end it waits as long as the server answers at all.
    private func limitDrain() async {
        guard self.traffic.endsAt != nil else { return }
        guard (try? await self.clock.sleep(self.clock.now() + self.configuration.drain)) != nil else { return }
        self.closeEarly()
    }

    /// Closes the connection when frames are outstanding and the server sends nothing for too long.
    private func watch() async {
        var wakeAt = self.startsAt + self.configuration.timeout
        while (try? await self.clock.sleep(wakeAt)) != nil, !Task.isCancelled {
            guard let deadline = self.traffic.deadline(after: self.configuration.timeout, at: self.clock.now()) else {
                return self.connection.close()
            }
            wakeAt = deadline
        }
    }

    private var timeout: ReplayError {
        ReplayError(
            .unanswered,
            "the server has answered nothing for \(self.configuration.timeout) while frames were waiting; see its log, "
                + "or allow more with --timeout"
        )
    }
}
