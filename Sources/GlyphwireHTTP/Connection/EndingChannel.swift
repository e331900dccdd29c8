internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypesHTTP1

/// HTTP/1 channel with the handlers for which a request's version or its client's connection counts.
struct EndingChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// Channel for HTTP/1.1.
    let base: Base
    let connections: HTTPConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        self.base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Added before Hummingbird's codec, whose requests no longer have a version.
            let codec = try channel.pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self)
            let id = ObjectIdentifier(channel)
            try channel.pipeline.syncOperations.addHandlers(
                HostHandler(),
                ConnectionEndHandler(isRefused: self.connections.refusal(of: id) != nil),
                DisconnectHandler(self.connections.clientDisconnect(of: id)),
                position: .before(codec)
            )
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await self.base.handle(value: value, logger: logger) }
}
