internal import GlyphwireClient
package import GlyphwireProtocol

/// Plays a session on one or several connections and measures what comes back.
package struct Replay: Sendable {
    /// How a run stands.
    package struct Progress: Sendable {
        /// Since the first frame was due.
        package var elapsed: Duration
        /// Since the last report.
        package var interval: Duration
        /// Since the start.
        package var total: ReplayStatistics
        /// Since the last report.
        package var recent: ReplayStatistics
    }

    /// What is played.
    package var configuration: ReplayConfiguration
    /// Called with every line of the first connection.
    package var onLine: (@Sendable (ServerLine) -> Void)?
    /// Called every second.
    package var onProgress: (@Sendable (Progress) -> Void)?

    /// A run of `configuration`.
    package init(
        _ configuration: ReplayConfiguration,
        onLine: (@Sendable (ServerLine) -> Void)? = nil,
        onProgress: (@Sendable (Progress) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.onLine = onLine
        self.onProgress = onProgress
    }

    /// Plays.
    ///
    /// - Parameter stop: Ends the run early.
    /// - Returns: What was measured; a stream that failed on the way is told there.
    /// - Throws: ``ReplayError`` if the session cannot be read, or ``GlyphwireClientError`` if a connection cannot be made.
    package func run(until stop: StopSignal = StopSignal()) async throws -> ReplayReport {
        let gap = try self.firstGap()
        let session = try SessionReader(path: self.configuration.session)
        let connections = try await self.connect()
        let board = StatisticsBoard()
        let startsAt = self.configuration.clock.now()
        let streams = connections.enumerated().map { index, connection in
            StreamPlayer(
                configuration: self.configuration,
                connection: connection,
                session: session,
                startsAt: startsAt + gap * index / connections.count,
                board: board,
                resultsPath: self.configuration.results(ofStream: index),
                onLine: index == 0 ? self.onLine : nil
            )
        }
        let outcomes = await withTaskGroup { group in
            group.addTask { await self.report(from: board, since: startsAt) }
            let outcomes = await self.play(streams, until: stop)
            group.cancelAll()
            return outcomes
        }
        return ReplayReport(
            statistics: board.total,
            connections: connections.count,
            elapsed: startsAt.duration(to: self.configuration.clock.now()),
            outcomes: outcomes
        )
    }

    /// The time between the first two frames, over which the connections are spread.
    private func firstGap() throws(ReplayError) -> Duration {
        var session = try SessionReader(path: self.configuration.session)
        var schedule = FrameSchedule(self.configuration.pace)
        var frames = 0
        while let message = try session.next() {
            guard message.header.type == MessageType.frame.rawValue else { continue }
            frames += 1
            let due = schedule.next(capturedMicroseconds: message.header.capturedMicroseconds)
            if frames == 2 { return due }
        }
        guard frames > 0 else {
            throw ReplayError(
                .notASession,
                "\(self.configuration.session) holds no whole frame and so is no session; make one with "
                    + "glyphwire-replay record"
            )
        }
        return schedule.next(capturedMicroseconds: 0)
    }

    private func connect() async throws -> [GlyphwireConnection] {
        var configuration = GlyphwireConnection.Configuration()
        configuration.now = self.configuration.clock.now
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

    private func report(from board: StatisticsBoard, since startsAt: ContinuousClock.Instant) async {
        guard let onProgress = self.onProgress else { return }
        let clock = self.configuration.clock
        var last = startsAt
        while (try? await clock.sleep(last + .seconds(1))) != nil {
            let now = clock.now()
            let (total, recent) = board.takeRecent()
            onProgress(
                Progress(
                    elapsed: startsAt.duration(to: now),
                    interval: last.duration(to: now),
                    total: total,
                    recent: recent
                )
            )
            last = now
        }
    }
}
