internal import NIOCore
internal import NIOHTTP1

/// Channel handler that notices when the client has left before it has its response.
///
/// A client that closes only its own side with its last request still waits for the response. In TCP it looks like one
/// that gives up, which does so later.
final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Time after a request in which a client may close its side: more than a network takes to deliver it again.
    private static let halfCloseTime = TimeAmount.seconds(1)

    private let disconnect: ClientDisconnect
    /// Time of the last request's end; `nil` before it, when its incomplete body is the error.
    private var requestEnd: NIODeadline?

    /// Creates a handler that reports to `disconnect`.
    init(_ disconnect: ClientDisconnect) { self.disconnect = disconnect }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head: self.requestEnd = nil
        case .body: break
        case .end: self.requestEnd = context.eventLoop.now
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event, let end = self.requestEnd,
            context.eventLoop.now - end > Self.halfCloseTime
        {
            self.disconnect.report()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.disconnect.report()
        context.fireChannelInactive()
    }
}
