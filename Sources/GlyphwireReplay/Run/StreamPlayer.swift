internal import GlyphwireClient
internal import GlyphwireProtocol
internal import NIOCore
internal import Synchronization

/// Plays a session on one connection: sends each frame when it is due, and takes the results.
struct StreamPlayer: Sendable {
    /// What the sender tells the receiver.
    private struct Traffic {
        /// When the frames were due whose results are to come.
        var due = CircularBuffer<ContinuousClock.Instant>()
        /// When the server last said something, or was first asked for something.
        var lastLine: ContinuousClock.Instant
        /// Whether all was sent, and the server is asked to end.
        var isFinishing = false
        var hasTimedOut = false
    }

    /// What is known when a session has been played.
    struct Outcome: Sendable {
        var ending: SessionReader.Ending?
        var guessedGaps = 0
    }

    let configuration: ReplayConfiguration
    let connection: GlyphwireConnection
    let session: SessionReader
    let startsAt: ContinuousClock.Instant
    let board: StatisticsBoard
    let resultsPath: String?
    let onLine: (@Sendable (ServerLine) -> Void)?
    private let traffic: Box

    private final class Box: Sendable {
        let state: Mutex<Traffic>
        init(_ traffic: Traffic) { self.state = Mutex(traffic) }
    }

    init(
        configuration: ReplayConfiguration,
        connection: GlyphwireConnection,
        session: SessionReader,
        startsAt: ContinuousClock.Instant,
        board: StatisticsBoard,
        resultsPath: String?,
        onLine: (@Sendable (ServerLine) -> Void)?
    ) {
        self.configuration = configuration
        self.connection = connection
        self.session = session
        self.startsAt = startsAt
        self.board = board
        self.resultsPath = resultsPath
        self.onLine = onLine
        self.traffic = Box(Traffic(lastLine: startsAt))
    }

    private var clock: ReplayClock { self.configuration.clock }

    /// Plays the session until it ends or `stop` is given, and waits for the last result.
    func play(until stop: StopSignal) async throws -> Outcome {
        let sending = Task { try await self.send() }
        stop.onStop { sending.cancel() }
        async let received: Void = self.receive()
        async let _ = self.watch()
        do {
            let outcome = try await withTaskCancellationHandler {
                try await sending.value
            } onCancel: {
                sending.cancel()
            }
            self.traffic.state.withLock { traffic in
                traffic.isFinishing = true
                traffic.lastLine = max(traffic.lastLine, self.clock.now())
            }
            try await self.connection.finish()
            try await received
            return outcome
        } catch {
            self.connection.close()
            sending.cancel()
            _ = await sending.result
            var cause = error
            do { try await received } catch { cause = error }
            let (hasTimedOut, lost) = self.traffic.state.withLock { ($0.hasTimedOut, $0.due.count) }
            self.board.update { statistics in
                for _ in 0..<lost { statistics.frameLost() }
            }
            throw hasTimedOut ? self.timeout : cause
        }
    }

    // MARK: Sending

    private func send() async throws -> Outcome {
        var outcome = Outcome()
        var schedule = FrameSchedule(self.configuration.pace)
        var numbering = FrameNumbering()
        var pass = 0
        var isFirstMessage = true
        do {
            while self.configuration.passes.map({ pass < $0 }) ?? true {
                var feed = SessionFeed(self.session)
                while let message = try await feed.next() {
                    let type = MessageType(rawValue: message.header.type)
                    if isFirstMessage, type != .configure, let configure = try self.configuration.options.message() {
                        try await self.connection.send(configure)
                    }
                    isFirstMessage = false
                    switch type {
                    case .frame:
                        let captured = message.header.capturedMicroseconds
                        let due = self.startsAt + schedule.next(capturedMicroseconds: captured)
                        let frame = Message(header: numbering.next(message.header), payload: message.payload)
                        try await self.send(frame, dueAt: due)
                    case .configure:
                        try await self.connection.send(try self.configuration.options.applied(to: message))
                    case .end:
                        break
                    case .ping, .stats, nil:
                        try await self.connection.send(message)
                    }
                }
                outcome.ending = feed.ending
                schedule.startOver()
                numbering.startOver()
                pass += 1
            }
        } catch is CancellationError {
            // The run was stopped: what was sent is still answered.
        }
        outcome.guessedGaps = schedule.guessedGaps
        return outcome
    }

    private func send(_ frame: Message, dueAt due: ContinuousClock.Instant) async throws {
        try Task.checkCancellation()
        if due > self.clock.now() { try await self.clock.sleep(due) }
        self.traffic.state.withLock { traffic in
            if traffic.due.isEmpty { traffic.lastLine = max(traffic.lastLine, self.clock.now()) }
            traffic.due.append(due)
        }
        do {
            let sentAt = try await self.connection.send(frame)
            self.board.update { $0.frameSent(lateBy: due.duration(to: sentAt)) }
        } catch {
            self.traffic.state.withLock { traffic in _ = traffic.due.popLast() }
            throw error
        }
    }

    // MARK: Receiving

    private func receive() async throws {
        do {
            var results = try self.resultsPath.map { path in try ResultsWriter(path: path) }
            for try await received in self.connection.lines {
                try self.take(received)
                if received.bytes.readableBytes > 0 { try await results?.write(received.bytes) }
            }
            try await results?.flush()
        } catch {
            self.connection.close()
            throw error
        }
    }

    private func take(_ received: ReceivedLine) throws(ReplayError) {
        let due = self.traffic.state.withLock { traffic -> ContinuousClock.Instant? in
            traffic.lastLine = received.receivedAt
            if case .result = received.line { return traffic.due.popFirst() }
            return nil
        }
        if case .result(let result) = received.line, let due, let sentAt = received.sentAt {
            self.board.update { statistics in
                if case .error(let error) = result.outcome, error.code == .connectionLost {
                    statistics.frameLost()
                } else {
                    statistics.frameAnswered(result, dueAt: due, sentAt: sentAt, receivedAt: received.receivedAt)
                }
            }
        }
        if case .error(let error) = received.line, !self.configuration.options.options.isEmpty {
            throw ReplayError(
                .badConfiguration,
                "the server refuses the options (\(error.error.code.rawValue)): \(error.error.message)"
            )
        }
        self.onLine?(received.line)
    }

    // MARK: Watching

    /// Gives the connection up when frames wait and the server says nothing for too long.
    private func watch() async {
        var wakeAt = self.startsAt + self.configuration.timeout
        while (try? await self.clock.sleep(wakeAt)) != nil, !Task.isCancelled {
            let now = self.clock.now()
            let deadline = self.traffic.state.withLock { traffic -> ContinuousClock.Instant? in
                if traffic.due.isEmpty, !traffic.isFinishing { traffic.lastLine = now }
                let deadline = traffic.lastLine + self.configuration.timeout
                traffic.hasTimedOut = deadline <= now
                return traffic.hasTimedOut ? nil : deadline
            }
            guard let deadline else { return self.connection.close() }
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
