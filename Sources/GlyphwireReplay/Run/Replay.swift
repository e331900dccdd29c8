internal import GlyphwireClient
package import GlyphwireProtocol
internal import TextModel
internal import NIOPosix

/// Playback of a session on one or several connections, with measurements of the results.
package struct Replay: Sendable {
    /// Progress of a run.
    package struct Progress: Sendable {
        /// Time since the first frame was due.
        package var elapsed: Duration
        /// Time since the last report.
        package var interval: Duration
        /// Statistics since the start, without the warm-up.
        package var total: ReplayStatistics
        /// Statistics since the last report.
        package var recent: ReplayStatistics
        /// Age of the newest text, on the worst connection; `nil` before a frame is due.
        package var age: Duration?
    }

    /// Check of the results.
    package enum Check: Sendable {
        /// No check.
        case none
        /// Comparison with an expectation.
        case expect(Expectation)
        /// No check, but collection of the results as an expectation for another run.
        case learn
    }

    /// Time in which a server has freed the places of connections that were closed just before a run.
    private static let releaseTime = Duration.seconds(1)
    /// Pause before a connection that found no place is made again.
    private static let retryPause = Duration.milliseconds(20)

    /// Configuration of the run.
    package var configuration: ReplayConfiguration
    /// Check of the results.
    package var check: Check
    /// Callback for every line of the first connection.
    package var onLine: (@Sendable (ServerLine) -> Void)?
    /// Callback for the progress, every second.
    package var onProgress: (@Sendable (Progress) -> Void)?

    /// Creates a run of `configuration`.
    package init(
        _ configuration: ReplayConfiguration,
        check: Check = .none,
        onLine: (@Sendable (ServerLine) -> Void)? = nil,
        onProgress: (@Sendable (Progress) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.check = check
        self.onLine = onLine
        self.onProgress = onProgress
    }

    /// Plays the session.
    ///
    /// Connections that break end their streams, not the run: it lasts as planned while there are others.
    ///
    /// - Parameter stop: Ends the run early.
    /// - Returns: The measurements, with the failed streams.
    /// - Throws: ``ReplayError`` if the session cannot be read, or ``GlyphwireClientError`` if a connection cannot be
    ///   made.
    package func run(until stop: StopSignal = StopSignal()) async throws -> ReplayOutcome {
        try self.checkOutputs()
        let (session, gap) = try self.openSession()
        let makeFeed = try await self.feedMaker(session)
        let connections = try await self.connect()
        let startsAt = self.configuration.clock.now()
        let endsAt = self.configuration.duration.map { startsAt + $0 }
        let log = try self.configuration.frameLog.map { path throws(ReplayError) in
            try FrameLog(path: path, apartFrom: self.configuration.inputs, startsAt: startsAt)
        }
        let starts = connections.indices.map { startsAt + gap * $0 / connections.count }
        let board = StatisticsBoard(
            starts: starts,
            deadline: self.configuration.deadline,
            measuredFrom: startsAt + self.configuration.warmup,
            log: log
        )
        let finishLine = FinishLine(streams: connections.count)
        let comparison = self.comparison
        let streams = connections.enumerated().map { index, connection in
            StreamPlayer(
                number: index,
                configuration: self.configuration,
                connection: connection,
                source: FrameSource(
                    passes: self.configuration.passes,
                    schedule: self.configuration.maxInFlight == nil
                        ? FrameSchedule(self.configuration.pace, stream: index) : nil,
                    makeFeed: makeFeed
                ),
                startsAt: starts[index],
                endsAt: endsAt,
                board: board,
                finishLine: finishLine,
                comparison: comparison,
                onLine: index == 0 ? self.onLine : nil
            )
        }
        let timeline = TimelineRecorder(startsAt: startsAt, warmup: self.configuration.warmup)
        let results = await withTaskGroup { group in
            group.addTask { await self.report(from: board, to: timeline) }
            let results = await self.play(streams, until: stop)
            group.cancelAll()
            return results
        }
        var outcome = self.outcome(of: results, on: board, timeline, stop)
        (outcome.agreement, outcome.learned) = (comparison?.agreement, comparison?.learned)
        outcome.server = connections.first?.hello
        // What was measured is reported without its log too.
        do throws(ReplayError) { try log?.finish() } catch { outcome.logFailure = error.message }
        return outcome
    }

    /// Creates the outcome of streams that have ended, and the last entries of the timeline.
    private func outcome(
        of streams: [Result<StreamPlayer.Outcome, any Error>],
        on board: StatisticsBoard,
        _ timeline: TimelineRecorder,
        _ stop: StopSignal
    ) -> ReplayOutcome {
        // A run that is stopped ends then, whatever was planned.
        let plannedEnd = stop.isStopped ? nil : board.plannedEnd
        let endedAt = max(self.configuration.clock.now(), plannedEnd ?? timeline.startsAt)
        for end in timeline.remainingEnds(until: endedAt) { timeline.record(board.takeRecent(at: end), at: end) }
        return ReplayOutcome(
            statistics: board.total,
            shares: board.shares,
            warmUpFrames: board.warmUpFrames,
            timeline: timeline.entries,
            elapsed: timeline.startsAt.duration(to: endedAt),
            streams: streams
        )
    }

    private var comparison: ResultComparison? {
        switch self.check {
        case .none: nil
        case .expect(let expectation): ResultComparison(expectation)
        case .learn: ResultComparison(nil)
        }
    }

    /// Throws if a file that is written during the run is one that the command reads, or cannot be written.
    private func checkOutputs() throws(ReplayError) {
        let results = (0..<self.configuration.connections).compactMap { self.configuration.results(ofStream: $0) }
        for path in results + [self.configuration.frameLog].compactMap(\.self) {
            try OutputFile.probe(path, apartFrom: self.configuration.inputs)
        }
    }

    /// Opens the session and returns the time between its first two frames, by which connections are staggered.
    private func openSession() throws(ReplayError) -> (session: WindowedReader, gap: Duration) {
        let session = WindowedReader(
            try SessionReader(path: self.configuration.session),
            window: self.configuration.window
        )
        var reader = session
        var schedule = FrameSchedule(self.configuration.pace)
        var frames = 0
        while let message = try reader.next() {
            guard message.header.type == MessageType.frame.rawValue else { continue }
            frames += 1
            let due = schedule.next(capturedMicroseconds: message.header.capturedMicroseconds)
            if frames == 2 { return (session, due) }
        }
        guard frames > 0 else { throw self.noFrame(of: reader) }
        return (session, schedule.next(capturedMicroseconds: 0))
    }

    private func noFrame(of reader: WindowedReader) -> ReplayError {
        let path = self.configuration.session
        guard self.configuration.window == SessionWindow() else {
            return ReplayError(
                .notASession,
                "\(path) has no frame between --start and --until; glyphwire-replay info reports its length"
            )
        }
        return ReplayError(
            .notASession,
            "\(path) holds no whole frame and so is no session; make one with glyphwire-replay record"
        )
    }

    /// Returns the factory of session feeds, from memory or from the file.
    private func feedMaker(_ session: WindowedReader) async throws -> @Sendable () -> SessionFeed {
        guard self.configuration.isPreloaded else { return { SessionFeed(session) } }
        let batch = try await SessionFeed.preload(session)
        return { SessionFeed(batch) }
    }

    /// Makes the connections; one whose refusal for lack of a place comes with its `hello` is made again for a second.
    private func connect() async throws -> [GlyphwireConnection] {
        var configuration = GlyphwireConnection.Configuration()
        let clock = self.configuration.clock
        configuration.now = clock.now
        configuration.tls = self.configuration.tls
        let retriesUntil = clock.now() + Self.releaseTime
        var connections: [GlyphwireConnection] = []
        while connections.count < self.configuration.connections {
            let connection = try await GlyphwireConnection.connect(
                host: self.configuration.host,
                port: self.configuration.port,
                configuration: configuration
            )
            let refusal = await connection.failure?.wireError?.code
            if refusal == .tooManyConnections, clock.now() < retriesUntil {
                try await clock.sleep(clock.now() + Self.retryPause)
            } else {
                connections.append(connection)
            }
        }
        return connections
    }

    /// Plays all streams and returns their results in order.
    private func play(
        _ streams: [StreamPlayer],
        until stop: StopSignal
    ) async -> [Result<StreamPlayer.Outcome, any Error>] {
        await withTaskGroup(of: (Int, Result<StreamPlayer.Outcome, any Error>).self) { group in
            for (index, stream) in streams.enumerated() {
                group.addTask {
                    do {
                        return (index, .success(try await stream.play(until: stop)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    private func report(from board: StatisticsBoard, to timeline: TimelineRecorder) async {
        let clock = self.configuration.clock
        var last = timeline.startsAt
        while (try? await clock.sleep(last + .seconds(1))) != nil {
            let now = clock.now()
            let figures = board.takeRecent(at: now)
            timeline.record(figures, at: now)
            self.onProgress?(
                Progress(
                    elapsed: timeline.startsAt.duration(to: now),
                    interval: last.duration(to: now),
                    total: figures.total,
                    recent: figures.recent,
                    age: figures.age
                )
            )
            last = now
        }
    }
}
