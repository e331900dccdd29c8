package import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Monitor of a server in this process: readiness, streams and frames.
///
/// Frames are published only while there are watchers.
package struct ServerMonitor: Sendable {
    private let components: ServerComponents

    init(_ components: ServerComponents) { self.components = components }

    /// The limits of frames.
    package var limits: WireLimits { self.components.configuration.limits.wire }

    /// Reports whether the server can accept streams, and starts a self-test if the last one is ten seconds old.
    ///
    /// - Returns: The readiness by the last test that has ended; later calls report the outcome of the one that is started.
    package func checkReadiness() -> Readiness {
        switch self.components.phase.withLockedValue(\.self) {
        case .starting: return .starting
        case .draining: return .draining
        case .listening:
            self.components.runSelfTest()
            return self.components.selfTest.readiness(
                at: .now,
                lastWork: self.components.statistics.withLockedValue(\.lastWork)
            )
        }
    }

    /// The options of streams that do not configure them.
    package var defaults: StreamConfiguration { self.components.configuration.stream }

    /// Number of threads that read frames.
    package var workers: Int { self.components.configuration.workers }

    /// Open connections, the oldest first.
    package var streams: [StreamStatus] { self.components.connections.gauges.map { $0.status() } }

    /// Publishes the frames of all streams to `watcher` until ``remove(_:)``.
    ///
    /// Those that were answered after a later one of their stream are not published, nor are those that a connection rejects,
    /// drops, or finds expired when they arrive.
    package func add(_ watcher: any FrameWatcher) { self.components.watchers.add(watcher) }

    /// Stops publishing frames to `watcher`.
    package func remove(_ watcher: any FrameWatcher) { self.components.watchers.remove(watcher) }
}
