internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Channel handler of `Expect: 100-continue`, with which clients wait before sending a request's body.
///
/// curl waits for a second with bodies of a megabyte and more.
///
/// A request whose body is too long is refused before the body is sent.
final class ContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let maxBodyBytes: Int
    /// Number of unanswered requests.
    private var openRequests = 0
    /// Whether the last of them is waiting for `100 Continue`.
    private var isAwaited = false

    /// Creates a handler for bodies of up to `maxBodyBytes`.
    init(maxBodyBytes: Int) {
        self.maxBodyBytes = maxBodyBytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch self.unwrapInboundIn(data) {
        case .head(let head):
            self.openRequests += 1
            self.isAwaited = self.isAwaited(head)
            self.goOn(context)
        case .body, .end:
            self.isAwaited = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = self.unwrapOutboundIn(data)
        context.write(data, promise: promise)
        guard case .end = part else { return }
        self.openRequests -= 1
        self.goOn(context)
    }

    private func isAwaited(_ head: HTTPRequest) -> Bool {
        guard head.headerFields[.expect]?.lowercased() == "100-continue" else { return false }
        return head.contentLength.map { $0 <= self.maxBodyBytes } ?? true
    }

    /// Sends `100 Continue` once all earlier requests are answered.
    private func goOn(_ context: ChannelHandlerContext) {
        guard self.isAwaited, self.openRequests == 1 else { return }
        self.isAwaited = false
        context.writeAndFlush(self.wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
}

extension HTTPRequest {
    /// Length of the body, if the head has it.
    var contentLength: Int? { self.headerFields[.contentLength].flatMap { Int($0) } }
}
