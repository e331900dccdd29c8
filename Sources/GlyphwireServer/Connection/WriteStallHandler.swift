internal import NIOCore

/// Channel handler that reports a client that does not read its lines.
///
/// It fires ``Stalled`` inbound when the socket has not accepted a byte of what was flushed within the timeout. It is
/// between the socket and TLS, since it compares the bytes that it passes on with those that the socket still has.
final class WriteStallHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Event for a client that does not read.
    struct Stalled: Sendable {}

    private let timeout: TimeAmount
    private var writtenByteCount = 0
    private var check: Scheduled<Void>?

    /// Creates a handler with a `timeout` for stalled writes.
    init(timeout: Duration) { self.timeout = TimeAmount(timeout) }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        self.writtenByteCount += self.unwrapOutboundIn(data).readableBytes
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        self.scheduleCheck(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.check?.cancel()
        context.fireChannelInactive()
    }

    private func scheduleCheck(_ context: ChannelHandlerContext) {
        guard self.check == nil, context.channel.isActive else { return }
        let unsent = Self.unsentByteCount(context)
        guard unsent > 0 else { return }
        let taken = self.writtenByteCount - unsent
        self.check = context.eventLoop.assumeIsolated().scheduleTask(in: self.timeout) {
            self.check = nil
            let unsent = Self.unsentByteCount(context)
            if unsent > 0, self.writtenByteCount - unsent == taken {
                context.fireUserInboundEventTriggered(Stalled())
            } else {
                self.scheduleCheck(context)
            }
        }
    }

    /// Number of bytes that the socket has not accepted yet.
    private static func unsentByteCount(_ context: ChannelHandlerContext) -> Int {
        // Every socket has this option; a channel without it buffers nothing.
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
