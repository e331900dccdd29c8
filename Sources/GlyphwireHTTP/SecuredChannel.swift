internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL

/// HTTP inside TLS, if there is any: each connection begins with the files that the server has read last.
struct SecuredChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// What is inside.
    let base: Base
    /// What a new connection is secured with; `nil` speaks plain HTTP.
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
