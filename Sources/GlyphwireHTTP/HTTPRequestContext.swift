internal import GlyphwireServer
internal import Hummingbird
internal import NIOCore

/// Context of a request, with the client's address.
struct HTTPRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Address of the client, or of the proxy before it.
    let client: SocketAddress?
    /// Identity of the connection's channel.
    let channel: ObjectIdentifier
    /// ``GlyphwireServer/tokenChanges`` from before the request's token was checked.
    var tokenChanges = 0
    /// Name of the token that the request has; `nil` where none is required.
    var token: String?

    init(source: ApplicationRequestContextSource) {
        self.coreContext = CoreRequestContextStorage(source: source)
        self.client = source.channel.remoteAddress
        self.channel = ObjectIdentifier(source.channel)
    }
}
