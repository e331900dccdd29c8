internal import GlyphwireServer
internal import HummingbirdCore
internal import Logging
internal import NIOCore

/// HTTP channel that counts as one of the open connections.
struct LimitedChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// Channel of a connection.
    let base: Base
    let connections: HTTPConnections
    let accounting: HTTPAccounting

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        self.connections.accept(channel)
        if self.connections.refusal(of: ObjectIdentifier(channel)) != nil {
            self.accounting.refused(.tooManyConnections, from: channel.remoteAddress)
        }
        let accepted = self.base.setup(channel: channel, logger: logger)
        // The server does not close a channel that was not set up.
        accepted.whenFailure { _ in channel.close(promise: nil) }
        return accepted
    }

    func handle(value: Base.Value, logger: Logger) async { await self.base.handle(value: value, logger: logger) }
}
