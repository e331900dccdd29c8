internal import GlyphwireServer

/// Connections beyond a limit that stay open for their error, the oldest first.
struct RefusedConnections: Sendable {
    private struct Connection: Sendable {
        let id: ObjectIdentifier
        let limitKey: String
    }

    private let limit: Int
    private var connections: [Connection] = []

    /// Maximum number of connections of one client.
    private var limitPerClient: Int { ServerLimits.share(ofRefused: self.limit) }

    /// Creates an empty list for `limit` connections.
    init(limit: Int) { self.limit = limit }

    /// Adds a connection.
    ///
    /// - Parameters:
    ///   - id: The connection.
    ///   - limitKey: Key of its client in the limits.
    /// - Returns: The connection that is removed for it: the oldest, of the same client if that has its share.
    mutating func add(_ id: ObjectIdentifier, of limitKey: String) -> ObjectIdentifier? {
        defer { self.connections.append(Connection(id: id, limitKey: limitKey)) }
        let isFull = self.connections.count >= self.limit
        let hasShare = self.connections.count { $0.limitKey == limitKey } >= self.limitPerClient
        let replaced = self.connections.firstIndex { hasShare ? $0.limitKey == limitKey : isFull }
        return replaced.map { self.connections.remove(at: $0).id }
    }

    /// Removes a connection that has closed, if it is in the list.
    mutating func remove(_ id: ObjectIdentifier) { self.connections.removeAll { $0.id == id } }
}
