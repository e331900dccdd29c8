internal import GlyphwireServer
internal import NIOCore
internal import NIOSSL

/// Channel handler that accounts for a connection's bytes and for a TLS handshake that fails; it is behind TLS.
final class BytesAccountingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// Error for a client that leaves before the handshake is over, such as a check that the port is open.
    private static let disconnect = NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake]))

    private let accounting: HTTPAccounting
    private var client: SocketAddress?

    /// Creates a handler that reports to `accounting`.
    init(_ accounting: HTTPAccounting) { self.accounting = accounting }

    func handlerAdded(context: ChannelHandlerContext) { self.client = context.remoteAddress }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.accounting.received(byteCount: self.unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        self.accounting.sent(byteCount: self.unwrapOutboundIn(data).readableBytes)
        context.write(data, promise: promise)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let error = error as? NIOSSLError, case .handshakeFailed = error, error != Self.disconnect {
            self.accounting.refused(.handshakeFailed, from: self.client, error: error)
        }
        context.fireErrorCaught(error)
    }
}
