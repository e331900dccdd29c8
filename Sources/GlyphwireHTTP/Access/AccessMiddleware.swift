internal import CoreMetrics
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// Middleware that requires a token, if the server has any.
///
/// Without tokens, a service that listens on a loopback address accepts only requests for such a host name, and web pages of
/// other origins have nothing read.
final class AccessMiddleware: RouterMiddleware {
    typealias Context = HTTPRequestContext

    /// Response to a request without a valid token.
    private struct Refused: Error {
        let response: Response
    }

    /// Query parameters by which clients show their token; the first of them counts.
    static let tokenParameters = ["token", "key", "$key", "access_token", "$access_token"]

    /// Refusal of a request without a token.
    private static let missingToken = Refusal(
        .authRequired,
        "This server requires a token: send \"Authorization: Bearer TOKEN\", or add ?token=TOKEN",
        status: .unauthorized,
        headers: [.wwwAuthenticate: "Bearer"]
    )

    private let server: GlyphwireServer
    private let endpoints: Endpoints
    private let isLocal: Bool
    private let allowedOrigins: AllowedOrigins
    private let refusals: Counter

    /// Creates the middleware of one service.
    ///
    /// - Parameters:
    ///   - configuration: The service's address, and the origins that it allows.
    ///   - server: The server, which checks tokens.
    ///   - endpoints: The endpoints of the service.
    ///   - refusals: The counter of requests without a valid token.
    init(configuration: HTTPConfiguration, server: GlyphwireServer, endpoints: Endpoints, refusals: Counter) {
        self.refusals = refusals
        self.server = server
        self.endpoints = endpoints
        self.isLocal = Loopback.contains(configuration.host)
        self.allowedOrigins = configuration.allowedOrigins
    }

    @concurrent
    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.tokenChanges = self.server.tokenChanges
        if self.server.requiresToken {
            do throws(Refused) {
                context.token = try self.authenticate(request, from: context.client).name
            } catch {
                self.refusals.increment()
                return error.response
            }
        } else if let reason = self.reasonAgainstPage(of: request) {
            return self.endpoints.response(to: request, Refusal(.authFailed, reason, status: .forbidden))
        }
        return try await next(request, context)
    }

    /// Why a request is refused that another site's page may have made its user's browser send; `nil` if it is not.
    private func reasonAgainstPage(of request: Request) -> String? {
        if self.isLocal, let host = request.head.authority, !Loopback.contains(Self.name(of: host)) {
            // A page can point its own name at this machine (DNS rebinding).
            return "This server only accepts requests for a loopback address such as 127.0.0.1, or localhost"
        }
        // Browsers send a simple request without asking first, and only keep its response from the page.
        guard request.method == .post, request.isOfAnotherOrigin else { return nil }
        let isAllowed = request.headers[.origin].map(self.allowedOrigins.contains) ?? false
        guard !isAllowed else { return nil }
        return "Pages of this origin may not use this server: start it with --http-cors and their origin, or a token"
    }

    /// The valid token of a request, or the response to one without.
    private func authenticate(_ request: Request, from client: SocketAddress?) throws(Refused) -> AccessToken {
        guard let secret = self.secret(of: request) else {
            throw Refused(response: self.endpoints.response(to: request, Self.missingToken))
        }
        do throws(TokenRefusal) {
            return try self.server.authenticate(secret, from: client)
        } catch {
            let isGuessing = error.error.code == .tooManyGuesses
            if !isGuessing { self.log(error, from: client) }
            let refusal = Refusal(
                error.error.code,
                error.error.message,
                status: isGuessing ? .tooManyRequests : .unauthorized,
                // RFC 6750, 3.1.
                headers: isGuessing
                    ? [.retryAfter: "\(WrongTokenCounter.window.components.seconds)"]
                    : [.wwwAuthenticate: "Bearer error=\"invalid_token\""]
            )
            throw Refused(response: self.endpoints.response(to: request, refusal))
        }
    }

    private func log(_ refusal: TokenRefusal, from client: SocketAddress?) {
        var metadata: Logger.Metadata = [LogKeys.error: "\(refusal.error.message)"]
        if let token = refusal.known { metadata[LogKeys.token] = "\(token.name)" }
        let message: Logger.Message = refusal.known == nil ? "wrong token" : "expired token"
        self.server.peerLog.logHTTP(.warning, message, from: client, metadata: metadata)
    }

    /// Token of a request, as received.
    private func secret(of request: Request) -> String? {
        if let header = request.headers[.authorization] {
            let words = header.split(separator: " ", maxSplits: 1)
            // Credentials of another scheme are those of a proxy before this server.
            if words.first?.lowercased() == "bearer" { return words.count == 2 ? String(words[1]) : nil }
        }
        // Google's clients send an API key or an access token in one of these forms.
        if let name = HTTPField.Name("X-Goog-Api-Key"), let key = request.headers[name] { return key }
        let parameters = request.uri.queryParameters
        return Self.tokenParameters.lazy.compactMap { parameters[$0[...]] }.first.map(String.init)
    }

    /// `host` without a port.
    private static func name(of host: String) -> String {
        if host.hasPrefix("["), let end = host.firstIndex(of: "]") {
            return String(host[host.index(after: host.startIndex)..<end])
        }
        return String(host.prefix { $0 != ":" })
    }
}
