public import GlyphwireProtocol
internal import TextModel
public import NIOCore
internal import NIOPosix

extension GlyphwireConnection {
    /// Settings of a connection.
    public struct Configuration: Sendable {
        /// Options sent first on every connection; `nil`, the default, uses the server's.
        ///
        /// Once ``GlyphwireConnection/configure(_:)`` has replaced them, those are sent, with their token or the one
        /// before.
        public var stream: StreamConfiguration?
        /// Maximum time to connect and receive the `hello`; 10 seconds by default.
        public var connectTimeout: Duration
        /// Maximum time in which the server sends nothing while messages are unanswered; 30 seconds by default.
        ///
        /// A connection that is silent for longer counts as lost, as Protocol.md's rule A12 says; so does that of a
        /// server which has said that it stops, and does not close. While the network takes bytes of a long message,
        /// the server does not count as silent; behind one it may take twice the time.
        public var answerTimeout: Duration
        /// Time without a message after which a `ping` is sent; 4 minutes by default.
        ///
        /// It has the server keep an idle connection, as Protocol.md recommends in rule A10. Where nothing at all was
        /// sent, and the server asks for no token, the first one follows after two seconds, if that is sooner. The
        /// answers are not among the lines received. With `nil` none is sent.
        public var pingInterval: Duration?
        /// Maximum length of a line; 16 MiB by default, some hundred thousand characters with their boxes.
        public var maxLineBytes: Int
        /// Number of unread lines at which reading from the socket pauses until the stream is finished; 64 by default.
        ///
        /// The hello lines and the answers that calls return do not count.
        public var lineBuffer: Int
        /// Policy for reconnecting after a lost connection; `nil`, the default, does not reconnect.
        public var reconnect: ReconnectPolicy?
        /// Callback for the changes of a connection that ``reconnect`` makes again; `nil`, the default, for none.
        ///
        /// It is called on the event loop and must not block; once the connection was closed by the caller, it is not.
        public var connectionChanged: (@Sendable (ConnectionChange) -> Void)?
        /// TLS settings; `nil`, the default, uses plain TCP.
        public var tls: ClientTLS?
        /// Event loop group of the connection; the process's shared group by default.
        public var eventLoopGroup: any EventLoopGroup
        /// Clock of ``ReceivedLine/sentAt`` and ``ReceivedLine/receivedAt``.
        package var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

        /// Creates a configuration; each value has its default unless given.
        public init(
            stream: StreamConfiguration? = nil,
            connectTimeout: Duration = .seconds(10),
            answerTimeout: Duration = .seconds(30),
            pingInterval: Duration? = .seconds(240),
            maxLineBytes: Int = 16 << 20,
            lineBuffer: Int = 64,
            reconnect: ReconnectPolicy? = nil,
            connectionChanged: (@Sendable (ConnectionChange) -> Void)? = nil,
            tls: ClientTLS? = nil,
            eventLoopGroup: (any EventLoopGroup)? = nil
        ) {
            self.stream = stream
            self.connectTimeout = connectTimeout
            self.answerTimeout = answerTimeout
            self.pingInterval = pingInterval
            self.maxLineBytes = maxLineBytes
            self.lineBuffer = lineBuffer
            self.reconnect = reconnect
            self.connectionChanged = connectionChanged
            self.tls = tls
            self.eventLoopGroup = eventLoopGroup ?? MultiThreadedEventLoopGroup.singleton
        }
    }

    /// Change of a connection that a ``ReconnectPolicy`` keeps.
    public enum ConnectionChange: Sendable {
        /// The connection is lost, for this reason, and another is tried until there is one.
        case lost(GlyphwireClientError)
        /// The server has refused a connection, for this reason, and another is tried; reported at each such attempt.
        case refused(GlyphwireClientError)
        /// There is another connection, and the server has accepted the options.
        case restored
    }
}

extension GlyphwireConnection.Configuration {
    /// The configuration with a callback that is called until `closing` is cancelled.
    func reportingChanges(until closing: WaitTicket) -> Self {
        guard let report = self.connectionChanged else { return self }
        var configuration = self
        configuration.connectionChanged = { change in
            if !closing.isCancelled { report(change) }
        }
        return configuration
    }
}
