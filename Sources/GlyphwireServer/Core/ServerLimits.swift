internal import FramePipeline
public import GlyphwireProtocol
internal import NIOCore

/// Limits of a server: what clients and floods can make it hold or wait for.
///
/// None can be switched off. ``ServerLimit`` is the table of their flags, and Protocol.md says what happens beyond each.
public struct ServerLimits: Sendable, Hashable {
    /// The limits of a message, a frame and a result.
    public var wire: WireLimits
    /// Bytes of a message from a client that has not shown its token yet.
    ///
    /// Default 16 KiB, which bounds the memory of unauthenticated connections.
    public var maxUnauthenticatedBytes: Int
    /// Connections at a time.
    ///
    /// Default 1024.
    public var maxConnections: Int
    /// Connections at a time from one address.
    ///
    /// Default 256.
    public var maxConnectionsPerAddress: Int
    /// Frames of one connection that may be unanswered at a time where every frame is read.
    ///
    /// No more is read from its socket meanwhile. Default: two more than there are workers by default, so that one connection can
    /// keep all of them busy while its next frames are in flight; at most 16, since this many messages, the one that is being
    /// received, and 256 KiB, the most that one turn of reading receives, bound the memory of a connection.
    public var window: Int
    /// Messages of one connection, frames among them, that may be unanswered at a time.
    ///
    /// No more is read from its socket meanwhile. Default 128. The lines of superseded frames wait behind the frame in work: this many can be received in the time of one
    /// frame, two seconds at 60 frames a second.
    public var maxUnansweredMessages: Int
    /// Bytes written to one connection and not yet accepted by its socket, past which no message is taken from it.
    ///
    /// Default 256 KiB.
    public var maxUnsentBytes: Int
    /// Bytes of payloads of all connections together that are received and not read yet.
    ///
    /// Default 512 MiB, or an eighth of the memory of the process if that is less. Frames beyond it are answered `overloaded`
    /// in live streams, and left in their sockets where every frame is read and others of the same stream still hold memory.
    ///
    /// The memory of streams, for frames that later ones are compared with, may take as much again; streams without room are
    /// read frame by frame. The memory of a worker is bounded by the largest picture.
    public var maxMemoryBytes: Int
    /// Wrong tokens from one address within a minute, past which it is refused for the rest of it.
    ///
    /// Default 10.
    public var maxWrongTokens: Int
    /// How long the answer to a wrong token is held back.
    ///
    /// Default 1 s.
    public var wrongTokenDelay: Duration
    /// The time from the start of a connection to its first message, or to a token where one is required.
    ///
    /// Default 5 s.
    public var firstMessageTime: Duration
    /// The time from a message's first byte to its last, while the server reads.
    ///
    /// Default 60 s.
    public var messageTime: Duration
    /// The time between messages, pings among them, while no answer is due.
    ///
    /// Default 10 min.
    public var idleTime: Duration
    /// The time without a byte of waiting lines read, after which a client is closed.
    ///
    /// Default 60 s.
    public var slowReaderTime: Duration
    /// The time a client's system may leave bytes, or TCP keep-alive probes, unacknowledged.
    ///
    /// Default 150 s, at most 65,000 s: it detects a client whose power or network is cut. It should be more than twice
    /// ``slowReaderTime``: a client that is alive and reads no lines would otherwise be closed without an error.
    public var peerTime: Duration

    /// Connections beyond ``maxConnections`` that get an error at a time.
    ///
    /// Further ones are closed without one, so that they do not use up the file descriptors of the process.
    var maxRefusedConnections: Int { min(max(self.maxConnections / 4, 1), 64) }

    /// The defaults.
    public init() {
        self.wire = WireLimits()
        self.maxUnauthenticatedBytes = 16 << 10
        self.maxConnections = 1024
        self.maxConnectionsPerAddress = 256
        self.window = min(System.coreCount + 2, 16)
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
}
