package import AsyncHTTPClient
internal import GlyphwireClient
package import NIOCore
package import NIOHTTP1

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Requester of one address, which follows redirects, and authenticates if it is asked to.
///
/// This module requests addresses on the web, of cameras and of those who want events. It knows neither pictures nor events.
package struct HTTPRequester {
    /// Requests until an address accepts name and password: without them, with them, and with another nonce.
    private static let maxAttempts = 3
    /// Redirects in a row that are followed: as many as by HTTP clients usually.
    private static let maxRedirects = 5
    /// Maximum time from a request to the head of the answer; its content may pause for as long as a source allows.
    package static let headTime = Duration.seconds(10)

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
    package init(_ address: HTTPAddress, headTime: Duration = Self.headTime) {
        self.address = address
        self.headTime = headTime
        self.authentication = address.credentials.map { HTTPAuthentication($0) }
    }

    /// Requests the address, and again if it redirects, or asks for name and password.
    ///
    /// - Returns: The response of status 200, whose body is not read yet.
    /// - Throws: ``HTTPRequestError`` for another status, or an error of the connection.
    package mutating func response() async throws -> HTTPClientResponse {
        let response = try await self.finalAnswer(to: HTTPClientRequest(url: self.address.url))
        guard response.status == .ok else {
            throw HTTPRequestError(
                .badAnswer,
                "the address answers \(response.status.code) \(response.status.reasonPhrase)"
            )
        }
        return response
    }

    /// Posts an object of JSON to the address, and again if it redirects by 307 or 308, or asks for name and password.
    ///
    /// - Parameter object: The object.
    /// - Returns: The status of the answer, whose body was read, so that the next request has the same connection.
    /// - Throws: ``HTTPRequestError`` for a redirect by another code, or an error of the connection.
    package mutating func post(_ object: ByteBuffer) async throws -> HTTPResponseStatus {
        var request = HTTPClientRequest(url: self.address.url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(object)
        let response = try await self.finalAnswer(to: request)
        await response.body.drain()
        return response.status
    }

    private mutating func finalAnswer(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
        var address = self.address
        for _ in 0...Self.maxRedirects {
            let response = try await self.answer(to: request, at: address)
            guard let location = response.redirect, let next = try address.redirected(to: location) else {
                return response
            }
            await response.body.drain()
            // By the other codes, clients make a GET of a POST, and its content is lost (RFC 9110, section 15.4).
            guard request.method == .GET || [.temporaryRedirect, .permanentRedirect].contains(response.status) else {
                throw HTTPRequestError(
                    .badAnswer,
                    "the address redirects to \(next.url) by \(response.status.code), which loses what is posted; use that one"
                )
            }
            address = next
        }
        throw HTTPRequestError(.badAnswer, "the address redirects more than \(Self.maxRedirects) times")
    }

    private mutating func answer(
        to request: HTTPClientRequest,
        at address: HTTPAddress
    ) async throws -> HTTPClientResponse {
        let isTrusted = self.address.sharesCredentials(with: address)
        let method = request.method.rawValue
        var isRetry = false
        var attempts = 0
        while true {
            attempts += 1
            var request = request
            request.url = address.url
            let authorization = isTrusted ? self.authentication?.authorization(method: method, uri: address.uri) : nil
            if let authorization { request.headers.add(name: "Authorization", value: authorization) }
            let response = try await self.execute(request)
            let challenges = response.headers["WWW-Authenticate"]
            guard response.status == .unauthorized, isTrusted, attempts < Self.maxAttempts,
                self.authentication?.challenged(by: challenges, isRetry: isRetry) ?? false
            else { return response }
            await response.body.drain()
            // The answer to an old challenge is no attempt with the new one.
            isRetry = isRetry || authorization == nil
        }
    }

    /// Sends a request, and again at once if it met a kept connection that the server was closing.
    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await self.executeOnce(request)
        } catch let error where error.isClosedConnection {
            return try await self.executeOnce(request)
        }
    }

    private func executeOnce(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await Self.client.execute(request, timeout: TimeAmount(self.headTime))
        } catch let error as HTTPClientError where error == .deadlineExceeded {
            throw HTTPRequestError(.noAnswer, "no answer within \(self.headTime)")
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

extension HTTPClientResponse.Body {
    /// Maximum number of bytes of an answer that is not used: more than an error page of a device has.
    private static let maxDrainedBytes = 64 << 10
    /// Maximum time for them: a new connection costs less than a longer one.
    private static let drainTime = Duration.seconds(1)

    /// Reads a short body to its end, so that the next request has the same connection; a long one is cut off.
    fileprivate func drain() async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { _ = try? await self.collect(upTo: Self.maxDrainedBytes) }
            tasks.addTask { try? await Task.sleep(for: Self.drainTime) }
            await tasks.next()
            tasks.cancelAll()
        }
    }
}

extension Error {
    /// Short description of an error of a request, without the types around it.
    package var requestReason: String {
        switch self {
        case let error as HTTPRequestError: error.message
        case let error as HTTPClientError: error.shortDescription
        default: self.reason
        }
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
