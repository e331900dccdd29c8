internal import CoreMetrics
internal import GlyphwireProtocol
internal import Logging
internal import NIOConcurrencyHelpers

/// Accounting of one connection: bytes, frames and errors, for its own statistics, its gauge, the server's meters and the log.
final class ConnectionAccounting {
    /// The number of the connection.
    let id: ConnectionID
    /// The status of the connection as the monitor shows it.
    let gauge: StreamGauge
    /// The client's address with its port, as in logs.
    private(set) var peer = "unknown"

    /// The meters of the server, which count frames on any thread.
    let meters: ServerMeters
    private let logger: Logger
    private var frames = FrameStatistics<UInt32>()

    /// Accounts of a connection that was just accepted.
    init(id: ConnectionID, gauge: StreamGauge, meters: ServerMeters, logger: Logger) {
        self.id = id
        self.gauge = gauge
        self.meters = meters
        self.logger = logger
    }

    /// The client is known to connect from `peer`.
    func connected(from peer: String) {
        self.peer = peer
        self.gauge.connected(from: peer)
    }

    /// Bytes were received.
    func received(byteCount: Int) {
        self.meters.metrics.receivedBytes.increment(by: byteCount)
        self.gauge.received(byteCount: byteCount)
    }

    /// Bytes of a line were written.
    func sent(byteCount: Int) {
        self.meters.metrics.sentBytes.increment(by: byteCount)
        self.gauge.sent(byteCount: byteCount)
    }

    /// The answer of a frame was written, which the server's meters have counted when it was ready.
    func frameAnswered(_ result: FrameResult) {
        self.frames.frameAnswered(FrameStatus(result.outcome), result.timings)
        self.gauge.frameAnswered(result)
    }

    /// The answer of a frame that never reached the queue was written.
    func frameRefused(_ result: FrameResult) {
        self.frameAnswered(result)
        self.meters.frameRefused(result)
    }

    /// An `error` line was written.
    func errorSent(_ error: WireError) {
        self.meters.errorSent(error)
        self.log(.debug, "message refused", metadata: [LogKeys.code: "\(error.code.rawValue)"])
    }

    /// The line that answers a `stats` message.
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

    /// Writes the connection's totals to the log when it has closed.
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
