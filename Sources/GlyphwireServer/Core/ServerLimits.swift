internal import FramePipeline
public import GlyphwireProtocol
internal import NIOCore

/// Every limit of a server, none of them without end: what strangers, clients and floods can make it hold or wait for.
///
/// Protocol.md has the table of what happens beyond each.
public struct ServerLimits: Sendable, Hashable {
    /// What a message, a frame and a result may measure.
    public var wire: WireLimits
    /// Bytes of a message from a client that has yet to show its token.
    ///
    /// Default 16 KiB: strangers cannot make the server hold more than that takes.
    public var maxUnauthenticatedBytes: Int
    /// Connections at a time.
    ///
    /// Default 1024.
    public var maxConnections: Int
    /// Connections at a time from one address.
    ///
    /// Default 256.
    public var maxConnectionsPerAddress: Int
    /// Frames of one connection that may be unanswered at a time where every frame is to be read; no more is read from
    /// its socket meanwhile.
    ///
    /// Default: two more than there are workers by default, so that one connection can keep all of them busy while its
    /// next frames are on their way; but no more than 16, since the memory of a connection is bounded by so many messages,
    /// the one that is coming in, and 256 KiB, which is what one turn of reading brings at most.
    public var window: Int
    /// Messages of one connection, frames among them, that may be unanswered at a time; no more is read from its socket
    /// meanwhile.
    ///
    /// Default 128. Frames that a newer one took the place of have their lines wait behind the frame in work: this is how
    /// many can come in one frame's time, two seconds at 60 a second.
    public var maxUnansweredMessages: Int
    /// Bytes written to one connection and not yet taken by the system, past which no message is taken from it.
    ///
    /// Default 256 KiB.
    public var maxUnsentBytes: Int
    /// Bytes of payloads that all connections together have sent and that were not read yet.
    ///
    /// Default 512 MiB, or an eighth of what the system lets the process have if that is less. Frames that would take more
    /// are answered `overloaded` where they are to be fresh, and left in their sockets where every one is to be read and
    /// others of the same stream still have memory to give back.
    ///
    /// What streams remember of their last frames, to compare the next with, may take as much again; streams that find no
    /// room are read frame by frame. What a worker takes beside that is bounded by the largest picture.
    public var maxMemoryBytes: Int
    /// Wrong tokens from one address within a minute, past which it is kept out for the rest of it.
    ///
    /// Default 10.
    public var maxWrongTokens: Int
    /// How long whoever shows a wrong token waits for the answer.
    ///
    /// Default 1 s.
    public var wrongTokenDelay: Duration
    /// From a connection's begin to the header of its first message; where a token is asked for, to the token.
    ///
    /// Default 5 s.
    public var firstMessageTime: Duration
    /// From a message's first byte to its last, while the server reads.
    ///
    /// Default 60 s.
    public var messageTime: Duration
    /// Between messages, while no answer is due; a `ping` is a message, too.
    ///
    /// Default 10 min.
    public var idleTime: Duration
    /// How long a client may leave lines untaken; one that takes not a byte of them for so long is shown out.
    ///
    /// Default 60 s.
    public var slowReaderTime: Duration
    /// How long a client's system may leave bytes unacknowledged, or the server's questions whether it is still there.
    ///
    /// Default 150 s, at most 65,000 s: a client that is gone without a word, its power or its network cut, is found so.
    /// It should be more than twice ``slowReaderTime``: a client that is there and takes no lines, however long it is asked,
    /// would else be closed without being told.
    public var peerTime: Duration

    /// Connections beyond ``maxConnections`` that are told so at a time; further ones are closed without a word, lest they use
    /// up the descriptors that the process needs for itself.
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
