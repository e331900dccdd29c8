public import GlyphwireProtocol
internal import NIOConcurrencyHelpers
internal import Synchronization

/// A look into a server that runs in this process, for those who operate it.
///
/// What is counted is counted whether anybody looks or not; frames are shown only to those who ask for them.
public struct ServerMonitor: Sendable {
    private let core: ServerCore

    init(core: ServerCore) { self.core = core }

    /// What a frame may measure.
    public var limits: WireLimits { self.core.configuration.limits.wire }

    /// Whether the server should be sent streams.
    ///
    /// Asking has a self-test frame read if the last one was ten seconds ago; its outcome is told from then on.
    public var readiness: Readiness {
        guard !self.core.meters.isDraining else { return .draining }
        guard self.core.meters.isListening.load(ordering: .relaxed) else { return .starting }
        self.core.selfTest.run(on: self.core)
        return self.core.selfTest.readiness(at: .now, lastWork: self.core.statistics.withLockedValue(\.lastWork))
    }

    /// What was counted until now.
    public var metrics: ServerMetrics {
        let (core, meters) = (self.core, self.core.meters)
        let statistics = core.statistics.withLockedValue(\.self)
        let load = core.queue.load
        return ServerMetrics(
            ok: statistics.frames.ok,
            reused: statistics.reused,
            dropped: statistics.frames.dropped,
            expired: statistics.frames.expired,
            frameErrors: statistics.errors,
            frameWarnings: statistics.warnings,
            errorLines: meters.errorLines.withLockedValue(\.self),
            stages: statistics.stages,
            age: statistics.age,
            receivedBytes: meters.receivedBytes.load(ordering: .relaxed),
            sentBytes: meters.sentBytes.load(ordering: .relaxed),
            acceptedConnections: meters.connections.load(ordering: .relaxed),
            openConnections: core.connections.count,
            waitingFrames: load.waiting,
            workers: core.configuration.workers,
            busyWorkers: load.inWork,
            busyTime: .microseconds(statistics.busyMicroseconds),
            isDraining: meters.isDraining
        )
    }

    /// The connections that are open, the oldest first.
    public var streams: [StreamStatus] { self.core.connections.gauges.map { $0.status() } }

    /// Shows the frames of all streams to `watcher` until ``remove(_:)``; those are not shown that were dropped, have expired or
    /// were answered after a later one of their stream.
    public func add(_ watcher: any FrameWatcher) { self.core.watchers.add(watcher) }

    /// Shows no more frames to `watcher`.
    public func remove(_ watcher: any FrameWatcher) { self.core.watchers.remove(watcher) }
}
