internal import Foundation

/// Address of a camera on the web, with the name and password in it apart.
package struct HTTPAddress: Sendable, Equatable {
    /// The address as given.
    let text: String
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
    package init?(_ text: String) {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host?.lowercased(), !host.isEmpty
        else { return nil }
        self.text = text
        self.credentials = parts.user.map { HTTPAuthentication.Credentials(user: $0, password: parts.password ?? "") }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.uri = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        (self.host, self.isEncrypted) = (host, scheme == "https")
        (parts.user, parts.password) = (nil, nil)
        guard let url = parts.string else { return nil }
        self.url = url
    }

    /// The address that a redirect of this one leads to; `nil` for none of HTTP.
    func redirected(to location: String) -> HTTPAddress? {
        URL(string: location, relativeTo: URL(string: self.url)).flatMap { HTTPAddress($0.absoluteString) }
    }

    /// Whether the name and password may be sent to another address: to the same host, and not in the clear after TLS.
    func sharesCredentials(with other: HTTPAddress) -> Bool {
        self.host == other.host && (other.isEncrypted || !self.isEncrypted)
    }
}
