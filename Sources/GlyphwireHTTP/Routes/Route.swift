internal import Hummingbird

/// Route of the HTTP service: an endpoint, and what answers its requests.
struct Route: Sendable {
    /// What answers a request.
    typealias Handler = @concurrent @Sendable (Request, HTTPRequestContext) async throws -> Response

    /// The endpoint.
    let endpoint: Endpoint
    private let patterns: [String]
    private let handler: Handler

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - patterns: The paths that it answers, in the notation of the router; `nil` for that of the endpoint alone.
    ///   - handler: What answers its requests.
    init(_ endpoint: Endpoint, patterns: [String]? = nil, handler: @escaping Handler) {
        self.endpoint = endpoint
        self.patterns = patterns ?? [endpoint.path]
        self.handler = handler
    }

    /// Adds the route to `router`.
    func add(to router: some RouterMethods<HTTPRequestContext>) {
        for pattern in self.patterns {
            router.on(RouterPath(pattern), method: self.endpoint.method, use: self.handler)
        }
    }
}

extension [Route] {
    /// Adds the routes that require `access` to `router`, which has the middleware for it.
    func add(_ access: Endpoint.Access, to router: some RouterMethods<HTTPRequestContext>) {
        for route in self where route.endpoint.access == access { route.add(to: router) }
    }
}
