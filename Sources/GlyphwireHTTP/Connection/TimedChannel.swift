internal import GlyphwireServer
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// HTTP channel with what a ``RequestTimeoutHandler`` needs, and with the TCP keep-alive of the frame port.
struct TimedChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// HTTP/1 channel with a ``RequestTimeoutHandler``.
    let base: Base
    let limits: ServerLimits

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            // Between the socket and TLS.
            try pipeline.addHandler(WriteStallHandler(timeout: self.limits.slowReaderTime), position: .first)
            try pipeline.addHandler(RequestBytesHandler())
            if let options = channel.syncOptions { try TCPKeepAlive(time: self.limits.peerTime).apply(to: options) }
        }.flatMap {
            self.base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await self.base.handle(value: value, logger: logger) }
}
