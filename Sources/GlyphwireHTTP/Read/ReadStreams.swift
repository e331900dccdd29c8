internal import GlyphwireProtocol
internal import GlyphwireServer
internal import NIOConcurrencyHelpers

/// Streams whose frames are requests, until no more come: each has a name, which its client chose, and the client's token.
final class ReadStreams: Sendable {
    /// Time without requests after which a stream ends: that for which a stream knows words again.
    static let maxIdleTime = Duration.seconds(10)
    /// Maximum number of streams at a time.
    static let maxCount = 64

    /// What no other stream has.
    private struct ID: Hashable, Sendable {
        let token: String?
        let name: String
    }

    private struct Entry: Sendable {
        let stream: LocalStream
        /// Number of its requests that are not answered yet.
        var requests: Int
        /// Time of the last answer.
        var lastUse: ContinuousClock.Instant
    }

    private let server: GlyphwireServer
    private let entries = NIOLockedValueBox<[ID: Entry]>([:])

    /// Creates the streams of a server, none of which is open.
    init(server: GlyphwireServer) { self.server = server }

    /// Applies `body` to a stream, which is opened if it is not.
    ///
    /// - Parameters:
    ///   - name: The name of the stream.
    ///   - token: The name of its client's token; `nil` where none is required.
    ///   - body: Reads a frame of it.
    /// - Returns: What `body` returns.
    /// - Throws: ``ReadError`` if too many streams are open.
    func withStream<Value: Sendable>(
        _ name: String,
        of token: String?,
        _ body: (LocalStream) async -> Value
    ) async throws(ReadError) -> Value {
        let id = ID(token: token, name: name)
        guard let stream = self.begin(id) else {
            throw ReadError(
                WireError(
                    .overloaded,
                    "\(Self.maxCount) streams are open; send this one again later, or without \"stream\""
                )
            )
        }
        let value = await body(stream)
        self.entries.withLockedValue { entries in
            entries[id]?.requests -= 1
            entries[id]?.lastUse = .now
        }
        return value
    }

    /// Closes the streams that have had no request for ``maxIdleTime``.
    func closeIdle(at now: ContinuousClock.Instant = .now) {
        let idle = self.entries.withLockedValue { entries in
            let idle = entries.filter { $1.requests == 0 && $1.lastUse + Self.maxIdleTime <= now }
            for id in idle.keys { entries[id] = nil }
            return idle.values
        }
        for entry in idle { entry.stream.close() }
    }

    private func begin(_ id: ID) -> LocalStream? {
        self.entries.withLockedValue { entries in
            guard entries[id] != nil || entries.count < Self.maxCount else { return nil }
            entries[id, default: Entry(stream: self.server.openLocalStream(peer: "HTTP"), requests: 0, lastUse: .now)]
                .requests += 1
            return entries[id]?.stream
        }
    }
}
