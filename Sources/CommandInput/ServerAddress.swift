internal import ArgumentParser

/// Name or address of a server with its port, as `host:port`.
package struct ServerAddress: ExpressibleByArgument, Sendable, Equatable {
    /// Name or address without brackets.
    package let host: String
    /// Port, above 0.
    package let port: Int

    /// Creates an address.
    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses an address, where an IPv6 address has brackets.
    package init?(argument: String) {
        guard let address = ListenAddress(argument: argument), argument.contains(":"), address.port > 0 else {
            return nil
        }
        self.init(host: address.host, port: address.port)
    }
}
