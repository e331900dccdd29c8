internal import ArgumentParser
internal import CommandInput
internal import GlyphwireClient
internal import SystemSupport

/// Options of the server that reads the pictures of `watch`.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Have this server read the pictures, instead of this process.", valueName: "host:port"))
    var server: ServerAddress?

    @Option(
        help: ArgumentHelp(
            "A file with the token of --server, of several the first; or with those that --http requires.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tokenFile: String?

    @Flag(help: "Use TLS with --server.")
    var tls = false

    @Option(
        help: ArgumentHelp(
            "Use TLS with --server, and trust these authorities instead of the system's (PEM); may be its own certificate.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tlsCA: String?

    @Option(
        help: ArgumentHelp("The certificate to show to a --server that requires one, in PEM.", valueName: "file"),
        completion: .file()
    )
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The private key of --tls-certificate, in PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?

    /// Files with a secret.
    var secretFiles: [String?] { [self.tokenFile, self.tlsKey] }

    /// Whether it names a file.
    var hasFiles: Bool { [self.tokenFile, self.tlsCA, self.tlsCertificate].contains { $0 != nil } }

    func validate() throws {
        guard (self.tlsCertificate == nil) == (self.tlsKey == nil) else {
            throw ValidationError("A certificate needs its key: set both --tls-certificate and --tls-key.")
        }
        guard self.server != nil || !self.usesTLS else {
            throw ValidationError("--tls, --tls-ca and --tls-certificate are for a server: name it with --server.")
        }
    }

    /// The token, of a server's file with several the first; `nil` without one.
    ///
    /// - Throws: `InputError` if the file cannot be read.
    func token() throws(InputError) -> String? {
        guard let tokenFile else { return nil }
        return try TokenFile(tokenFile, for: .client).tokens.first?.secret
    }

    /// Settings of TLS with the files as they are now; `nil` without TLS.
    ///
    /// - Throws: ``Failure`` if a file cannot be used.
    func serverTLS() throws(Failure) -> ServerTLS? {
        guard self.usesTLS else { return nil }
        var settings = ClientTLS(authorities: self.tlsCA)
        if let tlsCertificate, let tlsKey {
            settings.identity = ClientTLS.Identity(certificate: tlsCertificate, key: tlsKey)
        }
        do throws(GlyphwireClientError) {
            try settings.validate()
        } catch {
            throw Failure("\(error)")
        }
        let paths = [self.tlsCA, self.tlsCertificate, self.tlsKey].compactMap(\.self)
        return ServerTLS(settings: settings, contents: paths.map { try? SmallFile.bytes($0) })
    }

    private var usesTLS: Bool { self.tls || self.tlsCA != nil || self.tlsCertificate != nil }
}

/// Settings of TLS with a server; others once a file has another content.
struct ServerTLS: Sendable, Equatable {
    let settings: ClientTLS
    /// Contents of the files.
    fileprivate let contents: [[UInt8]?]
}
