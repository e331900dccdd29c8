internal import CoreMetrics
internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers
internal import Synchronization

/// Meters of one server: its metrics, its statistics for `stats` lines, and its state, from any thread.
final class ServerMeters: Sendable {
    /// Metrics, for operators.
    let metrics: ServerMetrics
    /// Statistics of all connections' frames, for clients.
    let statistics = NIOLockedValueBox(ServerStatistics())
    /// Number of times that tokens were replaced or expired.
    let tokenChanges = Atomic<Int>(0)
    /// Whether the server listens.
    let isListening = Atomic(false)

    private let end = NIOLockedValueBox<ContinuousClock.Instant?>(nil)

    /// Creates the meters of a new server.
    init(metrics: ServerMetrics) { self.metrics = metrics }

    /// End of a shutdown's grace period; `nil` before a shutdown.
    var drainDeadline: ContinuousClock.Instant? { self.end.withLockedValue(\.self) }

    /// Whether the server is shutting down.
    var isDraining: Bool { self.drainDeadline != nil }

    /// Records the start of a shutdown with a grace period until `end`.
    func drainStarted(until end: ContinuousClock.Instant) {
        self.end.withLockedValue { $0 = end }
        self.metrics.draining.set(1)
    }

    /// Records an answered frame.
    func frameAnswered(_ result: FrameResult) {
        self.metrics.frameAnswered(result)
        self.statistics.withLockedValue { $0.frameAnswered(result) }
    }

    /// Records a frame refused before it reached a worker.
    func frameRefused(_ result: FrameResult) {
        self.metrics.frameAnswered(result)
        self.statistics.withLockedValue { $0.frameRefused(result) }
    }

    /// Records a closed connection.
    func connectionEnded(_ end: ConnectionEnd) { self.metrics.connectionEnds[end]?.increment() }

    /// Records a written `error` line.
    func errorSent(_ error: WireError) { self.metrics.errorSent(error) }
}
