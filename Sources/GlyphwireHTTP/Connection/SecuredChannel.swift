internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL

/// HTTP channel with TLS, if the server has it; each connection uses the latest files.
struct SecuredChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// Channel inside TLS.
    let base: Base
    /// Context of a new connection; `nil` for plain HTTP.
    let tls: @Sendable () -> NIOSSLContext?

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        guard let tls = self.tls() else { return self.base.setup(channel: channel, logger: logger) }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
        }.flatMap {
            self.base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await self.base.handle(value: value, logger: logger) }
}
