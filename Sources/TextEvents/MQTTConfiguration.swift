internal import Foundation

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

    /// Parses `mqtt://user:password@host:port/prefix`, or `mqtts://` for TLS.
    ///
    /// What has a meaning in an address is escaped in its parts, as a slash in a password by `%2F`.
    ///
    /// - Throws: ``EventError`` with the mistake.
    package init(_ url: String) throws(EventError) {
        guard let scheme = url.firstRange(of: "://"),
            ["mqtt", "mqtts"].contains(url[..<scheme.lowerBound].lowercased())
        else { throw EventError("it begins with neither mqtt:// nor mqtts://") }
        self.usesTLS = url[..<scheme.lowerBound].lowercased() == "mqtts"
        self.port = self.usesTLS ? 8883 : 1883
        let rest = url[scheme.upperBound...]
        var authority = rest.prefix { $0 != "/" }
        if let prefix = try Self.prefix(rest[authority.endIndex...]) { self.prefix = prefix }
        if let at = authority.lastIndex(of: "@") {
            let login = authority[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            self.user = try Self.unescaped(String(login[0]))
            if login.count == 2 { self.password = try Self.unescaped(String(login[1])) }
            authority = authority[authority.index(after: at)...]
        }
        if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
            self.port = try Self.port(authority[authority.index(after: colon)...])
            authority = authority[..<colon]
        }
        let isInBrackets = authority.hasPrefix("[") && authority.hasSuffix("]")
        self.host = String(isInBrackets ? authority.dropFirst().dropLast() : authority)
        guard !self.host.isEmpty else { throw EventError("it has no host") }
    }

    /// Topic of the whole program's status.
    var statusTopic: String { "\(self.prefix)/status" }

    /// The topics of the status and of all texts below the prefix, the status first.
    var subscriptions: [String] {
        [self.statusTopic]
            + ["text", "find/+", "region/+/text", "region/+/find/+"].map { "\(self.prefix)/+/\($0)" }
    }

    /// The first part of all topics in the path of an address, without slashes around it; `nil` for none.
    private static func prefix(_ path: Substring) throws(EventError) -> String? {
        guard !path.contains("@") else {
            throw EventError("it has an @ behind a slash; in a name or password, escape a slash by %2F")
        }
        let prefix = try self.unescaped(path.split(separator: "/").joined(separator: "/"))
        guard !prefix.contains(where: { "+#".contains($0) }) else {
            throw EventError("+ and # cannot be in topics")
        }
        return prefix.isEmpty ? nil : prefix
    }

    private static func port(_ text: Substring) throws(EventError) -> Int {
        guard let port = UInt16(text), port > 0 else {
            throw EventError("the port cannot be \(text), only 1 to 65535")
        }
        return Int(port)
    }

    /// The text of a part of an address, in C strings of which there is no zero.
    private static func unescaped(_ text: String) throws(EventError) -> String {
        guard let unescaped = text.removingPercentEncoding, !unescaped.utf8.contains(0) else {
            throw EventError("% must be followed by two digits, and not by 00; by itself it is %25")
        }
        return unescaped
    }
}
