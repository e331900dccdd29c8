internal import HTTPTypes

/// Endpoint of the HTTP service: its method and path, who may request it, and the form of its errors.
struct Endpoint: Sendable {
    /// What a request must have to be answered.
    enum Access: Sendable {
        /// Nothing: a flood is no reason to restart the process.
        case always
        /// A connection within the limit.
        case connection
        /// A connection within the limit, and a token if the server has any.
        case token
    }

    /// Width of the column of requests in the list, with a gap after the longest.
    private static let requestWidth = 28

    /// The method that it takes.
    let method: HTTPRequest.Method
    /// The path.
    let path: String
    /// What a request must have to be answered.
    let access: Access
    /// Whether pages of any origin may request it, where all are allowed.
    let isOpen: Bool
    /// Form of its errors; `nil` for plain text.
    let errors: ErrorForm?

    private let summary: String?
    private let content: String?
    private let isSpelling: @Sendable (_ path: String) -> Bool

    /// Creates an endpoint.
    ///
    /// - Parameters:
    ///   - method: The method that it takes.
    ///   - path: The path.
    ///   - summary: What it is, for the list; `nil` for one that only browsers request, which is not listed.
    ///   - access: What a request must have to be answered.
    ///   - content: What the body of a request is, such as "a picture"; `nil` for requests without one.
    ///   - isOpen: Whether pages of any origin may request it, where all are allowed.
    ///   - errors: The form of its errors; `nil` for plain text.
    ///   - isSpelling: Whether another path is meant as this one.
    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        summary: String?,
        access: Access = .token,
        content: String? = nil,
        isOpen: Bool = false,
        errors: ErrorForm? = nil,
        isSpelling: @escaping @Sendable (_ path: String) -> Bool = { _ in false }
    ) {
        self.method = method
        self.path = path
        self.summary = summary
        self.access = access
        self.content = content
        self.isOpen = isOpen
        self.errors = errors
        self.isSpelling = isSpelling
    }

    /// Its line in the list for people; `nil` if it is not listed.
    var line: String? {
        guard let summary = self.summary else { return nil }
        let request = "\(self.method.rawValue) \(self.path)"
        let gap = String(repeating: " ", count: max(Self.requestWidth - request.count, 1))
        return "  \(request)\(gap)\(summary)\n"
    }

    /// What to send to it.
    var request: String {
        let content = self.content.map { "\($0) to " } ?? ""
        return "\(self.method.rawValue) \(content)\(self.path)"
    }

    /// The value of `Allow`.
    var allowedMethods: String { self.method == .get ? "GET, HEAD" : self.method.rawValue }

    /// First part of the path; `nil` for the root.
    var folder: Substring? { self.path.split(separator: "/").first }

    /// Whether `path` is the endpoint's, in one of the ways of writing it; as for the router, empty parts have no meaning.
    func matches(_ path: String) -> Bool {
        path.split(separator: "/") == self.path.split(separator: "/") || self.isSpelling(path)
    }
}
