internal import GlyphwireClient
internal import GlyphwireProtocol
internal import Logging
internal import TextEvents
internal import TextModel
internal import VideoSources

/// Reporter of one source, which makes events of its results and gives them to a sink.
actor SourceReporter {
    private let source: WatchedSource
    private let isLive: Bool
    private let sink: any EventSink
    private let logger: Logger
    private var tracker: TextChangeTracker
    private var cues: CueBuilder
    /// Time of the last frame.
    private var lastMicroseconds: UInt64 = 0
    private var lastError: WireError.Code?

    /// Whether the source is no longer watched, so that late results do not count.
    private var isStopped = false

    /// Creates a reporter.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - isLive: Whether it is no file.
    ///   - earlier: The reporter of the source with its former options, whose texts it takes over; `nil` for none.
    ///   - sink: The receiver of events.
    ///   - logger: The log.
    init(
        _ source: WatchedSource,
        isLive: Bool,
        after earlier: SourceReporter?,
        sink: any EventSink,
        logger: Logger
    ) async {
        self.tracker = await earlier?.stop() ?? TextChangeTracker()
        self.source = source
        self.cues = CueBuilder(coordinates: source.configuration.coordinates)
        self.isLive = isLive
        self.sink = sink
        self.logger = logger
    }

    /// Takes the result of a frame.
    func take(_ result: FrameResult) async {
        guard !self.isStopped else { return }
        switch result.outcome {
        case .ok(let text):
            self.lastError = nil
            self.lastMicroseconds = max(self.lastMicroseconds, result.capturedMicroseconds)
            let changes = self.tracker.update(
                text,
                at: self.lastMicroseconds,
                configuration: self.source.configuration
            )
            if !self.isLive { self.cues.add(changes, at: self.lastMicroseconds) }
            await self.report(changes.map { .text($0) }, at: self.lastMicroseconds)
        // The watcher logs that the server is away, whether a picture was on its way or not.
        case .error(let error) where error.code == .connectionLost: self.tracker.connectionLost()
        case .error(let error):
            guard error.code != self.lastError else { return }
            self.lastError = error.code
            self.logger.warning(
                "picture not read",
                metadata: ["source": "\(self.source.name)", "error": "\(error.message)"]
            )
        case .dropped, .expired, .other: break
        }
    }

    /// Takes a change of the source's state.
    func take(_ change: SourceSupervisor.Change) async {
        guard !self.isStopped else { return }
        switch change {
        case .online:
            self.logger.info("source is online", metadata: ["source": "\(self.source.name)"])
            await self.report([.online], at: WallClock.microseconds)
        case .offline(let reason):
            self.logger.warning(
                "source is offline, and is tried again",
                metadata: ["source": "\(self.source.name)", "reason": "\(reason)"]
            )
            await self.report([.offline(reason)], at: WallClock.microseconds)
        case .stillOffline(let reason):
            self.logger.warning(
                "source is still offline",
                metadata: ["source": "\(self.source.name)", "reason": "\(reason)"]
            )
        }
    }

    /// Reports that all texts are lost and the source is offline, since it is no longer watched.
    func remove() async {
        guard !self.isStopped else { return }
        let lost = self.stop().lostTexts
        await self.report(lost.map { .text($0) } + [.offline("it is no longer watched")], at: WallClock.microseconds)
    }

    /// Takes no more results.
    ///
    /// - Returns: The texts.
    private func stop() -> TextChangeTracker {
        self.isStopped = true
        self.tracker.connectionLost()
        return self.tracker
    }

    /// Position of the last frame in a video file.
    var position: Duration { .microseconds(self.lastMicroseconds) }

    /// Cues of a video file whose last frame lasts for `frame`, without those shorter than `minimum`.
    func finishedCues(lastFrame frame: Duration, minimum: Duration) -> [Cue] {
        self.cues.finish(
            at: self.lastMicroseconds + UInt64(clamping: frame.microseconds),
            minimum: UInt64(clamping: minimum.microseconds)
        )
    }

    private func report(_ events: [TextEvent.Kind], at microseconds: UInt64) async {
        guard !events.isEmpty else { return }
        let time: EventTime = self.isLive ? .wall(microseconds: microseconds) : .position(microseconds: microseconds)
        let report = EventReport(
            events: events.map { TextEvent($0, source: self.source.name, time: time) },
            texts: self.isStopped ? [] : self.tracker.texts,
            source: self.source.events
        )
        self.sink.send(report)
        if !self.isLive { await self.sink.waitForRoom() }
    }
}
