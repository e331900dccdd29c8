internal import HTTPTypes
internal import Hummingbird

/// Endpoints of the HTTP service, by which it answers requests that no route takes, and pages of other origins.
struct Endpoints: Sendable {
    /// The methods that endpoints take, each once.
    let methods: [HTTPRequest.Method]
    /// The list for people.
    let list: String

    private let all: [Endpoint]
    private let forms: [ErrorForm]
    /// First parts of the paths that are open to pages of all origins.
    private let openFolders: [Substring]

    /// Creates the collection of `endpoints`, which are listed in their order.
    init(_ endpoints: [Endpoint]) {
        self.methods = endpoints.reduce(into: []) { methods, endpoint in
            if !methods.contains(endpoint.method) { methods.append(endpoint.method) }
        }
        self.list =
            "This server answers:\n" + endpoints.compactMap(\.line).joined()
            + "Frames are sent to another port, over plain TCP.\n"
        self.all = endpoints
        self.forms = endpoints.compactMap(\.errors)
        self.openFolders = endpoints.filter(\.isOpen).compactMap(\.folder)
    }

    /// The listed endpoint that `path` is meant for; `nil` for a path that is none's.
    func endpoint(at path: String) -> Endpoint? { self.all.first { $0.line != nil && $0.matches(path) } }

    /// Whether pages of any origin may request `path`, where all are allowed.
    ///
    /// A path that is no endpoint's is open beside an open one, so that a page sees the error of a mistaken path.
    func isOpen(_ path: String) -> Bool {
        let endpoints = self.all.filter { $0.matches(path) }
        guard endpoints.isEmpty else { return endpoints.allSatisfy(\.isOpen) }
        let path = path.drop { $0 == "/" }
        return self.openFolders.contains { path.hasPrefix($0) }
    }

    /// The response to a request that is not served, in the form of the errors of its path.
    func response(to request: Request, _ refusal: Refusal) -> Response {
        guard let form = self.forms.first(where: { $0.covers(request.uri.path) }) else { return refusal.text }
        return form.response(refusal)
    }
}
