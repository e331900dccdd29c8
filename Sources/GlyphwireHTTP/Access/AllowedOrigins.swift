/// Origins of web pages that CORS allows to use this server.
package struct AllowedOrigins: Sendable, Hashable {
    /// The origins as browsers write them; `nil` for all.
    private var origins: Set<String>?

    /// No origin.
    package static let none = AllowedOrigins(origins: [])

    private init(origins: Set<String>?) {
        self.origins = origins
    }

    /// Parses a list of origins.
    ///
    /// - Parameter text: Origins such as `https://app.example:8443` separated by commas, `null` for local files, or `*`
    ///   for all.
    package init?(_ text: some StringProtocol) {
        let names = text.split(separator: ",").map { $0.drop { $0 == " " }.lowercased() }
        guard !names.isEmpty else { return nil }
        guard names != ["*"] else {
            self.origins = nil
            return
        }
        var origins: Set<String> = []
        for name in names {
            guard let origin = Self.origin(name) else { return nil }
            origins.insert(origin)
        }
        self.origins = origins
    }

    /// Whether all origins are allowed.
    var containsAll: Bool { self.origins == nil }

    /// Whether no origin is allowed.
    var isEmpty: Bool { self.origins?.isEmpty ?? false }

    /// Whether `origin` is allowed.
    func contains(_ origin: String) -> Bool { self.origins?.contains(origin.lowercased()) ?? true }

    /// The union of two sets of origins.
    package func union(_ other: AllowedOrigins) -> AllowedOrigins {
        guard let origins = self.origins, let others = other.origins else { return AllowedOrigins(origins: nil) }
        return AllowedOrigins(origins: origins.union(others))
    }

    /// Normalizes an origin as browsers write it, without its scheme's default port.
    private static func origin(_ name: String) -> String? {
        if name == "null" { return name }
        var name = name
        // A trailing slash, as in a copied page address.
        if name.hasSuffix("/") { name.removeLast() }
        guard let end = name.firstRange(of: "://") else { return nil }
        let (scheme, host) = (name[..<end.lowerBound], name[end.upperBound...])
        guard !scheme.isEmpty, !host.isEmpty, !host.contains(where: { "/?#@*\" ".contains($0) }) else { return nil }
        let port = scheme == "https" ? ":443" : scheme == "http" ? ":80" : nil
        if let port, host.hasSuffix(port), !host.hasPrefix(":") { name.removeLast(port.count) }
        return name
    }
}
