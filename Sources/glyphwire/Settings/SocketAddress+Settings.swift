internal import NIOCore

extension SocketAddress {
    /// Finds the address of a setting.
    ///
    /// - Parameters:
    ///   - host: An address, or a name of one.
    ///   - port: The port.
    ///   - setting: The setting that has the host.
    /// - Returns: The first address of the host.
    /// - Throws: `ValidationError` if the host is unknown.
    static func resolving(_ host: String, port: Int, of setting: SettingName) throws -> SocketAddress {
        do {
            return try SocketAddress.makeAddressResolvingHost(host, port: port)
        } catch {
            throw Setting.invalid(setting, host, allowed: "an address of this machine, or a name that resolves to one")
        }
    }

    /// Whether not both addresses can be listened on: they have the same port, and the same host or all hosts.
    func overlaps(_ other: SocketAddress) -> Bool {
        guard let port = self.port, port > 0, port == other.port else { return false }
        return self.ipAddress == other.ipAddress || self.includes(other) || other.includes(self)
    }

    /// Whether this stands for all addresses, with that of `other` among them; that of IPv6 has those of IPv4 too.
    private func includes(_ other: SocketAddress) -> Bool {
        self.ipAddress == "::" || (self.ipAddress == "0.0.0.0" && other.protocol == .inet)
    }
}
