internal import GlyphwireClient
internal import GlyphwireProtocol
internal import Logging
internal import TextEvents
internal import TextModel
internal import VideoSources

/// Reporter of one source, which makes events of its results and gives them to a sink.
actor SourceReporter {
    /// Change of what a source depends on.
    enum Change: Sendable {
        /// Its pictures come, or do not come.
        case pictures(SourceSupervisor.Change)
        /// The server reads them, is away, or refuses them.
        case server(GlyphwireConnection.ConnectionChange)
    }

    /// What is known of the server.
    private enum Server {
        case unknown
        /// It reads the pictures.
        case present
        case away
        /// It refuses the source, for a reason.
        case refusing(GlyphwireClientError)
    }

    private let source: WatchedSource
    /// Whether it is no file.
    let isLive: Bool
    private let sink: any EventSink
    private let logger: Logger
    private var tracker: TextChangeTracker
    private var cues: CueBuilder
    /// Time of the last frame.
    private var lastMicroseconds: UInt64 = 0
    private var lastError: WireError.Code?
    private var server = Server.unknown
    private var sendsPictures = false
    /// Whether the source is online, as last reported; `nil` before.
    private var isOnline: Bool?

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
        // That the server is away is logged once, whether a picture was on its way or not.
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

    /// Takes an error that ends the watching of the source.
    func fail(_ error: any Error) async {
        guard !self.isStopped else { return }
        self.log(.error, "source failed", reason: "\(error)")
        await self.goOffline("\(error)")
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

    private func log(_ level: Logger.Level, _ message: Logger.Message, reason: String) {
        self.logger.log(level: level, message, metadata: ["source": "\(self.source.name)", "reason": "\(reason)"])
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

// MARK: Online and offline

extension SourceReporter {
    /// Whether nothing is known of the server: neither has it taken the source, nor was it away.
    var isNewToServer: Bool { if case .unknown = self.server { true } else { false } }

    /// Takes a change of what the source depends on.
    func take(_ change: Change) async {
        guard !self.isStopped else { return }
        switch change {
        case .pictures(let change): if self.isLive { await self.take(change) }
        case .server(let change): await self.take(change)
        }
    }

    private func take(_ change: SourceSupervisor.Change) async {
        switch change {
        case .online:
            self.logger.info("source is online", metadata: ["source": "\(self.source.name)"])
            self.sendsPictures = true
            await self.goOnline()
        case .offline(let reason):
            self.log(.warning, "source is offline, and is tried again", reason: reason)
            self.sendsPictures = false
            await self.goOffline(reason)
        case .stillOffline(let reason):
            self.log(.warning, "source is still offline", reason: reason)
        }
    }

    private func take(_ change: GlyphwireConnection.ConnectionChange) async {
        switch (change, self.server) {
        case (.lost, .away), (.lost, .refusing): break
        case (.lost(let error), _):
            self.server = .away
            self.log(.warning, "waiting for the server", reason: "\(error)")
        case (.refused(let error), .refusing(let earlier)) where error == earlier: break
        case (.refused(let error), _):
            self.server = .refusing(error)
            self.log(.warning, "the server refuses the source, and is tried again", reason: "\(error)")
            await self.goOffline("\(error)")
        case (.restored, .unknown), (.restored, .present): self.server = .present
        case (.restored, _):
            self.server = .present
            self.logger.info("the server is back", metadata: ["source": "\(self.source.name)"])
            await self.goOnline()
        }
    }

    /// Reports that the source is online, if it sends pictures that the server does not refuse.
    private func goOnline() async {
        if case .refusing = self.server { return }
        guard self.sendsPictures, self.isOnline != true else { return }
        self.isOnline = true
        await self.report([.online], at: WallClock.microseconds)
    }

    /// Reports that a live source is offline, for the first of several reasons.
    private func goOffline(_ reason: String) async {
        guard self.isLive, self.isOnline != false else { return }
        self.isOnline = false
        await self.report([.offline(reason)], at: WallClock.microseconds)
    }
}
