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
        var source: WatchedSource
        var reporter: SourceReporter
        var task: Task<Outcome, any Error>
        /// What became of it; `nil` while it is watched, or waits for the files to be read again.
        var outcome: Outcome?
        /// Whether the server has refused it for good.
        var isRefused = false
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
    /// - Throws: ``GlyphwireClientError`` if the server refuses a source of the first configuration at once.
    func watch(server: ServerAddress) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Happening.self) { happenings in
            var watched: [Watched] = []
            for source in self.sources {
                watched.append(try await self.start(source, after: nil, server: server, &happenings))
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
                    watched = try await self.change(watched, to: sources, server: server, &happenings)
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

    /// Stops what is no longer watched, and starts what is new, has other options, or was refused.
    private func change(
        _ watched: [Watched],
        to sources: [WatchedSource],
        server: ServerAddress,
        _ happenings: inout ThrowingTaskGroup<Happening, any Error>
    ) async throws -> [Watched] {
        let names = Set(sources.map(\.name))
        for old in watched where !names.contains(old.source.name) {
            old.task.cancel()
            await old.reporter.remove()
        }
        self.sink.sourcesChanged(to: sources.map(\.events))
        var result: [Watched] = []
        for source in sources {
            let old = watched.first { $0.source.name == source.name }
            if let old, old.source == source, !old.isRefused {
                result.append(old)
                continue
            }
            old?.task.cancel()
            do {
                result.append(try await self.start(source, after: old?.reporter, server: server, &happenings))
            } catch let error as SourceError {
                self.report(error, of: source)
            }
        }
        self.logger.notice("the sources were read again", metadata: ["count": "\(result.count)"])
        return result
    }

    /// Starts to watch a source.
    private func start(
        _ source: WatchedSource,
        after earlier: SourceReporter?,
        server: ServerAddress,
        _ happenings: inout ThrowingTaskGroup<Happening, any Error>
    ) async throws -> Watched {
        var video: VideoProbe?
        if case .file(let path) = source.address { video = try VideoProbe(path: path) }
        let frames = source.address.source(
            interval: source.interval,
            rate: source.rate,
            video: video,
            limits: WireLimits()
        )
        let reporter = await SourceReporter(
            source,
            isLive: frames.isLive,
            after: earlier,
            sink: self.sink,
            logger: self.logger
        )
        let watcher = Watcher(source: source, frames: frames, reporter: reporter)
        let task = Task { [video] in try await self.watch(watcher, video: video, server: server) }
        happenings.addTask {
            await withTaskCancellationHandler {
                .ended(task, await task.result)
            } onCancel: {
                task.cancel()
            }
        }
        return Watched(source: source, reporter: reporter, task: task)
    }

    private func watch(_ watcher: Watcher, video: VideoProbe?, server: ServerAddress) async throws -> Outcome {
        let (source, reporter) = (watcher.source, watcher.reporter)
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
            try await watcher.run(server: server)
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
    /// A camera that the server refuses waits until a person has changed something, where files can be read again.
    private func end(_ watched: inout Watched, with result: Result<Outcome, any Error>) async {
        switch result {
        case .success(let outcome): watched.outcome = outcome
        case .failure(let error):
            await watched.reporter.fail(error)
            watched.isRefused = true
            if self.changes != nil, watched.reporter.isLive { return }
            watched.outcome = Outcome(reporter: watched.reporter, end: .zero, isComplete: false)
        }
    }

    private func report(_ error: any Error, of source: WatchedSource) {
        self.logger.error("source failed", metadata: ["source": "\(source.name)", "reason": "\(error)"])
    }
}
