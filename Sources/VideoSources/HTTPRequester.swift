internal import AsyncHTTPClient
internal import GlyphwireClient
internal import NIOCore
internal import NIOHTTP1

/// Requester of one address, which authenticates if it is asked to.
struct HTTPRequester {
    /// Requests until an address accepts name and password: without them, with them, and with another nonce.
    private static let maxAttempts = 3
    /// Time without a byte after which a connection counts as broken.
    private static let timeout = TimeAmount.seconds(10)

    /// HTTP client of all addresses.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .follow(max: 5, allowCycles: false),
            timeout: HTTPClient.Configuration.Timeout(connect: Self.timeout, read: Self.timeout)
        )
        // Who needs another attempt makes it, and reports the reason at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private let address: HTTPAddress
    private var authentication: HTTPAuthentication?

    /// Creates a requester without a request.
    init(_ address: HTTPAddress) {
        self.address = address
        self.authentication = address.credentials.map { HTTPAuthentication($0) }
    }

    /// Requests the address, and again if it asks for name and password.
    ///
    /// - Returns: The response of status 200, whose body is not read yet.
    /// - Throws: ``SourceError`` for another status, or an error of the connection.
    mutating func response() async throws -> HTTPClientResponse {
        let response = try await self.answer()
        guard response.status == .ok else {
            throw SourceError(
                .unreachable,
                "the address answers \(response.status.code) \(response.status.reasonPhrase)"
            )
        }
        return response
    }

    private mutating func answer() async throws -> HTTPClientResponse {
        var isRetry = false
        var attempts = 0
        while true {
            attempts += 1
            var request = HTTPClientRequest(url: self.address.url)
            let authorization = self.authentication?.authorization(uri: self.address.uri)
            if let authorization { request.headers.add(name: "Authorization", value: authorization) }
            let response = try await Self.client.execute(request, deadline: .distantFuture)
            let challenges = response.headers["WWW-Authenticate"]
            guard response.status == .unauthorized, attempts < Self.maxAttempts,
                self.authentication?.challenged(by: challenges, isRetry: isRetry) ?? false
            else { return response }
            // The answer to an old challenge is no attempt with the new one.
            isRetry = isRetry || authorization == nil
        }
    }
}

extension Error {
    /// Short description of an error of a request, without the types around it.
    var requestReason: String {
        (self as? HTTPClientError)?.shortDescription ?? self.reason
    }
}
