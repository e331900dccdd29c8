package import NIOCore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension SocketAddress {
    /// Key of the limits of one client: the address, or for IPv6 the /64 network, which one client may own.
    package var limitKey: String {
        let text = self.ipAddress ?? "unknown"
        let bytes = self.ipBytes
        guard bytes.count == 16 else { return text }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map(String.init).joined(separator: ".")
        }
        return bytes[..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }

    /// Bytes of the IP address, 4 or 16; empty without one.
    package var ipBytes: [UInt8] {
        guard let text = self.ipAddress else { return [] }
        let isVersion6 = self.protocol == .inet6
        var bytes = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
        return inet_pton(isVersion6 ? AF_INET6 : AF_INET, text, &bytes) == 1 ? bytes : []
    }

    /// Whether only programs of this machine can reach the address.
    package var isLoopback: Bool {
        switch self {
        case .v4: self.ipAddress?.hasPrefix("127.") ?? false
        case .v6: self.ipAddress == "::1"
        case .unixDomainSocket: true
        }
    }
}
