internal import AsyncHTTPClient
internal import GlyphwireClient
internal import NIOCore
internal import NIOHTTP1

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Requester of one address, which follows redirects, and authenticates if it is asked to.
struct HTTPRequester {
    /// Requests until an address accepts name and password: without them, with them, and with another nonce.
    private static let maxAttempts = 3
    /// Redirects in a row that are followed: as many as by HTTP clients usually.
    private static let maxRedirects = 5
    /// Maximum time from a request to the head of the answer; its content may pause for as long as a source allows.
    static let headTime = Duration.seconds(10)

    /// HTTP client of all addresses.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            // What is sent to authenticate differs from one address to the next.
            redirectConfiguration: .disallow,
            // The time for the whole answer is over first, with a better message.
            timeout: HTTPClient.Configuration.Timeout(connect: TimeAmount(Self.headTime) + .seconds(1))
        )
        // Who needs another attempt makes it, and reports the reason at once.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    private let address: HTTPAddress
    private let headTime: Duration
    private var authentication: HTTPAuthentication?

    /// Creates a requester without a request.
    ///
    /// - Parameters:
    ///   - address: The address.
    ///   - headTime: Maximum time from a request to the head of the answer.
    init(_ address: HTTPAddress, headTime: Duration = Self.headTime) {
        self.address = address
        self.headTime = headTime
        self.authentication = address.credentials.map { HTTPAuthentication($0) }
    }

    /// Requests the address, and again if it redirects, or asks for name and password.
    ///
    /// - Returns: The response of status 200, whose body is not read yet.
    /// - Throws: ``SourceError`` for another status, or an error of the connection.
    mutating func response() async throws -> HTTPClientResponse {
        let response = try await self.finalAnswer()
        guard response.status == .ok else {
            throw SourceError(
                .unreachable,
                "the address answers \(response.status.code) \(response.status.reasonPhrase)"
            )
        }
        return response
    }

    private mutating func finalAnswer() async throws -> HTTPClientResponse {
        var address = self.address
        for _ in 0...Self.maxRedirects {
            let response = try await self.answer(of: address)
            guard let location = response.redirect, let next = address.redirected(to: location) else { return response }
            address = next
        }
        throw SourceError(.unreachable, "the address redirects more than \(Self.maxRedirects) times")
    }

    private mutating func answer(of address: HTTPAddress) async throws -> HTTPClientResponse {
        let isTrusted = self.address.sharesCredentials(with: address)
        var isRetry = false
        var attempts = 0
        while true {
            attempts += 1
            var request = HTTPClientRequest(url: address.url)
            let authorization = isTrusted ? self.authentication?.authorization(uri: address.uri) : nil
            if let authorization { request.headers.add(name: "Authorization", value: authorization) }
            let response = try await self.execute(request)
            let challenges = response.headers["WWW-Authenticate"]
            guard response.status == .unauthorized, isTrusted, attempts < Self.maxAttempts,
                self.authentication?.challenged(by: challenges, isRetry: isRetry) ?? false
            else { return response }
            // The answer to an old challenge is no attempt with the new one.
            isRetry = isRetry || authorization == nil
        }
    }

    /// Sends a request, and again at once if it met a kept connection that the server was closing.
    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await Self.client.execute(request, timeout: TimeAmount(self.headTime))
        } catch let error where error.isClosedConnection {
            return try await Self.client.execute(request, timeout: TimeAmount(self.headTime))
        }
    }
}

extension HTTPClientResponse {
    /// Where to find the content instead; `nil` if this is no redirect.
    fileprivate var redirect: String? {
        switch self.status {
        case .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect:
            self.headers.first(name: "Location")
        default: nil
        }
    }
}

extension Error {
    /// Short description of an error of a request, without the types around it.
    var requestReason: String {
        guard let error = self as? HTTPClientError else { return self.reason }
        return error == .deadlineExceeded ? "no answer within \(HTTPRequester.headTime)" : error.shortDescription
    }

    /// Whether the connection was closed before the answer began.
    fileprivate var isClosedConnection: Bool {
        switch self {
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case let error as ChannelError: error == .ioOnClosedChannel
        case let error as IOError: error.errnoCode == ECONNRESET || error.errnoCode == EPIPE
        default: false
        }
    }
}
