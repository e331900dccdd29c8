internal import CoreMetrics
internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers
internal import Synchronization

/// Meters of one server: its metrics, its statistics for `stats` lines, and its state, from any thread.
final class ServerMeters: Sendable {
    /// The metrics, which operators see.
    let metrics: ServerMetrics
    /// The statistics of the frames of all connections, which clients see.
    let statistics = NIOLockedValueBox(ServerStatistics())
    /// Times that tokens were replaced, or one has expired.
    let tokenChanges = Atomic<Int>(0)
    /// Whether the server listens.
    let isListening = Atomic(false)

    private let end = NIOLockedValueBox<ContinuousClock.Instant?>(nil)

    /// The meters of a server that was just made.
    init(metrics: ServerMetrics) { self.metrics = metrics }

    /// The end of the grace period of a shutdown; `nil` before a shutdown.
    var drainDeadline: ContinuousClock.Instant? { self.end.withLockedValue(\.self) }

    /// Whether the server is shutting down.
    var isDraining: Bool { self.drainDeadline != nil }

    /// A shutdown has begun, with a grace period until `end`.
    func drainStarted(until end: ContinuousClock.Instant) {
        self.end.withLockedValue { $0 = end }
        self.metrics.draining.set(1)
    }

    /// A frame was answered.
    func frameAnswered(_ result: FrameResult) {
        self.metrics.frameAnswered(result)
        self.statistics.withLockedValue { $0.frameAnswered(result) }
    }

    /// A frame was refused before it reached a worker.
    func frameRefused(_ result: FrameResult) {
        self.metrics.frameAnswered(result)
        self.statistics.withLockedValue { $0.frameRefused(result) }
    }

    /// A connection has closed.
    func connectionEnded(_ end: ConnectionEnd) { self.metrics.connectionEnds[end]?.increment() }

    /// An `error` line was written.
    func errorSent(_ error: WireError) { self.metrics.errorSent(error) }
}
