internal import NIOCore
internal import NIOHTTP1

/// Channel handler that accounts for responses, also to what cannot be parsed as a request.
final class ResponseAccountingHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let accounting: HTTPAccounting
    private var client: SocketAddress?
    /// Requests without a response yet.
    private var requests = CircularBuffer<HTTPRequestHead>()

    /// Creates a handler that reports to `accounting`.
    init(_ accounting: HTTPAccounting) { self.accounting = accounting }

    func handlerAdded(context: ChannelHandlerContext) { self.client = context.remoteAddress }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = self.unwrapInboundIn(data) { self.requests.append(head) }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // `100 Continue` comes before the response.
        if case .head(let head) = self.unwrapOutboundIn(data), head.status.code >= 200 {
            self.accounting.answered(self.requests.popFirst(), with: head.status, to: self.client)
        }
        context.write(data, promise: promise)
    }
}
