internal import GlyphwireProtocol
internal import NIOCore

/// Channel handler that reports when a client does not act in time.
///
/// The ``ConnectionHandler`` triggers a ``ConnectionTimeouts/Wait`` as an outbound event whenever it has advanced, and
/// receives a ``TimedOut`` as an inbound event. One timer serves all waits of a connection: a wait that begins later
/// only moves the deadline.
final class ConnectionTimeoutHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// Event for a client that has timed out.
    struct TimedOut: Sendable {
        /// Error to send to the client.
        let error: WireError
    }

    private var timeouts: ConnectionTimeouts
    private let timer = DeadlineTimer()

    /// Creates a handler that enforces the timeouts of `limits`.
    init(limits: ServerLimits) { self.timeouts = ConnectionTimeouts(limits: limits) }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let wait = event as? ConnectionTimeouts.Wait else {
            context.triggerUserOutboundEvent(event, promise: promise)
            return
        }
        self.timeouts.waits(wait, at: context.eventLoop.now)
        self.scheduleCheck(context)
        promise?.succeed()
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.timer.cancel()
        context.fireChannelInactive()
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        self.timer.schedule({ self.timeouts.deadline }, on: context.eventLoop) {
            context.fireUserInboundEventTriggered(TimedOut(error: self.timeouts.error))
        }
    }
}
