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
    private var check: (task: Scheduled<Void>, time: NIODeadline)?

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
        self.check?.task.cancel()
        context.fireChannelInactive()
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        guard let deadline = self.timeouts.deadline else { return }
        if let check = self.check {
            // A check that is too early schedules the next one itself.
            guard deadline < check.time else { return }
            check.task.cancel()
        }
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.check = nil
            guard let deadline = self.timeouts.deadline else { return }
            if deadline > context.eventLoop.now {
                self.scheduleCheck(context)
            } else {
                context.fireUserInboundEventTriggered(TimedOut(error: self.timeouts.error))
            }
        }
        self.check = (task, deadline)
    }
}
