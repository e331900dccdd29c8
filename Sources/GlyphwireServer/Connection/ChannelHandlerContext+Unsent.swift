package import NIOCore

extension ChannelHandlerContext {
    /// Number of bytes that the socket has not accepted yet.
    package var unsentByteCount: Int {
        // Every socket has this option; a channel without it buffers nothing.
        (try? self.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }
}
