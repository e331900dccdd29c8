package import NIOCore

/// Channel handler that reports a client that does not read what was sent to it.
///
/// It fires ``Stalled`` inbound when the socket has not accepted a byte of what was flushed within the timeout. It is
/// between the socket and TLS, since it compares the bytes that it passes on with those that the socket still has.
package final class WriteStallHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// Event for a client that does not read.
    package struct Stalled: Sendable {}

    private let timeout: TimeAmount
    private var writtenByteCount = 0
    private var check: Scheduled<Void>?

    /// Creates a handler with a `timeout` for stalled writes.
    package init(timeout: Duration) { self.timeout = TimeAmount(timeout) }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        self.writtenByteCount += self.unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    package func flush(context: ChannelHandlerContext) {
        context.flush()
        self.scheduleCheck(context)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        self.check?.cancel()
        context.fireChannelInactive()
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        guard self.check == nil, context.channel.isActive else { return }
        let unsent = context.unsentByteCount
        guard unsent > 0 else { return }
        let taken = self.writtenByteCount - unsent
        self.check = context.eventLoop.assumeIsolated().scheduleTask(in: self.timeout) {
            self.check = nil
            let unsent = context.unsentByteCount
            if unsent > 0, self.writtenByteCount - unsent == taken {
                context.fireUserInboundEventTriggered(Stalled())
            } else {
                self.scheduleCheck(context)
            }
        }
    }
}
