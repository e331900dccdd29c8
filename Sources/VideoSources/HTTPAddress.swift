internal import Foundation

/// Address of a camera on the web, with the name and password in it apart.
package struct HTTPAddress: Sendable, Equatable {
    /// The address as given.
    let text: String
    /// The address without name and password.
    let url: String
    /// Value of the `Authorization` header; `nil` without a name.
    let authorization: String?

    /// Parses an address; `nil` if it is none of HTTP.
    package init?(_ text: String) {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), parts.host?.isEmpty == false
        else { return nil }
        self.text = text
        self.authorization = parts.user.map { name in
            "Basic \(Data("\(name):\(parts.password ?? "")".utf8).base64EncodedString())"
        }
        (parts.user, parts.password) = (nil, nil)
        guard let url = parts.string else { return nil }
        self.url = url
    }
}
