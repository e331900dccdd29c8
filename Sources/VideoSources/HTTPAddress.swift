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

    /// Parses an address; `nil` if it is none of HTTP.
    package init?(_ text: String) {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), parts.host?.isEmpty == false
        else { return nil }
        self.text = text
        self.credentials = parts.user.map { HTTPAuthentication.Credentials(user: $0, password: parts.password ?? "") }
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        self.uri = path + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
        (parts.user, parts.password) = (nil, nil)
        guard let url = parts.string else { return nil }
        self.url = url
    }
}
