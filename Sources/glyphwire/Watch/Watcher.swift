internal import GlyphwireClient
internal import GlyphwireProtocol
internal import Logging
internal import TextModel
internal import VideoSources

/// Watcher of one source: has its frames read by a server, and gives the results to a reporter.
struct Watcher: Sendable {
    let source: WatchedSource
    let frames: any FrameSource
    let reporter: SourceReporter
    let logger: Logger

    /// Watches until a file ends or the task is cancelled.
    ///
    /// - Parameter server: The server that reads the frames.
    /// - Throws: The error of a file, or ``GlyphwireClientError``.
    func run(server: ServerAddress) async throws {
        let connection = try await self.connect(to: server)
        defer { connection.close() }
        let mailbox = FrameMailbox(isLive: self.frames.isLive)
        let (changes, change) = AsyncStream.makeStream(of: SourceSupervisor.Change.self)
        let failure = try await withThrowingTaskGroup(of: (any Error)?.self) { [frames, reporter] tasks in
            tasks.addTask {
                defer { change.finish() }
                do {
                    try await SourceSupervisor(frames).run(into: mailbox) { change.yield($0) }
                    return nil
                } catch {
                    return error
                }
            }
            tasks.addTask {
                for await change in changes where frames.isLive { await reporter.take(change) }
                return nil
            }
            tasks.addTask {
                do {
                    try await self.sendFrames(from: mailbox, over: connection)
                    return nil
                } catch {
                    // No more results come, for which the loop below would wait.
                    connection.close()
                    return error
                }
            }
            try await withTaskCancellationHandler {
                for try await result in connection.results {
                    mailbox.answered()
                    await reporter.take(result)
                }
            } onCancel: {
                connection.close()
            }
            mailbox.cancel()
            tasks.cancelAll()
            return try await tasks.reduce(nil) { $0 ?? $1 }
        }
        if let failure, !Task.isCancelled { throw failure }
    }

    /// Sends frames until the last one, and then waits for their results.
    ///
    /// One that is too large for the server is reported like one that the server cannot read.
    private func sendFrames(from mailbox: FrameMailbox, over connection: GlyphwireConnection) async throws {
        while var frame = await mailbox.take() {
            if let orientation = self.source.orientation { frame.orientation = orientation }
            do {
                try await connection.send(frame)
            } catch let error as GlyphwireClientError where error.code == .messageTooLarge {
                mailbox.answered()
                await self.reporter.take(FrameResult(unread: WireError(.messageTooLarge, error.message)))
            }
        }
        if !Task.isCancelled { try await connection.finish() }
    }

    /// Connects to the server, and waits for it where it is not reachable.
    private func connect(to server: ServerAddress) async throws -> GlyphwireConnection {
        let policy = ReconnectPolicy(maxAttempts: .max)
        let configuration = GlyphwireConnection.Configuration(
            stream: self.source.configuration,
            reconnect: policy,
            connectionChanged: { [logger, name = self.source.name] in Self.log($0, of: name, to: logger) },
            tls: self.source.tls?.settings
        )
        var backOff = BackOff(policy)
        while true {
            do {
                let connection = try await GlyphwireConnection.connect(
                    host: server.host,
                    port: server.port,
                    configuration: configuration
                )
                if backOff.hasFailed { Self.log(.restored, of: self.source.name, to: self.logger) }
                return connection
            } catch let error as GlyphwireClientError where [.cannotConnect, .timedOut].contains(error.code) {
                if !backOff.hasFailed { Self.log(.lost(error), of: self.source.name, to: self.logger) }
                try await Task.sleep(for: backOff.failed())
            }
        }
    }

    private static func log(_ change: GlyphwireConnection.ConnectionChange, of source: String, to logger: Logger) {
        switch change {
        case .lost(let error):
            logger.warning("waiting for the server", metadata: ["source": "\(source)", "reason": "\(error)"])
        case .restored:
            logger.info("the server is back", metadata: ["source": "\(source)"])
        }
    }
}
