internal import NIOCore

/// Channel handler that reports bytes of requests before they are decoded.
///
/// It fires ``Received`` inbound, without which a request whose head is late looks like an idle connection. It is
/// between TLS, whose own bytes are of no request, and the HTTP decoder.
final class RequestBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Event for bytes that follow.
    struct Received: Sendable {}

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(Received())
        context.fireChannelRead(data)
    }
}
