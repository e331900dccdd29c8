internal import CoreMetrics
internal import GlyphwireServer
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Accounting of the HTTP service for metrics and log: its bytes, its responses, and the connections that it refuses.
struct HTTPAccounting: Sendable {
    /// Statuses that the service answers, each with a counter.
    private static let statuses = [200, 204, 400, 401, 403, 404, 405, 406, 408, 413, 415, 422, 429, 500, 503]
    /// Ends of connections that are not served, each with a counter.
    private static let refusalReasons = [ConnectionEnd.tooManyConnections, .handshakeFailed]

    private let log: PeerLog
    private let receivedBytes, sentBytes: Counter
    private let responses: [Int: Counter]
    private let otherResponses: Counter
    private let refusals: [ConnectionEnd: Counter]

    /// Creates the accounting of a service that has answered nothing yet.
    init(log: PeerLog, metrics: PrometheusMetrics) {
        self.log = log
        self.responses = Dictionary(
            uniqueKeysWithValues: Self.statuses.map { ($0, metrics.counter(.httpResponses, ["status": "\($0)"])) }
        )
        self.otherResponses = metrics.counter(.httpResponses, ["status": "other"])
        self.refusals = Dictionary(
            uniqueKeysWithValues: Self.refusalReasons.map { reason in
                (reason, metrics.counter(.refusedHTTPConnections, ["reason": reason.rawValue]))
            }
        )
        self.receivedBytes = metrics.counter(.httpReceivedBytes)
        self.sentBytes = metrics.counter(.httpSentBytes)
    }

    /// Records bytes of requests, within TLS.
    func received(byteCount: Int) { self.receivedBytes.increment(by: byteCount) }

    /// Records bytes of responses, within TLS.
    func sent(byteCount: Int) { self.sentBytes.increment(by: byteCount) }

    /// Records a connection that is not served.
    ///
    /// - Parameters:
    ///   - reason: The reason.
    ///   - client: The client's address.
    ///   - error: What TLS has said; `nil` without it.
    func refused(_ reason: ConnectionEnd, from client: SocketAddress?, error: (any Error)? = nil) {
        self.refusals[reason]?.increment()
        var metadata: Logger.Metadata = [LogKeys.reason: "\(reason.rawValue)"]
        if let error { metadata[LogKeys.error] = "\(String(loggable: error))" }
        self.log.logHTTP(.info, "connection refused", from: client, metadata: metadata)
    }

    /// Records the status of a response.
    ///
    /// - Parameters:
    ///   - request: The request; `nil` for one that cannot be parsed.
    ///   - status: The status.
    ///   - client: The client's address.
    func answered(_ request: HTTPRequestHead?, with status: HTTPResponseStatus, to client: SocketAddress?) {
        (self.responses[Int(status.code)] ?? self.otherResponses).increment()
        // What follows may be a token.
        let path = request?.uri.prefix { $0 != "?" } ?? ""
        // Its errors say that the server is not ready, and that no request was refused.
        guard status.code >= 400, path != HealthRoutes.readinessPath else { return }
        self.log.logHTTP(
            // An internal error is the server's own.
            status == .internalServerError ? .error : .info,
            "request refused",
            from: client,
            metadata: [
                LogKeys.method: "\(request?.method.rawValue ?? "")",
                LogKeys.path: "\(String(path).loggable)",
                LogKeys.status: .stringConvertible(Int(status.code)),
            ]
        )
    }
}
