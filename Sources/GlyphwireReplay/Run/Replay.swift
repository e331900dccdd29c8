internal import GlyphwireClient
package import GlyphwireProtocol
internal import TextModel
internal import NIOPosix

/// Plays a session on one or several connections and measures what comes back.
package struct Replay: Sendable {
    /// How a run stands.
    package struct Progress: Sendable {
        /// Since the first frame was due.
        package var elapsed: Duration
        /// Since the last report.
        package var interval: Duration
        /// Since the start, without the warm-up.
        package var total: ReplayStatistics
        /// Since the last report.
        package var recent: ReplayStatistics
        /// How old the newest text is, on the connection that is worst off; `nil` before there is any.
        package var age: Duration?
    }

    /// What results are held against.
    package enum Check: Sendable {
        /// Nothing.
        case none
        /// What is known of the session's frames.
        case expect(Expectation)
        /// Nothing; what is read is kept, to be expected of another run.
        case learn
    }

    /// What is played.
    package var configuration: ReplayConfiguration
    /// What results are held against.
    package var check: Check
    /// Called with every line of the first connection.
    package var onLine: (@Sendable (ServerLine) -> Void)?
    /// Called every second.
    package var onProgress: (@Sendable (Progress) -> Void)?

    /// A run of `configuration`.
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

    /// Plays.
    ///
    /// - Parameter stop: Ends the run early.
    /// - Returns: The measurements, with the streams that failed on the way.
    /// - Throws: ``ReplayError`` if the session cannot be read, or ``GlyphwireClientError`` if a connection cannot be made.
    package func run(until stop: StopSignal = StopSignal()) async throws -> ReplayOutcome {
        let (session, gap) = try self.openSession()
        let makeFeed = try await self.feedMaker(session)
        let connections = try await self.connect()
        let startsAt = self.configuration.clock.now()
        let endsAt = self.configuration.duration.map { startsAt + $0 }
        let log = try self.configuration.frameLog.map { path throws(ReplayError) in
            try FrameLog(path: path, startsAt: startsAt)
        }
        let board = StatisticsBoard(
            streams: connections.count,
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
                startsAt: startsAt + gap * index / connections.count,
                endsAt: endsAt,
                board: board,
                finishLine: finishLine,
                comparison: comparison,
                onLine: index == 0 ? self.onLine : nil
            )
        }
        let timeline = TimelineRecorder(startsAt: startsAt, warmup: self.configuration.warmup)
        let outcomes = await withTaskGroup { group in
            group.addTask { await self.report(from: board, to: timeline) }
            let outcomes = await self.play(streams, until: stop)
            group.cancelAll()
            return outcomes
        }
        let endedAt = self.configuration.clock.now()
        timeline.record(board.takeRecent(at: endedAt), at: endedAt)
        try log?.finish()
        return ReplayOutcome(
            statistics: board.total,
            warmUpFrames: board.warmUpFrames,
            timeline: timeline.entries,
            agreement: comparison?.agreement,
            learned: comparison?.learned,
            server: connections.first?.hello,
            elapsed: startsAt.duration(to: endedAt),
            streams: outcomes
        )
    }

    private var comparison: ResultComparison? {
        switch self.check {
        case .none: nil
        case .expect(let expectation): ResultComparison(expectation)
        case .learn: ResultComparison(nil)
        }
    }

    /// The session, and the time between its first two frames, over which the connections are spread.
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
                "\(path) has no frame between --start and --until; glyphwire-replay info shows how long it is"
            )
        }
        return ReplayError(
            .notASession,
            "\(path) holds no whole frame and so is no session; make one with glyphwire-replay record"
        )
    }

    /// What begins to hand out the session, from memory or from the file.
    private func feedMaker(_ session: WindowedReader) async throws -> @Sendable () -> SessionFeed {
        guard self.configuration.isPreloaded else { return { SessionFeed(session) } }
        let batch = try await SessionFeed.preload(session)
        return { SessionFeed(batch) }
    }

    private func connect() async throws -> [GlyphwireConnection] {
        var configuration = GlyphwireConnection.Configuration()
        configuration.now = self.configuration.clock.now
        configuration.tls = self.configuration.tls
        var connections: [GlyphwireConnection] = []
        for _ in 0..<self.configuration.connections {
            let connection = try await GlyphwireConnection.connect(
                host: self.configuration.host,
                port: self.configuration.port,
                configuration: configuration
            )
            connections.append(connection)
        }
        return connections
    }

    /// How each stream ended, in their order.
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
