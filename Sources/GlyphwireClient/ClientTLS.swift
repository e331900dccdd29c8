internal import NIOSSL

/// TLS settings of a client.
public struct ClientTLS: Sendable, Hashable {
    /// Path of a PEM file with trusted authorities; `nil`, the default, for the system's.
    ///
    /// It may contain the server's own certificate if that is self-signed.
    public var authorities: String?
    /// Client certificate and key, for servers that require one.
    public var identity: Identity?

    /// Client certificate with its private key.
    public struct Identity: Sendable, Hashable {
        /// Path of the certificate chain, starting with the client's.
        public var certificate: String
        /// Path of the private key.
        public var key: String

        /// Creates an identity from two paths.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Creates settings for TLS 1.2 or later with verification of the server's certificate and host name.
    ///
    /// - Parameters:
    ///   - authorities: The authorities to trust.
    ///   - identity: The client's certificate.
    public init(authorities: String? = nil, identity: Identity? = nil) {
        self.authorities = authorities
        self.identity = identity
    }

    /// Checks that the files can be used.
    ///
    /// - Throws: ``GlyphwireClientError`` that names them.
    package func validate() throws(GlyphwireClientError) { _ = try self.context() }

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
                "a TLS file cannot be used; check that \(self.paths) are readable PEM files",
                underlying: error
            )
        }
    }

    private var paths: String {
        [self.authorities, self.identity?.certificate, self.identity?.key].compactMap(\.self).joined(separator: ", ")
    }
}
