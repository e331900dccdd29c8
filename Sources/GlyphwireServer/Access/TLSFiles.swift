package import NIOSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The files that a server speaks TLS with, all of them PEM.
public struct TLSFiles: Sendable, Hashable {
    /// The path of the server's certificate, followed by those that lead to its authority.
    public var certificate: String
    /// The path of its private key.
    public var key: String
    /// The path of the authorities whose clients are served; `nil` asks for no certificate of a client.
    public var clientAuthorities: String?

    /// Files to be read when the server starts.
    ///
    /// - Parameters:
    ///   - certificate: The server's certificate and those above it.
    ///   - key: Its private key, not encrypted.
    ///   - clientAuthorities: Whose clients are served.
    public init(certificate: String, key: String, clientAuthorities: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.clientAuthorities = clientAuthorities
    }

    /// Reads the files.
    ///
    /// - Returns: TLS 1.2 or later, with the files as they are now.
    /// - Throws: ``GlyphwireServerError`` that names the file that is missing or wrong.
    package func configuration() throws(GlyphwireServerError) -> TLSConfiguration {
        let chain = try Self.reading(self.certificate, "certificate") { try NIOSSLCertificate.fromPEMFile($0) }
        let key = try Self.reading(self.key, "private key") { try NIOSSLPrivateKey(file: $0, format: .pem) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        if let path = self.clientAuthorities {
            let authorities = try Self.reading(path, "certificates of authorities") {
                try NIOSSLCertificate.fromPEMFile($0)
            }
            configuration.trustRoots = .certificates(authorities)
            configuration.certificateVerification = .noHostnameVerification
        }
        return configuration
    }

    /// What new connections are secured with.
    func context() throws(GlyphwireServerError) -> NIOSSLContext {
        let configuration = try self.configuration()
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

    private static func reading<Value>(
        _ path: String,
        _ what: String,
        _ read: (String) throws -> Value
    ) throws(GlyphwireServerError) -> Value {
        guard access(path, R_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            throw GlyphwireServerError(.cannotUseTLS, "The file \(path) for the \(what) cannot be read: \(reason).")
        }
        do {
            return try read(path)
        } catch {
            throw GlyphwireServerError(.cannotUseTLS, "The file \(path) holds no \(what) in PEM.", underlying: error)
        }
    }
}
