internal import FramePipeline
package import GlyphwireProtocol
internal import TextModel

/// Limits of a server on the memory and time that clients can use.
///
/// None can be disabled. ``ServerLimit`` is the table of their flags, and Protocol.md specifies what happens beyond
/// each.
package struct ServerLimits: Sendable, Hashable {
    /// Limits on a message, a frame and a result.
    package var wire: WireLimits
    /// Maximum number of bytes of a message from an unauthenticated client.
    ///
    /// Default 16 KiB, which bounds the memory of such connections.
    package var maxUnauthenticatedBytes: Int
    /// Maximum number of simultaneous connections.
    ///
    /// Default 1024.
    package var maxConnections: Int
    /// Maximum number of simultaneous connections from one address.
    ///
    /// Default 256.
    package var maxConnectionsPerAddress: Int
    /// Maximum number of simultaneous connections to the HTTP service.
    ///
    /// Default 256, of which one address may have three quarters.
    package var maxHTTPConnections: Int
    /// Maximum number of unanswered frames of one connection where every frame is read.
    ///
    /// Beyond it the server stops reading from the socket. The default is two more than the default number of workers,
    /// so that one connection can keep all of them busy while its next frames are in flight. It is at most 16: the
    /// memory of a connection is bounded by this many messages, one more that is being received, and 256 KiB, the most
    /// that one read cycle receives.
    package var maxFramesInFlight: Int
    /// Maximum number of unanswered messages of one connection, frames included.
    ///
    /// Beyond it the server stops reading from the socket. Default 128. The lines of superseded frames wait behind the
    /// frame in work: this many can be received in the time of one frame, two seconds at 60 frames a second.
    package var maxUnansweredMessages: Int
    /// Maximum number of bytes written to one connection and not yet accepted by its socket.
    ///
    /// Beyond it no message is accepted from the connection. Default 256 KiB.
    package var maxUnsentBytes: Int
    /// Maximum number of payload bytes, of all connections, that are received and not read yet.
    ///
    /// Default 512 MiB, or an eighth of the process's memory if that is less. Frames beyond it are answered
    /// `overloaded` in live streams, and left in their sockets where every frame is read and other frames of the same
    /// stream still hold memory.
    ///
    /// The tracking memory of streams has a budget of the same size; streams beyond it are read frame by frame. The
    /// memory of a worker is bounded by the largest picture.
    package var maxMemoryBytes: Int
    /// Maximum number of different wrong tokens from one address within a minute; then the address is refused.
    ///
    /// Default 10.
    package var maxWrongTokens: Int
    /// Delay before a wrong token is answered.
    ///
    /// Default 1 s.
    package var wrongTokenDelay: Duration
    /// Maximum time from accepting a connection to its first message or HTTP request, or its token if a message needs one.
    ///
    /// Default 5 s.
    package var firstMessageTime: Duration
    /// Maximum time from the first byte of a message or an HTTP request to its last, while the server reads.
    ///
    /// Default 60 s.
    package var messageTime: Duration
    /// Maximum time between messages, pings included, while no answer is due.
    ///
    /// Default 10 min.
    package var idleTime: Duration
    /// Maximum time for which a client reads no byte of its queued lines or HTTP responses.
    ///
    /// Default 60 s.
    package var slowReaderTime: Duration
    /// Maximum time for which a client's system may leave bytes or TCP keep-alive probes unacknowledged.
    ///
    /// Default 150 s, 1 s to 65,000 s. It detects a client that is powered off or disconnected. It should be more than
    /// twice ``slowReaderTime``: otherwise a live client that reads no lines would be closed without an error.
    package var peerTime: Duration

    /// Maximum number of connections that are refused with an error at a time.
    ///
    /// Further ones are closed without one, so that they do not use up the process's file descriptors.
    var maxRefusedConnections: Int { Self.maxRefused(beyond: self.maxConnections) }
    /// Maximum number of HTTP connections that are refused with an error at a time; the oldest is closed for a further one.
    package var maxRefusedHTTPConnections: Int { Self.maxRefused(beyond: self.maxHTTPConnections) }
    /// Maximum number of those from one address.
    var maxRefusedConnectionsPerAddress: Int { Self.share(ofRefused: self.maxRefusedConnections) }

    /// Creates limits, each with its default.
    package init() {
        self.wire = WireLimits()
        self.maxUnauthenticatedBytes = 16 << 10
        self.maxConnections = 1024
        self.maxConnectionsPerAddress = 256
        self.maxHTTPConnections = 256
        self.maxFramesInFlight = min(SystemCores.count + 2, 16)
        self.maxUnansweredMessages = 128
        self.maxUnsentBytes = 256 << 10
        self.maxMemoryBytes = min(512 << 20, SystemMemory.limit / 8)
        self.maxWrongTokens = 10
        self.wrongTokenDelay = .seconds(1)
        self.firstMessageTime = .seconds(5)
        self.messageTime = .seconds(60)
        self.idleTime = .seconds(600)
        self.slowReaderTime = .seconds(60)
        self.peerTime = .seconds(150)
    }

    /// Raises the limit on messages so that every picture within its own limits fits uncompressed.
    package mutating func admitUncompressedPictures() {
        // Pixels of BGRA.
        let length = MessageHeader.length(ofPayload: 4 * self.wire.picture.maxPixels)
        self.wire.maxMessageBytes = max(self.wire.maxMessageBytes, length)
    }

    /// Maximum number of refused connections of one address, of `limit` in total, so that others get their errors too.
    package static func share(ofRefused limit: Int) -> Int { max(limit / 4, 1) }

    /// Maximum number of connections that are refused with an error at a time, where `connections` may be open.
    package static func maxRefused(beyond connections: Int) -> Int { min(max(connections / 4, 1), 64) }
}
