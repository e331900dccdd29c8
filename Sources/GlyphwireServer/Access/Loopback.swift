internal import NIOCore

/// The addresses by which a machine reaches itself, and nobody else reaches it.
package enum Loopback {
    /// Whether `host` is such an address, or a name that stands for one.
    package static func contains(_ host: String) -> Bool {
        let name = host.lowercased()
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        guard let address = try? SocketAddress(ipAddress: host, port: 0), let text = address.ipAddress else {
            return false
        }
        return text == "::1" || (address.protocol == .inet && text.hasPrefix("127."))
    }
}
