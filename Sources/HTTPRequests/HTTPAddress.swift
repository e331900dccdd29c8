internal import Foundation

/// Address on the web, with the name and password in it apart.
package struct HTTPAddress: Sendable, Equatable {
    /// The address as given.
    package let text: String
    /// The address without name and password.
    package let url: String
    /// Path and query of a request.
    let uri: String
    /// Name and password; `nil` without a name.
    let credentials: HTTPAuthentication.Credentials?
    /// Name or address of the server in lower case.
    private let host: String
    private let isEncrypted: Bool

    /// Parses an address; `nil` if it is none of HTTP.
    ///
    /// - Throws: ``HTTPRequestError`` for an address of HTTP that cannot be requested.
    package init?(_ text: String) throws(HTTPRequestError) {
        let isHTTP = ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
        guard isHTTP else { return nil }
        guard var parts = URLComponents(string: text), let host = parts.host?.lowercased(), !host.isEmpty else {
            throw HTTPRequestError(.badAddress, "it has no host, or a character to be escaped, as a space by %20")
        }
        try Self.checkPort(of: parts)
        self.text = text
        self.credentials = parts.user.map { HTTPAuthentication.Credentials(user: $0, password: parts.password ?? "") }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.uri = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        (self.host, self.isEncrypted) = (host, parts.scheme?.lowercased() == "https")
        (parts.user, parts.password) = (nil, nil)
        self.url = parts.string ?? Self.withoutCredentials(text)
    }

    /// An address without the name and password in it, whether it can be requested or not.
    package static func withoutCredentials(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        let authority = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return text }
        return String(text[..<scheme.upperBound] + text[text.index(after: at)...])
    }

    /// The address that a redirect of this one leads to; `nil` for none of HTTP.
    ///
    /// - Throws: ``HTTPRequestError`` for an address of HTTP that cannot be requested.
    func redirected(to location: String) throws(HTTPRequestError) -> HTTPAddress? {
        guard let target = URL(string: location, relativeTo: URL(string: self.url))?.absoluteString else { return nil }
        do throws(HTTPRequestError) {
            return try HTTPAddress(target)
        } catch {
            let place = Self.withoutCredentials(target)
            throw HTTPRequestError(error.code, "the address redirects to \(place), but \(error.message)")
        }
    }

    /// Whether the name and password may be sent to another address: to the same host, and not in the clear after TLS.
    func sharesCredentials(with other: HTTPAddress) -> Bool {
        self.host == other.host && (other.isEncrypted || !self.isEncrypted)
    }

    /// Checks that a port in an address is one of TCP, since sockets trap on others.
    private static func checkPort(of parts: URLComponents) throws(HTTPRequestError) {
        guard let range = parts.rangeOfPort, let port = parts.string?[range], !port.isEmpty else { return }
        guard UInt16(port) ?? 0 > 0 else {
            throw HTTPRequestError(.badAddress, "the port cannot be \(port), only 1 to 65535")
        }
    }
}
