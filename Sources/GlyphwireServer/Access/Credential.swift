internal import GlyphwireProtocol
internal import Logging
internal import NIOSSL
internal import SystemSupport

/// Token, or certificates of a file, of which the end is known.
package struct Credential: Sendable, Equatable, CustomStringConvertible {
    /// What has an end.
    package enum Subject: Sendable, Equatable {
        /// The certificate of a file that ends first.
        case certificate(file: String)
        /// A token, by its name.
        case token(String)
    }

    /// State at a time.
    package enum State {
        case valid, endsSoon, ended
    }

    /// Seconds before the end from which it ends soon: the 14 days of the alert in `deploy/prometheus`.
    private static let noticeSeconds = 14 * 86_400

    /// What has the end.
    package let subject: Subject
    /// Time of the end, in seconds since 1970.
    package let endSeconds: Int
    /// Time from which it has every client refused.
    ///
    /// It is later than the end where clients have other tokens or authorities, or may do without a part of the chain.
    private let lastSeconds: Int

    /// The ends of all tokens that have one.
    static func all(of tokens: [AccessToken]) -> [Credential] {
        guard let last = tokens.map({ $0.expirySeconds ?? Int.max }).max() else { return [] }
        return tokens.compactMap { Credential($0, lastSeconds: last) }
    }

    /// The end of a token; `nil` for one without.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - lastSeconds: The end of the last of all tokens.
    private init?(_ token: AccessToken, lastSeconds: Int) {
        guard let end = token.expirySeconds else { return nil }
        self.subject = .token(token.name)
        self.endSeconds = end
        self.lastSeconds = lastSeconds
    }

    /// The end of the first of some certificates; `nil` without any.
    ///
    /// - Parameters:
    ///   - certificates: The certificates.
    ///   - file: The path of their file.
    ///   - lastSeconds: The time from which every client is refused.
    init?(_ certificates: [NIOSSLCertificate], of file: String, lastSeconds: Int?) {
        guard let end = certificates.map(\.notValidAfter).min() else { return nil }
        self.subject = .certificate(file: file)
        self.endSeconds = end
        self.lastSeconds = lastSeconds ?? end
    }

    /// The subject and the end.
    package var description: String {
        switch self.subject {
        case .certificate(let file): "certificate \(file): until \(self.end)"
        case .token(let name): "token \(name): until \(self.end)"
        }
    }

    /// State at a time in seconds since 1970.
    package func state(at seconds: Int) -> State {
        if self.endSeconds <= seconds { return .ended }
        return self.endSeconds < seconds + Self.noticeSeconds ? .endsSoon : .valid
    }

    /// Whether it has every client refused at a time in seconds since 1970.
    package func refusesAll(at seconds: Int) -> Bool { self.lastSeconds <= seconds }

    /// Warns if it has ended or ends soon.
    func warn(to logger: Logger, at seconds: Int) {
        let state = self.state(at: seconds)
        guard state != .valid else { return }
        switch self.subject {
        case .certificate(let file):
            logger.warning(
                state == .ended ? "certificate has expired" : "certificate expires soon",
                metadata: [LogKeys.file: "\(file)", LogKeys.expires: "\(self.end)"]
            )
        case .token(let name):
            logger.warning(
                state == .ended ? "token has expired" : "token expires soon",
                metadata: [LogKeys.token: "\(name)", LogKeys.expires: "\(self.end)"]
            )
        }
    }

    private var end: String { WallClock.timestamp(seconds: self.endSeconds) }
}

extension ServerConfiguration {
    /// The certificates and tokens that end at a known time.
    ///
    /// - Returns: Those of the files as they are now.
    /// - Throws: ``GlyphwireServerError`` if a file of TLS cannot be used.
    package func credentials() throws(GlyphwireServerError) -> [Credential] {
        let tokens = Credential.all(of: self.tokens)
        guard let tls = self.tls else { return tokens }
        return tls.credentials(of: try tls.configuration()) + tokens
    }
}
