internal import CommandInput
internal import GlyphwireClient
internal import GlyphwireProtocol
internal import Logging
internal import TextEvents
internal import VideoSources

/// Run of `watch`: all sources at the same time, and others once the configuration is read again.
struct WatchRun: Sendable {
    /// What became of one source.
    struct Outcome: Sendable {
        fileprivate let reporter: SourceReporter
        /// Time until which the last frame of a video file is shown.
        fileprivate let end: Duration
        /// Whether a file was read to its end, or watching was stopped.
        let isComplete: Bool

        /// Cues of a video file, without those shorter than `minimum`.
        func cues(minimum: Duration) async -> [Cue] {
            await self.reporter.finishedCues(at: self.end, minimum: minimum)
        }
    }

    /// Source that is watched, or was until its end.
    private struct Watched {
        let reporter: SourceReporter
        let task: Task<Outcome, any Error>
        /// What became of it; `nil` while it is watched, or waits for the files to be read again.
        var outcome: Outcome?
        /// Whether the server has refused it for good, or its file cannot be watched.
        var hasFailed = false

        var source: WatchedSource { self.reporter.source }
    }

    private enum Happening: Sendable {
        /// A task of a source has ended.
        case ended(Task<Outcome, any Error>, Result<Outcome, any Error>)
        /// The sources are others from now on.
        case changed([WatchedSource])
        /// The sources do not change any more.
        case noMoreChanges
    }

    let sources: [WatchedSource]
    let sink: any EventSink
    let logger: Logger
    /// Sources that replace those before, each time that the files are read again.
    let changes: AsyncStream<[WatchedSource]>?

    /// Watches until all files are read, or the task is cancelled.
    ///
    /// - Parameter server: The server that reads the frames.
    /// - Returns: The outcomes, in the order of the sources.
    /// - Throws: In the first configuration, ``SourceError`` for a file that cannot be watched, or ``GlyphwireClientError`` for
    ///   a source that the server refuses at once.
    func watch(server: ServerAddress) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Happening.self) { happenings in
            var watched: [Watched] = []
            for source in self.sources {
                let reporter = await self.reporter(of: source, after: nil)
                watched.append(self.start(reporter, server: server, &happenings))
            }
            if let changes { happenings.addTask { await Self.next(of: changes) } }
            var isFirst = true
            while watched.contains(where: { $0.outcome == nil }), let happening = try await happenings.next() {
                switch happening {
                case .ended(let task, let result):
                    guard let index = watched.firstIndex(where: { $0.task == task }) else { continue }
                    // Like a mistake in the file, it would otherwise be found days later.
                    if isFirst, await watched[index].reporter.isNewToServer { _ = try result.get() }
                    await self.end(&watched[index], with: result)
                case .changed(let sources):
                    isFirst = false
                    watched = await self.change(watched, to: sources, server: server, &happenings)
                    if let changes { happenings.addTask { await Self.next(of: changes) } }
                case .noMoreChanges: break
                }
            }
            happenings.cancelAll()
            // Those that still waited were stopped.
            return watched.map { $0.outcome ?? Outcome(reporter: $0.reporter, end: .zero, isComplete: true) }
        }
    }

    private static func next(of changes: AsyncStream<[WatchedSource]>) async -> Happening {
        for await sources in changes { return .changed(sources) }
        return .noMoreChanges
    }

    /// Stops what is no longer watched, and starts what is new, has other options, or has failed.
    private func change(
        _ watched: [Watched],
        to sources: [WatchedSource],
        server: ServerAddress,
        _ happenings: inout ThrowingTaskGroup<Happening, any Error>
    ) async -> [Watched] {
        let kept = watched.filter { !$0.hasFailed && sources.contains($0.source) }
        let started = sources.filter { source in !kept.contains { $0.source == source } }
        for old in watched where !kept.contains(where: { $0.source == old.source }) {
            old.task.cancel()
            if !started.contains(where: { $0.name == old.source.name }) { await old.reporter.remove() }
        }
        var reporters: [SourceReporter] = []
        for source in started {
            let old = watched.first { $0.source.name == source.name }
            reporters.append(await self.reporter(of: source, after: old?.reporter))
        }
        // From here on, the sinks take no events of what was before.
        self.sink.sourcesChanged(to: sources.map(\.events))
        let all = kept + reporters.map { self.start($0, server: server, &happenings) }
        self.logger.notice("the sources were read again", metadata: ["count": .stringConvertible(all.count)])
        return sources.compactMap { source in all.first { $0.source == source } }
    }

    /// Creates the reporter of a source, with the texts that it had before with other options.
    ///
    /// What it cannot have any longer is reported as lost.
    private func reporter(of source: WatchedSource, after earlier: SourceReporter?) async -> SourceReporter {
        await SourceReporter(
            source,
            isLive: source.address.isLive,
            after: earlier,
            sink: self.sink,
            logger: self.logger
        )
    }

    /// Starts to watch a source.
    private func start(
        _ reporter: SourceReporter,
        server: ServerAddress,
        _ happenings: inout ThrowingTaskGroup<Happening, any Error>
    ) -> Watched {
        let task = Task { try await self.watch(reporter, server: server) }
        happenings.addTask {
            await withTaskCancellationHandler {
                .ended(task, await task.result)
            } onCancel: {
                task.cancel()
            }
        }
        return Watched(reporter: reporter, task: task)
    }

    private func watch(_ reporter: SourceReporter, server: ServerAddress) async throws -> Outcome {
        do {
            guard case .file(let path) = reporter.source.address else {
                return try await self.watch(reporter, video: nil, server: server)
            }
            let video = try await VideoExamination.properties(of: path)
            return try await self.watch(reporter, video: video, server: server)
        } catch is CancellationError {
            return Outcome(reporter: reporter, end: .zero, isComplete: true)
        }
    }

    private func watch(_ reporter: SourceReporter, video: VideoProbe?, server: ServerAddress) async throws -> Outcome {
        let source = reporter.source
        let frames = source.address.source(
            interval: source.interval,
            rate: source.rate,
            video: video,
            limits: WireLimits()
        )
        var isComplete = true
        let progress = video.flatMap { video in
            self.sources.count == 1 ? VideoProgress(name: source.name, duration: video.duration) : nil
        }
        let showing = Task {
            while let progress, !Task.isCancelled {
                progress.show(await reporter.position)
                try? await Task.sleep(for: VideoProgress.interval)
            }
        }
        defer {
            showing.cancel()
            progress?.clear()
        }
        do {
            try await Watcher(source: source, frames: frames, reporter: reporter).run(server: server)
        } catch let error as SourceError {
            isComplete = false
            await reporter.fail(error)
        } catch is CancellationError {}
        let isWhole = isComplete && !Task.isCancelled
        let position = await reporter.position
        let end = video?.end(afterPictureAt: position, rate: source.rate, isWhole: isWhole)
        return Outcome(reporter: reporter, end: end ?? .zero, isComplete: isComplete)
    }

    /// Takes what became of a source.
    ///
    /// A camera that the server refuses waits until a person has changed something, where files can be read again. Of a file
    /// the texts are lost, since it has ended.
    private func end(_ watched: inout Watched, with result: Result<Outcome, any Error>) async {
        switch result {
        case .success(let outcome): watched.outcome = outcome
        case .failure(let error):
            await watched.reporter.fail(error)
            watched.hasFailed = true
            if !watched.reporter.isLive {
                await watched.reporter.remove()
            } else if self.changes != nil {
                return
            }
            watched.outcome = Outcome(reporter: watched.reporter, end: .zero, isComplete: false)
        }
    }
}
