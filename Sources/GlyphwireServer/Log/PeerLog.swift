internal import GlyphwireProtocol
package import Logging
internal import NIOConcurrencyHelpers
package import NIOCore

/// Log of what peers cause, of which no address can fill the disk.
package final class PeerLog: Sendable {
    private let logger: Logger
    private let limit = NIOLockedValueBox(LogLimit())

    /// Creates a log that writes to `logger`.
    init(_ logger: Logger) { self.logger = logger }

    /// Writes an entry, or counts it where there were too many of its kind from `address` within a minute.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - message: The message, which is constant.
    ///   - address: The peer's address, as of the limits of connections.
    ///   - metadata: The facts.
    func log(_ level: Logger.Level, _ message: Logger.Message, from address: String, metadata: Logger.Metadata) {
        guard level >= self.logger.logLevel else { return }
        // A flood of unknown paths (404) must not hide the other refusals of an address, such as of a proxy.
        let status = metadata[LogKeys.status].map { " \($0)" } ?? ""
        let kind = LogLimit.Kind(level: level, message: "\(message)\(status)", address: address)
        guard self.limit.withLockedValue({ $0.admits(kind, at: .now) }) else { return }
        self.logger.log(level: level, message, metadata: metadata)
    }

    /// Writes an entry about a client of the HTTP service, with the same limit.
    ///
    /// - Parameters:
    ///   - level: The level.
    ///   - message: The message, which is constant.
    ///   - client: The client's address.
    ///   - metadata: The facts, besides the address and the port.
    package func logHTTP(
        _ level: Logger.Level,
        _ message: Logger.Message,
        from client: SocketAddress?,
        metadata: Logger.Metadata
    ) {
        let origin: Logger.Metadata = [LogKeys.peer: "\(client?.hostAndPort ?? "unknown")", LogKeys.port: "http"]
        let facts = origin.merging(metadata) { _, fact in fact }
        self.log(level, message, from: client?.limitKey ?? "unknown", metadata: facts)
    }

    /// Writes how many entries were left out within the minutes that are over at `now`.
    func reportExcess(at now: ContinuousClock.Instant) {
        for (kind, count) in self.limit.withLockedValue({ $0.takeExcess(at: now) }) {
            self.logger.log(
                level: kind.level,
                "entries left out",
                metadata: [
                    LogKeys.entry: "\(kind.message)",
                    LogKeys.address: "\(kind.address)",
                    LogKeys.count: .stringConvertible(count),
                ]
            )
        }
    }

    /// Writes how many entries were left out until now, at the end.
    func reportRest() { self.reportExcess(at: .now + LogLimit.interval) }
}
