package import NIOSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// PEM files for TLS.
package struct TLSFiles: Sendable, Hashable {
    /// Cipher suites of TLS 1.2 with forward secrecy and authenticated encryption (RFC 9325, 4.2), as all of TLS 1.3 have them.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// What a file lacks that has no key or an encrypted one, which NIOSSL does not distinguish.
    private static let missingKey = "unencrypted private key in PEM; decrypt it with `openssl pkey`"

    /// Path of the server's certificate chain.
    package var certificate: String
    /// Path of the private key.
    package var key: String
    /// Path of the authorities of client certificates; `nil` requires no client certificate.
    package var clientAuthorities: String?

    /// Creates a set of files to load at server start.
    ///
    /// - Parameters:
    ///   - certificate: The certificate chain.
    ///   - key: The private key, not encrypted.
    ///   - clientAuthorities: The authorities of client certificates.
    package init(certificate: String, key: String, clientAuthorities: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.clientAuthorities = clientAuthorities
    }

    /// Loads the files.
    ///
    /// - Returns: The configuration of TLS 1.2 or later from the current files.
    /// - Throws: ``GlyphwireServerError`` that names the missing or invalid file.
    package func configuration() throws(GlyphwireServerError) -> TLSConfiguration {
        let chain = try Self.load(self.certificate, as: "certificate") { try NIOSSLCertificate.fromPEMFile($0) }
        let key = try Self.load(self.key, as: "private key", missing: Self.missingKey) {
            try NIOSSLPrivateKey(file: $0, format: .pem)
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.cipherSuites
        if let path = self.clientAuthorities {
            let authorities = try Self.load(path, as: "certificates of authorities") {
                try NIOSSLCertificate.fromPEMFile($0)
            }
            configuration.trustRoots = .certificates(authorities)
            configuration.certificateVerification = .noHostnameVerification
        }
        return configuration
    }

    /// Loads the files into a context for new connections.
    ///
    /// - Returns: The context.
    /// - Throws: ``GlyphwireServerError`` if a file cannot be used.
    package func context() throws(GlyphwireServerError) -> NIOSSLContext {
        try self.context(of: self.configuration())
    }

    /// Creates a context from the configuration of these files.
    ///
    /// - Parameter configuration: What ``configuration()`` has returned.
    /// - Returns: The context.
    /// - Throws: ``GlyphwireServerError`` if certificate and key do not belong together.
    func context(of configuration: TLSConfiguration) throws(GlyphwireServerError) -> NIOSSLContext {
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw GlyphwireServerError(
                .cannotUseTLS,
                "The certificate \(self.certificate) and the key \(self.key) do not belong together, or one of them cannot be "
                    + "used.",
                underlying: error
            )
        }
    }

    /// The ends of the certificates in the configuration of these files, the server's own first.
    func credentials(of configuration: TLSConfiguration) -> [Credential] {
        let chain: [NIOSSLCertificate] = configuration.certificateChain.compactMap { source in
            if case .certificate(let certificate) = source { certificate } else { nil }
        }
        // Clients may know an authority themselves that has ended in the chain.
        var credentials = [Credential(chain, of: self.certificate, lastSeconds: chain.first?.notValidAfter)]
        if let path = self.clientAuthorities, case .certificates(let authorities)? = configuration.trustRoots {
            let last = authorities.map(\.notValidAfter).max()
            credentials.append(Credential(authorities, of: path, lastSeconds: last))
        }
        return credentials.compactMap(\.self)
    }

    /// Loads a file.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - what: The name of its content in errors.
    ///   - missing: What it lacks, and the remedy, if it cannot be used; `nil` for `what` in PEM.
    ///   - read: Reads the file.
    /// - Returns: The content.
    /// - Throws: ``GlyphwireServerError`` that names the file.
    private static func load<Value>(
        _ path: String,
        as what: String,
        missing: String? = nil,
        with read: (String) throws -> Value
    ) throws(GlyphwireServerError) -> Value {
        guard access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw GlyphwireServerError(.cannotUseTLS, "The file \(path) for the \(what) cannot be read: \(reason).")
        }
        do {
            return try read(path)
        } catch {
            let missing = missing ?? "\(what) in PEM"
            throw GlyphwireServerError(.cannotUseTLS, "The file \(path) holds no \(missing).", underlying: error)
        }
    }
}
