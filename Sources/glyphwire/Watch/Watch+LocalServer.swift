internal import CommandInput
internal import FramePipeline
internal import GlyphwireHTTP
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import Logging
internal import TextModel
internal import TextRecognitionOpenVINO

/// The server inside this process, which reads the sources where no other server does.
extension Watch {
    private var serverConfiguration: ServerConfiguration {
        var configuration = ServerConfiguration()
        if let workers { configuration.workers = workers }
        return configuration
    }

    /// The engine with the levels that `sources` use.
    func engine(for sources: [WatchedSource], _ logger: Logger) throws -> OpenVINOTextEngine {
        let used = sources.map(\.configuration.reading.level)
        return try OpenVINOTextEngine.load(
            RecognitionLevel.allCases.filter(used.contains),
            models: self.models,
            cache: self.networkCache,
            memory: SystemMemory.forNetworks(workers: self.serverConfiguration.workers),
            logger: logger
        )
    }

    /// Checks that an engine can honour the options of sources.
    static func validate(_ sources: [WatchedSource], for engine: OpenVINOTextEngine) throws {
        for source in sources {
            do throws(Failure) {
                try engine.check(source.configuration)
            } catch {
                throw Failure("The source \(source.name) cannot be read: \(error).")
            }
        }
    }

    /// Creates the server inside this process, which does not run yet.
    func localServer(
        _ engine: OpenVINOTextEngine,
        ownToken: String?,
        _ logger: Logger
    ) throws -> LocalServer {
        var configuration = self.serverConfiguration
        configuration.tokens = try self.localTokens(ownToken)
        var http = self.http.map { HTTPConfiguration(host: $0.host, port: $0.port) }
        if self.tlsSelfSigned {
            let certificate = try SelfSignedCertificate()
            try certificate.renew()
            http?.tls = certificate.files
        }
        return LocalServer(configuration, engine: engine, http: http, logger: logger)
    }

    /// Reloads the files of this process's server, of which none takes effect before all have been read.
    func reload(_ server: LocalServer, ownToken: String?) throws {
        let tokens = try self.localTokens(ownToken)
        if self.tlsSelfSigned { try SelfSignedCertificate().renew() }
        try server.readTLSFiles()
        server.replace(tokens: tokens)
    }

    /// The tokens of this process's server: those of the file for browsers, and its own; none without a file.
    private func localTokens(_ ownToken: String?) throws -> [AccessToken] {
        guard let ownToken, let path = self.remote.tokenFile else { return [] }
        return try AccessToken.all(in: path) + [AccessToken(ownToken, name: "watch-\(ownToken.prefix(4))")]
    }
}
