internal import CommandInput
internal import GlyphwireClient
internal import GlyphwireProtocol
internal import TextModel
internal import VideoSources

/// Watcher of one source: has its frames read by a server, and gives the results to a reporter.
struct Watcher: Sendable {
    let source: WatchedSource
    let frames: any FrameSource
    let reporter: SourceReporter

    /// Watches until a file ends, the server refuses the source for good, or the task is cancelled.
    ///
    /// - Parameter server: The server that reads the frames.
    /// - Throws: The error of a file, or ``GlyphwireClientError``; the reporter knows all that happened before.
    func run(server: ServerAddress) async throws {
        do {
            while try await !self.isWatched(over: try await self.connect(to: server)) {}
        } catch {
            await self.reporter.reportChanges()
            throw error
        }
    }

    /// Whether a failure of TLS, which the client takes for final, may pass.
    ///
    /// A certificate may be renewed late, and the clock of a board that has just started is wrong. Files end with such an error.
    private func mayPass(_ error: GlyphwireClientError) -> Bool { error.code == .cannotConnect && self.frames.isLive }

    /// Watches over a connection; `false` where a camera has to be watched over another one.
    private func isWatched(over connection: GlyphwireConnection) async throws -> Bool {
        defer { connection.close() }
        do {
            try await self.stream(over: connection)
            return true
        } catch let error as GlyphwireClientError where self.mayPass(error) {
            self.reporter.record(.server(.lost(error)))
            return false
        }
    }

    /// Connects to the server, and waits for it where it is not reachable, or refuses the source for now.
    private func connect(to server: ServerAddress) async throws -> GlyphwireConnection {
        let policy = ReconnectPolicy(maxAttempts: .max)
        let configuration = GlyphwireConnection.Configuration(
            stream: self.source.configuration,
            reconnect: policy,
            connectionChanged: { [reporter] in reporter.record(.server($0)) },
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
                self.reporter.record(.server(.restored))
                return connection
            } catch let error as GlyphwireClientError where !error.isPermanent || self.mayPass(error) {
                self.reporter.record(.server(error.code == .refused ? .refused(error) : .lost(error)))
                try await Task.sleep(for: max(backOff.failed(), error.minimumPause))
            }
        }
    }

    /// Has frames read over a connection, which makes itself again.
    ///
    /// - Throws: As ``run(server:)``.
    private func stream(over connection: GlyphwireConnection) async throws {
        let mailbox = FrameMailbox(isLive: self.frames.isLive)
        let failure = try await withThrowingTaskGroup(of: (any Error)?.self) { [frames, reporter] tasks in
            tasks.addTask {
                do {
                    try await SourceSupervisor(frames).run(into: mailbox) { reporter.record(.pictures($0)) }
                    return nil
                } catch {
                    return error
                }
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
            try await self.takeResults(of: connection, into: mailbox)
            tasks.cancelAll()
            return try await tasks.reduce(nil) { $0 ?? $1 }
        }
        if let failure, !Task.isCancelled { throw failure }
    }

    /// Gives all results to the reporter; afterwards the mailbox takes no more frames.
    private func takeResults(of connection: GlyphwireConnection, into mailbox: FrameMailbox) async throws {
        // A thread that waits to put a frame would keep the task group from ending.
        defer { mailbox.cancel() }
        try await withTaskCancellationHandler {
            for try await result in connection.results {
                await self.reporter.take(result)
                mailbox.answered()
            }
        } onCancel: {
            connection.close()
        }
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
                await self.reporter.take(FrameResult(unread: WireError(.messageTooLarge, error.message)))
                mailbox.answered()
            }
        }
        if !Task.isCancelled { try await connection.finish() }
    }
}
