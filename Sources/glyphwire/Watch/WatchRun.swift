internal import GlyphwireProtocol
internal import Logging
internal import TextEvents
internal import VideoSources

/// Run of `watch`: all sources at the same time.
struct WatchRun: Sendable {
    /// What became of one source.
    struct Outcome: Sendable {
        fileprivate let reporter: SourceReporter
        fileprivate let frameDuration: Duration
        /// Whether a file was read to its end, or watching was stopped.
        let isComplete: Bool

        /// Cues of a video file, without those shorter than `minimum`.
        func cues(minimum: Duration) async -> [Cue] {
            await self.reporter.finishedCues(lastFrame: self.frameDuration, minimum: minimum)
        }
    }

    let sources: [WatchedSource]
    let sinks: [any EventSink]
    let logger: Logger

    /// Watches until all files are read, or the task is cancelled.
    ///
    /// - Parameter server: The server that reads the frames.
    /// - Returns: The outcomes, in the order of the sources.
    /// - Throws: ``GlyphwireClientError`` if the server cannot be used.
    func watch(server: ServerAddress) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: (Int, Outcome).self) { tasks in
            for number in self.sources.indices {
                tasks.addTask { (number, try await self.watch(number, server: server)) }
            }
            return try await tasks.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    private func watch(_ number: Int, server: ServerAddress) async throws -> Outcome {
        let source = self.sources[number]
        var video: VideoProbe?
        if case .file(let path) = source.address { video = try VideoProbe(path: path) }
        let frames = source.address.source(
            interval: source.interval,
            rate: source.rate,
            video: video,
            limits: WireLimits()
        )
        let reporter = SourceReporter(
            source,
            number: number,
            isLive: frames.isLive,
            sinks: self.sinks,
            logger: self.logger
        )
        let watcher = Watcher(source: source, frames: frames, reporter: reporter, logger: self.logger)
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
        do {
            try await watcher.run(server: server)
        } catch let error as SourceError {
            isComplete = false
            self.logger.error("source failed", metadata: ["source": "\(source.name)", "reason": "\(error)"])
        } catch is CancellationError {}
        showing.cancel()
        progress?.clear()
        return Outcome(
            reporter: reporter,
            frameDuration: (source.rate ?? video?.framesPerSecond)?.frameDuration ?? .zero,
            isComplete: isComplete
        )
    }
}
