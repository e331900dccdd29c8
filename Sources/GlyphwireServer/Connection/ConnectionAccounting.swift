internal import CoreMetrics
internal import GlyphwireProtocol
internal import Logging
internal import NIOConcurrencyHelpers

/// Accounting of one connection's bytes, frames and errors for statistics, gauge, meters and log.
final class ConnectionAccounting {
    /// Number of the connection.
    let id: ConnectionID
    /// Gauge of the connection for the monitor.
    let gauge: StreamGauge
    /// Client's address with its port, as in logs.
    private(set) var peer = "unknown"

    /// Meters of the server, which count frames on any thread.
    let meters: ServerMeters
    private let logger: Logger
    private var frames = FrameStatistics<UInt32>()

    /// Creates the accounting of an accepted connection.
    init(id: ConnectionID, gauge: StreamGauge, meters: ServerMeters, logger: Logger) {
        self.id = id
        self.gauge = gauge
        self.meters = meters
        self.logger = logger
    }

    /// Records the client's address.
    func connected(from peer: String) {
        self.peer = peer
        self.gauge.connected(from: peer)
    }

    /// Records received bytes.
    func received(byteCount: Int) {
        self.meters.metrics.receivedBytes.increment(by: byteCount)
        self.gauge.received(byteCount: byteCount)
    }

    /// Records the bytes of a written line.
    func sent(byteCount: Int) {
        self.meters.metrics.sentBytes.increment(by: byteCount)
        self.gauge.sent(byteCount: byteCount)
    }

    /// Records a written answer; the server's meters have counted it when it was ready.
    func frameAnswered(_ result: FrameResult) {
        self.frames.frameAnswered(FrameStatus(result.outcome), result.timings)
        self.gauge.frameAnswered(result)
    }

    /// Records a written answer to a frame that never reached the queue.
    func frameRefused(_ result: FrameResult) {
        self.frameAnswered(result)
        self.meters.frameAnswered(result)
    }

    /// Records a written `error` line.
    func errorSent(_ error: WireError) {
        self.meters.errorSent(error)
        self.log(.debug, "message refused", metadata: [LogKeys.code: "\(error.code.rawValue)"])
    }

    /// Answer to a `stats` message.
    func stats(sequence: UInt64) -> Stats {
        let server = self.meters.statistics.withLockedValue(\.frames)
        return Stats(sequence: sequence, connection: self.frames.scope, server: server.scope)
    }

    /// Writes a message about this connection to the log.
    func log(_ level: Logger.Level, _ message: Logger.Message, metadata: Logger.Metadata) {
        self.logger.log(
            level: level,
            message,
            metadata: metadata.merging([LogKeys.connection: "\(self.id)"]) { fact, _ in fact }
        )
    }

    /// Writes a message with the client's address to the log.
    func logPeer(_ level: Logger.Level, _ message: Logger.Message) {
        self.log(level, message, metadata: [LogKeys.peer: "\(self.peer)"])
    }

    /// Logs the totals of the closed connection.
    func closed(client: String?, token: AccessToken?) {
        self.log(
            .info,
            "connection closed",
            metadata: [
                LogKeys.peer: "\(self.peer)",
                LogKeys.client: "\(client ?? "")",
                LogKeys.token: "\(token?.name ?? "")",
                LogKeys.frames: "\(self.frames.frames)",
                LogKeys.failed: "\(self.frames.failed)",
                LogKeys.dropped: "\(self.frames.dropped)",
                LogKeys.expired: "\(self.frames.expired)",
            ]
        )
    }
}
