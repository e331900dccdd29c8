internal import NIOCore

/// Loopback addresses, which only programs on the same machine can use.
package enum Loopback {
    /// Whether `host` is a loopback address, or a name of one.
    package static func contains(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        guard let address = try? SocketAddress(ipAddress: host, port: 0), let text = address.ipAddress else {
            return false
        }
        return text == "::1" || (address.protocol == .inet && text.hasPrefix("127."))
    }
}
