internal import FramePipeline
internal import GlyphwireClient
internal import GlyphwireProtocol
internal import Logging
internal import NIOConcurrencyHelpers
internal import SystemSupport
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

    /// The source.
    let source: WatchedSource
    /// Whether it is no file.
    let isLive: Bool
    private let sink: any EventSink
    private let logger: Logger
    private var tracker: TextChangeTracker
    private var cues: CueBuilder
    private var times: FrameTimes
    private var lastError: WireError.Code?
    /// Whether it was logged that a search was not complete.
    private var hasReportedSearch = false
    private var server = Server.unknown
    private var sendsPictures = false
    /// Whether the source is online, as last reported; `nil` before.
    private var isOnline: Bool?
    /// Changes that were recorded, and not taken yet.
    private let recorded = NIOLockedValueBox<[Change]>([])

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
        self.tracker = await earlier?.handOver(to: source.events) ?? TextChangeTracker()
        self.source = source
        self.times = FrameTimes(isLive: isLive)
        self.cues = CueBuilder(coordinates: source.configuration.coordinates)
        self.isLive = isLive
        self.sink = sink
        self.logger = logger
    }

    /// Takes the result of a frame, before which the changes that were recorded are reported.
    func take(_ result: FrameResult) async {
        self.reportChanges()
        guard !self.isStopped else { return }
        switch result.outcome {
        case .ok(let text):
            self.lastError = nil
            self.checkSearch(of: text)
            self.times.advance(to: result.capturedMicroseconds)
            let changes = self.tracker.update(
                text,
                at: self.times.elapsed,
                configuration: self.source.configuration
            )
            if !self.isLive { self.cues.add(changes, at: self.times.event) }
            self.report(changes.map { .text($0) }, at: self.times.event)
            if !self.isLive { await self.sink.waitForRoom() }
        // That the server is away is logged once, whether a picture was on its way or not.
        case .error(let error) where error.code == .connectionLost: self.tracker.connectionLost()
        case .error(let error): self.log(unread: error)
        case .dropped, .expired, .other: break
        }
    }

    /// Logs once that not all of a frame was searched.
    private func checkSearch(of text: FrameText) {
        guard let found = text.found, !found.isComplete, !self.hasReportedSearch else { return }
        self.hasReportedSearch = true
        self.log(.warning, "a picture was not searched completely", reason: Patterns.incompleteSearch)
    }

    /// Takes an error that ends the watching of the source.
    func fail(_ error: any Error) {
        guard !self.isStopped else { return }
        self.log(.error, "source failed", reason: "\(error)")
        self.goOffline("\(error)")
    }

    /// Reports that all texts are lost and a live source is offline, since it is no longer watched.
    func remove() {
        guard !self.isStopped else { return }
        self.stop { _ in nil }
        self.goOffline("it is no longer watched")
    }

    /// Takes no more results, and reports the texts as lost which a source with other options cannot have.
    ///
    /// - Parameter successor: The source with its new options.
    /// - Returns: The other texts, as the successor has them.
    func handOver(to successor: EventSource) -> TextChangeTracker {
        self.stop { successor.adopted($0, of: self.source.events) }
        return self.tracker
    }

    /// Time of an event that no frame has.
    private var now: UInt64 { self.isLive ? WallClock.microseconds : self.times.event }

    /// Takes no more results, and reports the texts as lost for which there is no successor.
    private func stop(_ successor: (ObservedText) -> ObservedText?) {
        self.isStopped = true
        self.tracker.connectionLost()
        let lost = self.tracker.keep(successor)
        self.report(lost.map { .text($0) }, at: self.now)
    }

    /// Position of the last frame in a video file.
    var position: Duration { .microseconds(self.times.event) }

    /// Cues of a video file that ends at `end`, or with its last frame, without those shorter than `minimum`.
    func finishedCues(at end: Duration, minimum: Duration) -> [Cue] {
        self.cues.finish(
            at: max(self.times.event, UInt64(clamping: end.microseconds)),
            minimum: UInt64(clamping: minimum.microseconds)
        )
    }

    /// Logs why a picture is not read, for pictures in a row with the same kind of error once.
    private func log(unread error: WireError) {
        guard error.code != self.lastError else { return }
        self.lastError = error.code
        self.logger.warning(
            "picture not read",
            metadata: ["source": "\(self.source.name)", "error": "\(error.message)"]
        )
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, reason: String) {
        self.logger.log(level: level, message, metadata: ["source": "\(self.source.name)", "reason": "\(reason)"])
    }

    private func report(_ events: [TextEvent.Kind], at microseconds: UInt64) {
        guard !events.isEmpty else { return }
        let time: EventTime = self.isLive ? .wall(microseconds: microseconds) : .position(microseconds: microseconds)
        let report = EventReport(
            events: events.map { TextEvent($0, source: self.source.name, time: time) },
            texts: self.isStopped ? [] : self.tracker.texts,
            source: self.source.events
        )
        self.sink.send(report)
    }
}

// MARK: Online and offline

extension SourceReporter {
    /// Whether nothing is known of the server: neither has it taken the source, nor was it away.
    var isNewToServer: Bool { if case .unknown = self.server { true } else { false } }

    /// Records a change at once, and reports it soon: before the result of any frame that comes after it.
    nonisolated func record(_ change: Change) {
        self.recorded.withLockedValue { $0.append(change) }
        Task { await self.reportChanges() }
    }

    /// Reports the changes that were recorded.
    func reportChanges() {
        let changes = self.recorded.withLockedValue { changes in
            defer { changes = [] }
            return changes
        }
        for change in changes where !self.isStopped {
            switch change {
            case .pictures(let change): if self.isLive { self.take(change) }
            case .server(let change): self.take(change)
            }
        }
    }

    private func take(_ change: SourceSupervisor.Change) {
        switch change {
        case .online(let microseconds):
            self.logger.info("source is online", metadata: ["source": "\(self.source.name)"])
            self.sendsPictures = true
            self.goOnline(at: microseconds)
        case .offline(let reason):
            self.log(.warning, "source is offline, and is tried again", reason: reason)
            self.sendsPictures = false
            self.goOffline(reason)
        case .stillOffline(let reason):
            self.log(.warning, "source is still offline", reason: reason)
        case .badPicture(let reason): self.log(unread: WireError(.fileCorrupt, reason))
        }
    }

    private func take(_ change: GlyphwireConnection.ConnectionChange) {
        switch (change, self.server) {
        case (.lost, .away), (.lost, .refusing): break
        case (.lost(let error), _):
            self.server = .away
            self.log(.warning, "waiting for the server", reason: "\(error)")
        case (.refused(let error), .refusing(let earlier)) where error == earlier: break
        case (.refused(let error), _):
            self.server = .refusing(error)
            self.log(.warning, "the server refuses the source, and is tried again", reason: "\(error)")
            self.goOffline("\(error)")
        case (.restored, .unknown), (.restored, .present): self.server = .present
        case (.restored, _):
            self.server = .present
            self.logger.info("the server is back", metadata: ["source": "\(self.source.name)"])
            self.goOnline(at: self.now)
        }
    }

    /// Reports that the source is online, if it sends pictures that the server does not refuse.
    private func goOnline(at microseconds: UInt64) {
        if case .refusing = self.server { return }
        guard self.sendsPictures, self.isOnline != true else { return }
        self.isOnline = true
        self.report([.online], at: microseconds)
    }

    /// Reports that a live source is offline, for the first of several reasons.
    private func goOffline(_ reason: String) {
        guard self.isLive, self.isOnline != false else { return }
        self.isOnline = false
        self.report([.offline(reason)], at: self.now)
    }
}
