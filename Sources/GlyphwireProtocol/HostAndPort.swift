package import NIOCore

extension String {
    /// Creates the text of a host and a port as in a URL: an IPv6 address is in brackets, so that its end is no port.
    package init(host: String, port: Int) { self = "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

extension SocketAddress {
    /// The address with its port, as in logs, errors and URLs.
    package var hostAndPort: String { String(host: self.ipAddress ?? "unknown", port: self.port ?? 0) }
}
