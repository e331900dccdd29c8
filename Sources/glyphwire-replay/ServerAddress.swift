internal import ArgumentParser

/// Name or address of a server with its port, as `host:port`.
struct ServerAddress: ExpressibleByArgument {
    let host: String
    let port: Int

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), colon > argument.startIndex,
            let port = Int(argument[argument.index(after: colon)...]), (1...65_535).contains(port)
        else { return nil }
        let host = argument[..<colon]
        // An IPv6 address has brackets here, but not elsewhere.
        self.host = String(host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host)
        self.port = port
    }
}
