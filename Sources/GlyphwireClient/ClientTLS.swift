internal import NIOSSL

/// How a client makes sure that it speaks with the right server, and that nobody listens in.
public struct ClientTLS: Sendable, Hashable {
    /// The path of a PEM file with the authorities to believe; `nil`, the default, believes those of the system.
    ///
    /// The server's own certificate can stand there, where it signed itself.
    public var authorities: String?
    /// The paths of PEM files with the client's own certificate and its key, for servers that ask for one.
    public var identity: Identity?

    /// What a client shows of itself.
    public struct Identity: Sendable, Hashable {
        /// The path of the certificate, followed by those that lead to its authority.
        public var certificate: String
        /// The path of its private key.
        public var key: String

        /// The paths of both.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// TLS 1.2 or later; the server's certificate must be good, and for the host that is connected to.
    ///
    /// - Parameters:
    ///   - authorities: Whom to believe.
    ///   - identity: What to show.
    public init(authorities: String? = nil, identity: Identity? = nil) {
        self.authorities = authorities
        self.identity = identity
    }

    /// Reads the files.
    func context() throws(GlyphwireClientError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        do {
            if let path = self.authorities {
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path))
            }
            if let identity = self.identity {
                configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(identity.certificate)
                    .map { .certificate($0) }
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: identity.key, format: .pem))
            }
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw GlyphwireClientError(
                .cannotConnect,
                "a file for TLS cannot be used; check that \(self.paths) can be read and hold PEM",
                underlying: error
            )
        }
    }

    private var paths: String {
        [self.authorities, self.identity?.certificate, self.identity?.key].compactMap(\.self).joined(separator: ", ")
    }
}
