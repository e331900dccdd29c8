/// Configuration of an MQTT publisher.
package struct MQTTConfiguration: Sendable, Equatable {
    /// Name or address of the broker.
    package var host: String
    /// Port of the broker; 1883, or 8883 with TLS.
    package var port: Int
    /// First part of all topics.
    package var prefix = "glyphwire"
    /// Name at the broker; `nil` for none.
    package var user: String?
    /// Password at the broker; `nil` for none.
    package var password: String?
    /// Whether the connection uses TLS.
    package var usesTLS: Bool
    /// Path of a PEM file with trusted authorities; `nil` for the system's.
    package var authorities: String?
    /// Topic prefix of Home Assistant's discovery.
    package var discoveryPrefix = "homeassistant"

    /// Parses `mqtt://user:password@host:port/prefix`, or `mqtts://` for TLS; `nil` if it is not such an address.
    package init?(_ url: String) {
        guard let scheme = url.firstRange(of: "://"), ["mqtt", "mqtts"].contains(url[..<scheme.lowerBound]) else {
            return nil
        }
        self.usesTLS = url.hasPrefix("mqtts")
        var rest = url[scheme.upperBound...]
        if let slash = rest.firstIndex(of: "/") {
            let prefix = rest[rest.index(after: slash)...]
            guard !prefix.contains(where: { "+#".contains($0) }) else { return nil }
            if !prefix.isEmpty { self.prefix = String(prefix) }
            rest = rest[..<slash]
        }
        if let at = rest.lastIndex(of: "@") {
            let parts = rest[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            self.user = String(parts[0])
            if parts.count == 2 { self.password = String(parts[1]) }
            rest = rest[rest.index(after: at)...]
        }
        self.port = self.usesTLS ? 8883 : 1883
        if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
            guard let port = UInt16(rest[rest.index(after: colon)...]) else { return nil }
            self.port = Int(port)
            rest = rest[..<colon]
        }
        let host = rest.hasPrefix("[") && rest.hasSuffix("]") ? rest.dropFirst().dropLast() : rest
        guard !host.isEmpty else { return nil }
        self.host = String(host)
    }
}
