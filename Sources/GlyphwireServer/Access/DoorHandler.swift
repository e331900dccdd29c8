internal import GlyphwireProtocol
internal import Logging
internal import NIOCore
internal import NIOSSL

/// What a connection passes before it is one: the header of a proxy, where there is one, and the begin of TLS.
///
/// Waits for the first bytes, puts the handlers that follow from them in its place, and hands them what has come.
final class DoorHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How TLS begins: a record of the handshake.
    private static let handshakeRecord: UInt8 = 0x16
    /// How long a refused connection stays open for its line to be read.
    private static let lingerTime = TimeAmount.seconds(2)

    private let server: ServerCore
    private let connection: ConnectionHandler
    private var awaitsProxyHeader: Bool
    private var isOver = false
    private var client: SocketAddress?
    private var received = ByteBuffer()
    private var deadline: Scheduled<Void>?

    /// A door of `server`, with what stands behind it.
    init(server: ServerCore, connection: ConnectionHandler) {
        self.server = server
        self.connection = connection
        self.awaitsProxyHeader = server.configuration.isBehindProxy
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { self.channelActive(context: context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        self.client = context.remoteAddress
        let time = TimeAmount(self.server.configuration.limits.firstMessageTime)
        self.deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
            self.refuse(self.awaitsProxyHeader ? .noProxyHeader : .noTLS, context)
        }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = self.unwrapInboundIn(data)
        if !self.isOver { self.received.writeBuffer(&bytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        do throws(WireError) {
            try self.advance(context)
        } catch {
            self.refuse(error, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed, is ConnectionRegistry.DrainStarted: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.deadline?.cancel()
        context.fireChannelInactive()
    }

    /// Goes as far as the bytes that have come.
    private func advance(_ context: ChannelHandlerContext) throws(WireError) {
        guard !self.isOver else { return context.read() }
        if self.awaitsProxyHeader {
            guard let header = try ProxyHeader.next(in: &self.received) else { return context.read() }
            self.client = header.client ?? self.client
            self.awaitsProxyHeader = false
        }
        guard let tls = self.server.tls else { return self.open(context, tls: nil) }
        guard let first = self.received.readableBytesView.first else { return context.read() }
        guard first == Self.handshakeRecord else { throw .noTLS }
        self.open(context, tls: tls)
    }

    /// Puts the connection's handlers behind this one, and goes.
    private func open(_ context: ChannelHandlerContext, tls: NIOSSLContext?) {
        self.isOver = true
        self.deadline?.cancel()
        let pipeline = context.pipeline.syncOperations
        do {
            let connection = self.connection
            connection.client = self.client
            if let tls {
                let secure = NIOSSLServerHandler(context: tls)
                try pipeline.addHandler(secure, position: .after(self))
                try pipeline.addHandler(connection, position: .after(secure))
            } else {
                try pipeline.addHandler(connection, position: .after(self))
            }
        } catch {
            context.close(promise: nil)
            return
        }
        if self.received.readableBytes > 0 {
            context.fireChannelRead(self.wrapInboundOut(self.received))
            context.fireChannelReadComplete()
        }
        self.received = ByteBuffer()
        pipeline.removeHandler(context: context, promise: nil)
    }

    /// Tells whoever does not come in as one should, and closes once the line had time to be read.
    private func refuse(_ error: WireError, _ context: ChannelHandlerContext) {
        guard !self.isOver else { return }
        self.isOver = true
        self.deadline?.cancel()
        self.received = ByteBuffer()
        self.server.logger.info(
            "connection refused",
            metadata: [LogKeys.connection: "\(self.connection.id)", LogKeys.code: "\(error.code.rawValue)"]
        )
        var line = ByteBuffer()
        LineWriter().write(error: ErrorLine(error: error, sequence: nil), into: &line)
        self.server.meters.count(error)
        let eventLoop = context.eventLoop.assumeIsolated()
        context.writeAndFlush(self.wrapOutboundOut(line)).assumeIsolated().whenComplete { _ in
            context.close(mode: .output, promise: nil)
            eventLoop.scheduleTask(in: Self.lingerTime) { context.close(promise: nil) }
        }
        context.read()
    }
}

extension WireError {
    fileprivate static let noTLS = WireError(
        .wrongProtocol,
        "this server speaks TLS: connect with TLS (--tls, tls=True, or through stunnel or socat)"
    )
    fileprivate static let noProxyHeader = WireError(
        .wrongProtocol,
        "no PROXY header came; connect through the proxy, or start the server without --proxy-protocol"
    )
}
