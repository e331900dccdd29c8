internal import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension SocketAddress {
    /// Address for the limits; for IPv6 the /64 network, which one client may own.
    var site: String {
        let text = self.ipAddress ?? "unknown"
        guard case .v6 = self else { return text }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return text }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map(String.init).joined(separator: ".")
        }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }

    /// The address with its port, as in logs.
    var hostAndPort: String { "\(self.ipAddress ?? "unknown"):\(self.port ?? 0)" }

    /// Whether only programs of this machine can reach the address.
    var isLoopback: Bool {
        switch self {
        case .v4: self.ipAddress?.hasPrefix("127.") ?? false
        case .v6: self.ipAddress == "::1"
        case .unixDomainSocket: true
        }
    }
}
