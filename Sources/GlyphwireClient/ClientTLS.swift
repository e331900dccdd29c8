internal import NIOSSL

/// TLS settings of a client.
public struct ClientTLS: Sendable, Hashable {
    /// The path of a PEM file with the authorities to trust; `nil`, the default, trusts those of the system.
    ///
    /// It may hold the server's own certificate if that is self-signed.
    public var authorities: String?
    /// The paths of PEM files with the client's own certificate and its key, for servers that ask for one.
    public var identity: Identity?

    /// Client certificate with its private key.
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
    ///   - authorities: The authorities to trust.
    ///   - identity: The client's certificate.
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
