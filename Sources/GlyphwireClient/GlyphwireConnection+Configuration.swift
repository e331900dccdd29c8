public import GlyphwireProtocol
internal import TextModel
public import NIOCore
internal import NIOPosix

extension GlyphwireConnection {
    /// Settings of a connection.
    public struct Configuration: Sendable {
        /// Options that are sent first, on every connection; `nil`, the default, leaves the server's own in force.
        public var stream: StreamConfiguration?
        /// How long it may take to connect and be greeted; 10 seconds by default.
        public var connectTimeout: Duration
        /// The longest line that is taken; 16 MiB by default, some hundred thousand characters with their boxes.
        public var maxLineBytes: Int
        /// How many lines may wait to be read before reading from the socket pauses; 64 by default.
        public var lineBuffer: Int
        /// How a lost connection is made again; `nil`, the default, does not.
        public var reconnect: ReconnectPolicy?
        /// How TLS is spoken; `nil`, the default, speaks plain TCP.
        public var tls: ClientTLS?
        /// Where the connection's event loop comes from; the process's shared group by default.
        public var eventLoopGroup: any EventLoopGroup
        /// The clock of ``ReceivedLine/sentAt`` and ``ReceivedLine/receivedAt``.
        package var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

        /// A configuration, each part at its default unless given.
        public init(
            stream: StreamConfiguration? = nil,
            connectTimeout: Duration = .seconds(10),
            maxLineBytes: Int = 16 << 20,
            lineBuffer: Int = 64,
            reconnect: ReconnectPolicy? = nil,
            tls: ClientTLS? = nil,
            eventLoopGroup: (any EventLoopGroup)? = nil
        ) {
            self.stream = stream
            self.connectTimeout = connectTimeout
            self.maxLineBytes = maxLineBytes
            self.lineBuffer = lineBuffer
            self.reconnect = reconnect
            self.tls = tls
            self.eventLoopGroup = eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
        }
    }
}
