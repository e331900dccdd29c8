internal import GlyphwireProtocol
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Channels to the server of a ``ClientStream``, one at a time; late events of abandoned ones are ignored by their number.
final class ClientChannel {
    private let host: String
    private let port: Int
    private let configuration: GlyphwireConnection.Configuration
    /// TLS context of the channels; `nil` for plain TCP.
    private let secured: NIOSSLContext?
    private let eventLoop: any EventLoop

    /// Handler of the open channel.
    private(set) var handler: ClientHandler?
    /// Number of the current channel.
    private var number = 0
    /// Timeout of the server's `hello`.
    private var deadline: Scheduled<Void>?

    init(
        host: String,
        port: Int,
        configuration: GlyphwireConnection.Configuration,
        secured: NIOSSLContext?,
        eventLoop: any EventLoop
    ) {
        self.host = host
        self.port = port
        self.configuration = configuration
        self.secured = secured
        self.eventLoop = eventLoop
    }

    /// The server's address, for messages.
    var address: String { String(host: self.host, port: self.port) }

    /// Opens a channel, whose events go to `stream`; it fails unless the server's `hello` arrives in time.
    func open(for stream: ClientStream) {
        let stream = NIOLoopBound(stream, eventLoop: self.eventLoop)
        let timeout = TimeAmount(self.configuration.connectTimeout)
        let maxLineBytes = self.configuration.maxLineBytes
        let number = self.number
        let (secured, serverName) = (self.secured, self.serverName)
        self.deadline = self.eventLoop.assumeIsolated().scheduleTask(in: timeout) {
            stream.value.fail(.noHello(from: self.address, within: self.configuration.connectTimeout))
        }
        ClientBootstrap(group: self.eventLoop)
            // The deadline above fires first, with a better message.
            .connectTimeout(min(timeout, .hours(24 * 365)) + .seconds(1))
            .channelOption(.autoRead, value: false)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = ClientHandler(stream: stream.value, number: number, maxLineBytes: maxLineBytes)
                    if let secured {
                        let tls = try NIOSSLClientHandler(context: secured, serverHostname: serverName)
                        try channel.pipeline.syncOperations.addHandler(tls)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: self.host, port: self.port)
            .whenFailure { stream.value.cannotConnect($0, number: number) }
    }

    /// Host name that the server's certificate must match; an address is compared with the connection's.
    private var serverName: String? {
        (try? SocketAddress(ipAddress: self.host, port: self.port)) == nil ? self.host : nil
    }

    /// Whether a channel is the current one.
    func isCurrent(_ number: Int) -> Bool { number == self.number }

    /// Takes the handler of a channel that is open.
    ///
    /// - Returns: Whether it is the current one; else it is to be closed.
    func opened(_ handler: ClientHandler, number: Int) -> Bool {
        guard self.isCurrent(number), self.handler == nil else { return false }
        self.handler = handler
        return true
    }

    /// Handles the server's `hello`, which was in time.
    func helloReceived() {
        self.deadline?.cancel()
        self.deadline = nil
    }

    /// Closes the channel, or abandons one that is being opened.
    func close() {
        self.deadline?.cancel()
        self.deadline = nil
        self.handler?.close()
        self.handler = nil
        self.number += 1
    }
}
