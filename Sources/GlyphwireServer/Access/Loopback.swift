internal import NIOCore

/// Loopback addresses, which only programs on the same machine can use.
package enum Loopback {
    /// Whether `host` is a loopback address, or a name of one.
    package static func contains(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        return (try? SocketAddress(ipAddress: host, port: 0))?.isLoopback ?? false
    }
}
