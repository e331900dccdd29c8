internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTPTypesHTTP1

/// HTTP channel whose bytes, responses and TLS errors are accounted for.
struct AccountedChannel<Base: ServerChildChannel>: ServerChildChannel {
    /// Channel for HTTP/1.1, inside TLS.
    let base: Base
    let accounting: HTTPAccounting

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(BytesAccountingHandler(self.accounting))
        }.flatMap {
            self.base.setup(channel: channel, logger: logger)
        }.flatMapThrowing { value in
            let codec = try channel.pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self)
            try channel.pipeline.syncOperations.addHandler(
                ResponseAccountingHandler(self.accounting),
                position: .before(codec)
            )
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async { await self.base.handle(value: value, logger: logger) }
}
