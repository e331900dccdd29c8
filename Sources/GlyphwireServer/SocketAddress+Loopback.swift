internal import NIOCore

extension SocketAddress {
    /// Whether only programs of this machine can reach the address.
    var isLoopback: Bool {
        switch self {
        case .v4: self.ipAddress?.hasPrefix("127.") ?? false
        case .v6: self.ipAddress == "::1"
        case .unixDomainSocket: true
        }
    }
}
