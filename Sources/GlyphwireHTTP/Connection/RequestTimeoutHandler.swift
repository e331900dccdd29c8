internal import GlyphwireServer
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Channel handler that closes connections whose clients do not act in time.
///
/// It needs a ``RequestBytesHandler`` and a ``WriteStallHandler`` before it. Hummingbird's own timeout takes a response
/// for sent when it is written, and has none for bodies that arrive slowly.
final class RequestTimeoutHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Error in place of the rest of a body that is late; the response to it is the last.
    struct LateBody: Error {}

    private var timeouts: RequestTimeouts
    private let timer = DeadlineTimer()

    /// Creates a handler that enforces `timeouts`.
    init(timeouts: RequestTimeouts) { self.timeouts = timeouts }

    func handlerAdded(context: ChannelHandlerContext) {
        self.timeouts.connected(at: context.eventLoop.now)
        self.scheduleCheck(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.timer.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is RequestBytesHandler.Received:
            self.timeouts.bytesReceived(at: context.eventLoop.now)
            self.scheduleCheck(context)
        case is WriteStallHandler.Stalled:
            context.close(promise: nil)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // What follows a late body is not read.
        guard !self.timeouts.isLate else { return }
        switch self.unwrapInboundIn(data) {
        case .head: self.timeouts.headReceived(at: context.eventLoop.now)
        case .body: break
        case .end: self.timeouts.requestReceived(at: context.eventLoop.now)
        }
        self.scheduleCheck(context)
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch self.unwrapOutboundIn(data) {
        case .head(var head):
            self.timeouts.responseBegan()
            if self.timeouts.isLate { head.headerFields[.connection] = "close" }
            context.write(self.wrapOutboundOut(.head(head)), promise: promise)
        case .body:
            context.write(data, promise: promise)
        case .end:
            context.write(data, promise: promise)
            self.timeouts.responseEnded(at: context.eventLoop.now)
            self.scheduleCheck(context)
        }
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        self.timer.schedule({ self.timeouts.deadline }, on: context.eventLoop) {
            self.deadlinePassed(context)
        }
    }

    private func deadlinePassed(_ context: ChannelHandlerContext) {
        let hasUnsentBytes = context.unsentByteCount > 0
        switch self.timeouts.deadlinePassed(hasUnsentBytes: hasUnsentBytes, at: context.eventLoop.now) {
        case .wait:
            self.scheduleCheck(context)
        case .answer:
            context.fireErrorCaught(LateBody())
            self.scheduleCheck(context)
        case .close:
            context.close(promise: nil)
        }
    }
}
