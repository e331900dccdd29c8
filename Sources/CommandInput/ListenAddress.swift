internal import ArgumentParser

/// Address to listen on: `127.0.0.1:7412`, `[::1]:7412`, or a port alone.
package struct ListenAddress: ExpressibleByArgument, Sendable, Equatable {
    /// Name or address without brackets.
    package let host: String
    /// Port; 0 takes any free one.
    package let port: Int

    /// Parses an address.
    package init?(argument: String) {
        let colon = argument.lastIndex(of: ":")
        guard let port = UInt16(colon.map { argument[argument.index(after: $0)...] } ?? argument[...]) else {
            return nil
        }
        self.port = Int(port)
        guard let colon else {
            self.host = "127.0.0.1"
            return
        }
        let host = argument[..<colon]
        if host.first == "[", host.last == "]" {
            self.host = String(host.dropFirst().dropLast())
        } else if !host.isEmpty, !host.contains(":") {
            self.host = String(host)
        } else {
            return nil
        }
    }
}
