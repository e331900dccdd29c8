internal import Hummingbird
internal import NIOCore

/// Context of a request, with the client's address.
struct HTTPRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Address of the client, or of the proxy before it.
    let client: SocketAddress?

    init(source: ApplicationRequestContextSource) {
        self.coreContext = CoreRequestContextStorage(source: source)
        self.client = source.channel.remoteAddress
    }
}
