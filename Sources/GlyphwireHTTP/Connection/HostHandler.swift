internal import NIOCore
internal import NIOHTTP1

/// Channel handler that refuses requests of HTTP/1.1 that do not name one host (RFC 9112, section 3.2).
final class HostHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// Whether a request was refused, which was the last of the connection.
    private var hasRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !self.hasRefused else { return }
        if case .head(let head) = self.unwrapInboundIn(data), !head.isOld, head.headers["Host"].count != 1 {
            self.hasRefused = true
            // Hummingbird answers what cannot be parsed with 400, and closes the connection.
            context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        } else {
            context.fireChannelRead(data)
        }
    }
}

extension HTTPRequestHead {
    /// Whether the client's version of HTTP is older than 1.1.
    var isOld: Bool { self.version.major < 1 || self.version == .http1_0 }
}
