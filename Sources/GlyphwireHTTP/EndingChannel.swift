internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypesHTTP1

/// HTTP/1 channel with a ``ConnectionEndHandler``, for clients of HTTP/1.0.
struct EndingChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// Channel for HTTP/1.1.
    let base: Base
    let connections: HTTPConnections

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        self.base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Added before Hummingbird's codec, whose requests no longer have a version.
            let codec = try channel.pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self)
            try channel.pipeline.syncOperations.addHandler(
                ConnectionEndHandler(isRefused: self.connections.refusal(of: ObjectIdentifier(channel)) != nil),
                position: .before(codec)
            )
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await self.base.handle(value: value, logger: logger) }
}
