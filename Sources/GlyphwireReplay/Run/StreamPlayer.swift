internal import GlyphwireClient
internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Plays a session on one connection: sends each frame when it is due, and takes the results.
struct StreamPlayer: Sendable {
    /// What is known when a session has been played.
    struct Outcome: Sendable {
        var ending: SessionReader.Ending?
        var guessedGaps = 0
    }

    /// How long after the end frames are still sent that were due before it.
    private static let grace = Duration.milliseconds(100)

    /// The connection's place among those of the run, counted from 0.
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

    /// Plays the session until it ends, time is over or `stop` is given, and waits for the last result.
    ///
    /// When time is over, frames go on being sent that do not count, until those that do are answered on all streams.
    func play(until stop: StopSignal) async throws -> Outcome {
        defer { self.finishLine.arrived(self.number) }
        let sending = Task { try await self.send() }
        stop.onStop {
            // What was due until now counts.
            self.traffic.end(at: self.clock.now() + .nanoseconds(1))
            sending.cancel()
        }
        self.finishLine.onPassed { sending.cancel() }
        async let received: Void = self.receive()
        async let _ = self.watch()
        async let _ = self.cancel(sending, at: self.traffic.endsAt)
        do {
            let outcome = try await withTaskCancellationHandler {
                try await sending.value
            } onCancel: {
                sending.cancel()
            }
            if self.finishLine.isPassed, !self.traffic.isIdle { self.giveUp() }
            self.traffic.finishing(at: self.clock.now())
            async let _ = self.limitDrain()
            try await self.connection.finish()
            try await received
            return outcome
        } catch {
            self.connection.close()
            sending.cancel()
            let outcome = try? await sending.value
            var cause = error
            do { try await received } catch { cause = error }
            try self.giveUpWaiting()
            switch self.traffic.ending {
            case .open: throw cause
            case .timedOut: throw self.timeout
            case .drained: return outcome ?? Outcome()
            }
        }
    }

    /// Counts the frames that will have no result.
    private func giveUpWaiting() throws(ReplayError) {
        let status = self.traffic.ending == .drained ? FrameStatus.unanswered : .lost
        let now = self.clock.now()
        for frame in self.traffic.receivingEnded() {
            try self.board.frameEnded(self.record(of: frame, status, endedAt: now))
        }
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
        var isFirstMessage = true
        do {
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
        } catch is CancellationError {
            // Time is over, or all that counts is answered.
            try await self.countUnsent(of: &source)
        }
        return Outcome(ending: source.ending, guessedGaps: source.guessedGaps)
    }

    /// Sends the options that were asked for, if the session does not begin with a message to put them into.
    private func sendOptions(before item: FrameSource.Item) async throws {
        if case .other(let message) = item, message.header.type == MessageType.configure.rawValue { return }
        if let configure = try self.configuration.options.message() { try await self.connection.send(configure) }
    }

    /// When a frame is sent: at its due time, or without one as soon as there is room.
    private func turn(of due: Duration?) async throws -> ContinuousClock.Instant {
        if let due { return self.startsAt + due }
        var places = self.traffic.places?.makeAsyncIterator()
        _ = await places?.next()
        try Task.checkCancellation()
        return self.clock.now()
    }

    /// Waits for the end: a run is no shorter than it should be because its last frame was answered soon.
    private func passEnd() async throws {
        self.traffic.passedEnd()
        if let end = self.traffic.endsAt, end > self.clock.now() { try await self.clock.sleep(end) }
        self.arriveIfComplete()
    }

    private func send(_ message: Message, as frame: StreamTraffic.Waiting) async throws {
        do {
            if frame.dueAt > self.clock.now() { try await self.clock.sleep(frame.dueAt) }
            self.traffic.sending(frame, at: self.clock.now())
            do {
                let sentAt = try await self.connection.send(message)
                if self.traffic.counts(frame.dueAt) { self.board.frameSent(dueAt: frame.dueAt, sentAt: sentAt) }
            } catch {
                self.traffic.notSent()
                throw error
            }
        } catch is CancellationError {
            if let end = self.traffic.endsAt, frame.dueAt < end {
                try self.board.frameEnded(self.record(of: frame, .unsent, endedAt: end))
            }
            throw CancellationError()
        }
    }

    /// Counts what was due before the end and had not had its turn.
    private func countUnsent(of source: inout FrameSource) async throws {
        guard let end = self.traffic.endsAt else { return }
        while let item = try await source.next() {
            guard case .frame(let message, let recordedSequence, let due) = item else { continue }
            guard let due, self.startsAt + due < end else { return }
            let frame = StreamTraffic.Waiting(
                sequence: message.header.sequence,
                recordedSequence: recordedSequence,
                dueAt: self.startsAt + due
            )
            try self.board.frameEnded(self.record(of: frame, .unsent, endedAt: end))
        }
    }
}

// MARK: Receiving

extension StreamPlayer {
    private func receive() async throws {
        var results: ResultsWriter?
        do {
            results = try self.resultsPath.map { path in try ResultsWriter(path: path) }
            for try await received in self.connection.lines {
                guard try self.take(received) else { continue }
                if received.bytes.readableBytes > 0 { try await results?.write(received.bytes) }
            }
            try await results?.flush()
        } catch {
            self.connection.close()
            try? await results?.flush()
            try self.giveUpWaiting()
            throw error
        }
    }

    /// - Returns: Whether the line is one that counts.
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
            try self.board.frameEnded(record)
            self.comparison?.take(result, recordedSequence: frame.recordedSequence)
        case .error(let error) where !self.configuration.options.options.isEmpty:
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
    /// Ends the sending when time is over and frames are behind it; else when those that count should be answered.
    ///
    /// A frame that was due just before is still sent: a busy machine is no full socket.
    private func cancel(_ sending: Task<Outcome, any Error>, at end: ContinuousClock.Instant?) async {
        guard let end, (try? await self.clock.sleep(end + Self.grace)) != nil else { return }
        guard self.traffic.hasPassedEnd else { return sending.cancel() }
        guard (try? await self.clock.sleep(end + self.configuration.drain)) != nil else { return }
        self.finishLine.pass()
    }

    /// Notifies the other streams once all that counts is answered here.
    private func arriveIfComplete() {
        if self.traffic.isComplete(at: self.clock.now()) { self.finishLine.arrived(self.number) }
    }

    /// Ends the connection, whatever is still on its way.
    private func giveUp() {
        self.traffic.drained()
        self.connection.close()
    }

    /// Waits for the answers that are still to come, and closes the connection if that takes too long.
    ///
    /// A session that was played to its end is waited for as long as the server answers at all.
    private func limitDrain() async {
        guard self.traffic.endsAt != nil else { return }
        guard (try? await self.clock.sleep(self.clock.now() + self.configuration.drain)) != nil else { return }
        self.giveUp()
    }

    /// Gives the connection up when frames wait and the server says nothing for too long.
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
            "the server has answered nothing for \(self.configuration.timeout) while frames waited; see its log, "
                + "or allow more with --timeout"
        )
    }
}
