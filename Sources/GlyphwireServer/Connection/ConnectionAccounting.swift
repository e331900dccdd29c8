internal import CoreMetrics
internal import GlyphwireProtocol
internal import Logging
internal import NIOConcurrencyHelpers
internal import NIOCore

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
    private let peerLog: PeerLog
    /// Key of the client in the limits.
    private var limitKey = "unknown"
    private var statistics = FrameStatistics<UInt32>()
    private var digest = ErrorDigest()
    private var end: ConnectionEnd?
    private var isInputClosed = false
    /// Error that the client got at the end, or what cut the connection where the system or TLS has reported it.
    private var failure: String?
    /// Token that was refused although it is known, and the name of the client that has shown it.
    private var refusedToken: (token: AccessToken, client: String?)?

    /// Creates the accounting of an accepted connection.
    init(id: ConnectionID, gauge: StreamGauge, meters: ServerMeters, peerLog: PeerLog) {
        self.id = id
        self.gauge = gauge
        self.meters = meters
        self.peerLog = peerLog
    }

    /// Records the client's address.
    func connected(from client: SocketAddress?) {
        guard let client else { return }
        self.peer = client.hostAndPort
        self.limitKey = client.limitKey
        self.gauge.connected(from: self.peer)
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
        self.statistics.frameAnswered(FrameStatus(result.outcome), result.timings, work: result.work)
        self.gauge.frameAnswered(result)
        if case .error(let error) = result.outcome {
            // An internal error is the server's own, unless its operator has it stop.
            let isFault = error.code == .internalError && error != .serverStops
            let level = isFault ? Logger.Level.error : .info
            self.log(error, level: level, "frame refused", sequence: result.sequence)
        }
    }

    /// Records a written answer to a frame that never reached the queue.
    func frameRefused(_ result: FrameResult) {
        self.frameAnswered(result)
        self.meters.frameRefused(result)
    }

    /// Records a written `error` line.
    func errorSent(_ line: ErrorLine) {
        let error = line.error
        self.meters.errorSent(error)
        self.gauge.errorSent(error)
        if let end = ConnectionEnd(rawValue: error.code.rawValue), error.code.isFatal {
            self.ends(end, failure: error.message)
        } else {
            self.log(error, level: .info, "message refused", sequence: line.sequence)
        }
    }

    /// The client has closed its side, which is the reason of the end unless there is another.
    func inputClosed() { self.isInputClosed = true }

    /// The connection is about to end for a reason; the first one counts.
    func ends(_ end: ConnectionEnd, failure: String? = nil) {
        guard self.end == nil else { return }
        self.end = end
        self.failure = failure
    }

    /// The connection is about to be closed without its error.
    func ends(refusedWith error: WireError?) { self.ends(ConnectionEnd(refusedWith: error), failure: error?.message) }

    /// A known token did not authenticate the client, which ends the connection.
    func refused(_ token: AccessToken, of client: String?, for refusal: AccessControl.Refusal) {
        self.refusedToken = (token, client)
        self.ends(ConnectionEnd(refusal), failure: refusal.error.message)
    }

    /// Answer to a `stats` message.
    func stats(sequence: UInt64) -> Stats {
        let server = self.meters.statistics.withLockedValue(\.frames)
        return Stats(sequence: sequence, connection: self.statistics.scope, server: server.scope)
    }

    /// Writes a message about this connection to the log.
    func log(_ level: Logger.Level, _ message: Logger.Message, metadata: Logger.Metadata) {
        self.peerLog.log(
            level,
            message,
            from: self.limitKey,
            metadata: metadata.merging([LogKeys.connection: .stringConvertible(self.id.number)]) { fact, _ in fact }
        )
    }

    /// Writes a message with the client's address to the log.
    func logPeer(_ level: Logger.Level, _ message: Logger.Message) {
        self.log(level, message, metadata: [LogKeys.peer: "\(self.peer)"])
    }

    /// Logs the totals of the closed connection, and why it ended.
    ///
    /// - Parameters:
    ///   - client: The name that an authenticated client has configured.
    ///   - token: The token that authenticated it.
    func closed(client: String?, token: AccessToken?) {
        for (code, count) in self.digest.takeRest() { self.logRepeats(of: code, count: count) }
        let end = self.end ?? (self.isInputClosed ? .clientClosed : .connectionLost)
        self.meters.connectionEnded(end)
        let frames = self.statistics.counts
        var metadata: Logger.Metadata = [
            LogKeys.peer: "\(self.peer)",
            LogKeys.client: "\((self.refusedToken?.client ?? client ?? "").loggable)",
            LogKeys.token: "\((self.refusedToken?.token ?? token)?.name ?? "")",
            LogKeys.reason: "\(end.rawValue)",
            LogKeys.frames: .stringConvertible(frames.total),
            LogKeys.errors: .stringConvertible(frames.error),
            LogKeys.dropped: .stringConvertible(frames.dropped),
            LogKeys.expired: .stringConvertible(frames.expired),
        ]
        if let failure = self.failure { metadata[LogKeys.error] = "\(failure.loggable)" }
        self.log(.info, "connection closed", metadata: metadata)
    }

    /// Writes an error to the log, unless others of its code were there within the last minute.
    private func log(_ error: WireError, level: Logger.Level, _ message: Logger.Message, sequence: UInt64?) {
        switch self.digest.errorOccurred(error.code, at: .now) {
        case .first:
            var metadata: Logger.Metadata = [
                LogKeys.peer: "\(self.peer)",
                LogKeys.code: "\(error.code.rawValue)",
                LogKeys.error: "\(error.message.loggable)",
            ]
            if let sequence { metadata[LogKeys.sequence] = .stringConvertible(sequence) }
            self.log(level, message, metadata: metadata)
        case .repeated(let count): self.logRepeats(of: error.code, count: count)
        case nil: break
        }
    }

    private func logRepeats(of code: WireError.Code, count: Int) {
        self.log(
            .info,
            "error repeated",
            metadata: [
                LogKeys.peer: "\(self.peer)",
                LogKeys.code: "\(code.rawValue)",
                LogKeys.count: .stringConvertible(count),
            ]
        )
    }
}
