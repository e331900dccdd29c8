internal import CoreMetrics
internal import GlyphwireProtocol
internal import NIOConcurrencyHelpers

/// Meters of one server: its metrics, and its statistics for `stats` lines, from any thread.
final class ServerMeters: Sendable {
    /// Metrics, for operators.
    let metrics: ServerMetrics
    /// Statistics of all connections' frames, for clients.
    let statistics = NIOLockedValueBox(ServerStatistics())

    /// Creates the meters of a new server.
    init(metrics: ServerMetrics) { self.metrics = metrics }

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
