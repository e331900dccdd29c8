internal import FramePipeline
internal import ArgumentParser
internal import Foundation
internal import GlyphwireHTTP
internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireServer
internal import Logging
internal import ServiceLifecycle
internal import TextRecognition
internal import TextRecognitionOpenVINO
internal import UnixSignals

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Command `glyphwire serve`, which runs the server.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reads text in frames received over TCP.",
        discussion: """
            Prints a line when the server is ready, and another with --http. SIGTERM and SIGINT stop it gracefully: accepted \
            frames are answered, within the time of --grace. A second signal stops it at once.

            Each option can also be set by an environment variable, such as GLYPHWIRE_HTTP for --http, or in a file in \
            YAML, --config, with a line such as "http: 7412". The option takes precedence over the variable, and the \
            variable over the file. The flags --insecure, --proxy-protocol and --tls-self-signed are true or false there. \
            Protocol.md specifies what happens beyond each limit.

            With --http, a browser shows the streams and their text at that address. Programs find /metrics for Prometheus, \
            /streams (the connections, as JSON), /healthz and /readyz, /v1/read, which reads the pictures that are posted to \
            it, and /v1/images:annotate, which is compatible with Google Cloud Vision. With a token file, requests need a \
            token, as "Authorization: Bearer TOKEN" or ?token=TOKEN; /healthz, /readyz and the page /camera need none. With a \
            certificate, the service uses HTTPS.

            Browsers block pages of other origins, unless --http-cors names their origin: https://app.example, several \
            separated by commas, or "*" for all origins, which may have pictures read and nothing else.

            EXAMPLES
              glyphwire serve --port 0              any free port, which the line reports
              glyphwire serve --host 0.0.0.0 --token-file /etc/glyphwire/token
              glyphwire serve --host 192.168.7.1 --insecure    a network of cameras only
              glyphwire serve --http 127.0.0.1:7412 & curl http://127.0.0.1:7412/metrics
              GLYPHWIRE_WORKERS=8 glyphwire serve --level accurate
              glyphwire serve --config /etc/glyphwire/glyphwire.yaml
            """
    )

    @Option(
        help: ArgumentHelp(
            "File with settings, in YAML: the names and values of these options. (default: none)",
            valueName: "file"
        )
    )
    var config: String?

    @Option(help: ArgumentHelp("Address to listen on. (default: 127.0.0.1)", valueName: "address"))
    var host: String?

    @Option(help: ArgumentHelp("TCP port to listen on; 0 takes any free one. (default: 7411)"))
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Number of threads that read frames, 1 to 1024. (default: one for each core)",
            valueName: "count"
        )
    )
    var workers: Int?

    @Option(
        help: ArgumentHelp(
            "Maximum number of bytes of compiled networks that are kept. "
                + "(default: 512M and 256M for each worker, at most half of the memory)",
            valueName: "bytes"
        )
    )
    var networkMemory: ByteCount?

    @Option(help: NetworkCacheFolder.help)
    var networkCache: String?

    @Option(help: "Level of streams that do not configure one. (default: the first of --levels)")
    var level: RecognitionLevel?

    @Option(help: "Levels to offer, separated by commas; the models of others are not loaded. (default: fast,accurate)")
    var levels: LevelList?

    @Option(help: ModelFolder.help)
    var models: String?

    @Option(
        help: ArgumentHelp(
            "File with the token that clients must show, or with several as JSON; SIGHUP reloads it. "
                + "(default: none)",
            valueName: "file"
        )
    )
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "File with the certificate chain in PEM; the server then speaks TLS. (default: none)",
            valueName: "file"
        )
    )
    var tlsCertificate: String?

    @Option(
        help: ArgumentHelp(
            "File with the certificate's private key in PEM; SIGHUP reloads both. (default: none)",
            valueName: "file"
        )
    )
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "File with authorities in PEM; clients need a certificate of one of them. (default: none)",
            valueName: "file"
        )
    )
    var tlsClientCA: String?

    @Flag(
        help: ArgumentHelp(
            "TLS with a certificate that the server makes for this machine's addresses, and keeps; browsers ask once whether "
                + "to accept it."
        )
    )
    var tlsSelfSigned = false

    @Flag(help: "PROXY header with the client's address, as HAProxy sends it, is expected on each connection.")
    var proxyProtocol = false

    @Flag(help: "Other machines need no token: anyone who can reach the address can use the server.")
    var insecure = false

    @Option(.grace) var grace: ServerLimit.Setting?

    @Option(
        help: ArgumentHelp(
            "Address and port of the HTTP service, for browsers and monitoring; port 0 takes any free one. "
                + "(default: none)",
            valueName: "address:port"
        )
    )
    var http: ListenAddress?

    @Option(
        name: .customLong("http-cors"),
        help: ArgumentHelp(
            "Origins of web pages that may use --http, separated by commas, or * for all. (default: none)",
            valueName: "origin"
        )
    )
    var allowedOrigins: [AllowedOrigins] = []

    /// Size of the frames that most cameras send, for which networks are created in advance, in pixels.
    private static let usualSize = (width: 1280, height: 720)

    @OptionGroup var log: LogOptions

    @OptionGroup var limits: LimitOptions

    func validate() throws {
        try EnvironmentCheck.validate(ProcessInfo.processInfo.environment)
        try Setting.useFile(flag: self.config)
    }

    func run() async throws {
        let levels = try Setting.value(self.levels, environment: .levels)?.levels ?? RecognitionLevel.allCases
        var configuration = try self.serverConfiguration(levels: levels)
        let http = try self.httpConfiguration(for: configuration)
        let logger = try self.log.logger()
        SecretFile.warn(of: try self.secretFiles(), to: logger)
        let room = DescriptorLimit.raise()
        if room < configuration.limits.maxConnections {
            configuration.limits.maxConnections = room
            logger.notice(
                "fewer connections than configured: raise the limit of open files (ulimit -n)",
                metadata: ["connections": "\(room)"]
            )
        }
        let engine = try OpenVINOTextEngine.load(
            levels,
            models: self.models,
            cache: self.networkCache,
            memory: try Setting.value(self.networkMemory, environment: .networkMemory)?.value
                ?? SystemMemory.forNetworks(workers: configuration.workers)
        )
        try engine.prepareModels(width: Self.usualSize.width, height: Self.usualSize.height)
        let metrics = PrometheusMetrics()
        let announcement = Announcement(
            summary: Self.summary(configuration, levels: engine.levels),
            http: http == nil ? nil : configuration.tls == nil ? "http" : "https",
            camera: try self.isSelfSigned ? CameraPage(token: Self.onlyToken(of: configuration)) : nil
        )
        let server = GlyphwireServer(
            configuration: configuration,
            engine: engine,
            logger: logger,
            metrics: metrics,
            onListening: { address in
                announcement.framesListening(on: address)
                Self.prepare(engine, logger: logger)
            }
        )
        let service: (any Service)? = http.map {
            HTTPService(
                configuration: $0,
                server: server,
                metrics: metrics,
                logger: logger,
                onListening: announcement.httpListening
            )
        }
        // The first service stops last, so that the HTTP service can report the drain.
        try await self.run([service, server].compactMap(\.self), of: server, logger: logger)
        // A worker may still be reading an abandoned frame, or compiling a network. It cannot be stopped otherwise, and
        // `exit` would destroy the runtime under it.
        fflush(nil)
        _exit(EXIT_SUCCESS)
    }

    /// Creates the networks of the usual size on a thread of its own, beside the first frames.
    private static func prepare(_ engine: OpenVINOTextEngine, logger: Logger) {
        Thread.detachNewThread {
            do {
                try engine.prepare(width: Self.usualSize.width, height: Self.usualSize.height)
            } catch {
                logger.warning("a network could not be created in advance", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Runs the services until they have stopped, and handles signals.
    private func run(_ services: [any Service], of server: GlyphwireServer, logger: Logger) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, logger: logger)
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await StopSignals.handle { await group.triggerGracefulShutdown() } }
            tasks.addTask { await self.reloadAtHangup(server, logger) }
            try await group.run()
            tasks.cancelAll()
        }
    }

    /// Reloads the files at each SIGHUP; if files have errors, the previous ones remain in use.
    private func reloadAtHangup(_ server: GlyphwireServer, _ logger: Logger) async {
        for await _ in await UnixSignalsSequence(trapping: .sighup) {
            do {
                if let path = try Setting.value(self.tokenFile, environment: .tokenFile) {
                    server.replace(tokens: try TokenFile.read(path))
                }
                try server.readTLSFiles()
                SecretFile.warn(of: try self.secretFiles(), to: logger)
                logger.notice("files reloaded")
            } catch {
                logger.error(
                    "files not reloaded, the previous ones remain in use",
                    metadata: ["error": "\(error)"]
                )
            }
        }
    }

    private static func onlyToken(of configuration: ServerConfiguration) -> String? {
        configuration.tokens.count == 1 ? configuration.tokens.first?.secret : nil
    }

    /// Short summary of the configuration.
    private static func summary(_ configuration: ServerConfiguration, levels: [RecognitionLevel]) -> String {
        let workers = configuration.workers == 1 ? "1 worker" : "\(configuration.workers) workers"
        let tls = configuration.tls == nil ? "" : ", TLS"
        return "\(workers), \(levels.map(\.rawValue).joined(separator: " and "))\(tls)"
    }

    /// Checks all settings, and the files that they name, without a start.
    ///
    /// - Returns: The summary that the start would print.
    /// - Throws: The error with which the start would fail.
    func checkSettings() throws -> String {
        let levels = try Setting.value(self.levels, environment: .levels)?.levels ?? RecognitionLevel.allCases
        let configuration = try self.serverConfiguration(levels: levels)
        let http = try self.httpConfiguration(for: configuration)
        _ = try self.log.logger()
        _ = try Setting.value(self.networkMemory, environment: .networkMemory)
        _ = try NetworkCacheFolder.path(flag: self.networkCache)
        _ = try ModelFolder.path(flag: self.models)
        try GlyphwireServer.validate(configuration)
        let address = "\(configuration.host):\(configuration.port)"
        let service = http.map { ", HTTP on \($0.host):\($0.port)" } ?? ""
        let access =
            switch configuration.tokens.count {
            case 0: "no token"
            case 1: "1 token"
            case let count: "\(count) tokens"
            }
        return "\(address) (\(Self.summary(configuration, levels: levels)), \(access))\(service)"
    }

    private func serverConfiguration(levels: [RecognitionLevel]) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        if let host = try Setting.value(self.host, environment: .host) { configuration.host = host }
        if let port = try Setting.value(self.port, environment: .port) {
            guard (0...65535).contains(port) else { throw Setting.invalid(.port, "\(port)", allowed: "0 to 65535") }
            configuration.port = port
        }
        if let workers = try Setting.value(self.workers, environment: .workers) {
            guard (1...1024).contains(workers) else {
                throw Setting.invalid(.workers, "\(workers)", allowed: "1 to 1024")
            }
            configuration.workers = workers
        }
        let level = try Setting.value(self.level, environment: .level) ?? levels.first ?? .fast
        guard levels.contains(level) else {
            throw Setting.invalid(
                .level,
                level.rawValue,
                allowed: "one of --levels, which are \(levels.map(\.rawValue).joined(separator: " and "))"
            )
        }
        configuration.stream.reading.level = level
        configuration.isBehindProxy =
            try self.proxyProtocol || Setting.value(Bool?.none, environment: .proxyProtocol) ?? false
        configuration.tls = try self.tlsFiles()
        configuration.isInsecure = try self.insecure || Setting.value(Bool?.none, environment: .insecure) ?? false
        if let path = try Setting.value(self.tokenFile, environment: .tokenFile) {
            configuration.tokens = try TokenFile.read(path)
        }
        try ServerLimit.all.set(in: &configuration, flags: self.limitSettings)
        return configuration
    }

    /// The files that hold a secret.
    private func secretFiles() throws -> [String?] {
        [
            try Setting.value(self.tokenFile, environment: .tokenFile),
            try Setting.value(self.tlsKey, environment: .tlsKey),
        ]
    }

    private var isSelfSigned: Bool {
        get throws { try self.tlsSelfSigned || Setting.value(Bool?.none, environment: .tlsSelfSigned) ?? false }
    }

    private func tlsFiles() throws -> TLSFiles? {
        let certificate = try Setting.value(self.tlsCertificate, environment: .tlsCertificate)
        let key = try Setting.value(self.tlsKey, environment: .tlsKey)
        let authorities = try Setting.value(self.tlsClientCA, environment: .tlsClientCA)
        if try self.isSelfSigned {
            guard certificate == nil, key == nil, authorities == nil else {
                throw ValidationError("--tls-self-signed makes the certificate: leave out the other options of TLS.")
            }
            return try SelfSignedCertificate(folder: SelfSignedCertificate.stateFolder()).files
        }
        guard let certificate, let key else {
            guard certificate == nil, key == nil, authorities == nil else {
                throw ValidationError(
                    "TLS needs --tls-certificate and --tls-key: set both, or neither of them and no --tls-client-ca."
                )
            }
            return nil
        }
        return TLSFiles(certificate: certificate, key: key, clientAuthorities: authorities)
    }

    /// Configuration of the HTTP service; `nil` without one.
    private func httpConfiguration(for server: ServerConfiguration) throws -> HTTPConfiguration? {
        let origins = try Setting.value(self.allowedOrigins.union, environment: .allowedOrigins)
        guard let address = try Setting.value(self.http, environment: .http) else {
            guard origins == nil else {
                throw ValidationError(
                    "--http-cors has no effect without --http: add --http 127.0.0.1:7412, or leave it out."
                )
            }
            return nil
        }
        guard
            !server.tokens.isEmpty || server.tls?.clientAuthorities != nil || server.isInsecure
                || Loopback.contains(address.host)
        else {
            throw ValidationError(
                "--http \(address.host):\(address.port) would show the streams to anyone who can reach that address: add "
                    + "--token-file, or use --http 127.0.0.1:\(address.port)."
            )
        }
        var configuration = HTTPConfiguration(host: address.host, port: address.port)
        configuration.allowedOrigins = origins ?? .none
        return configuration
    }
}
