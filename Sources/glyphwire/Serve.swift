internal import FramePipeline
internal import ArgumentParser
internal import Foundation
internal import GlyphwireHTTP
internal import GlyphwireProtocol
internal import TextModel
internal import GlyphwireServer
internal import Logging
internal import ServiceLifecycle
internal import SystemSupport
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
            Protocol.md in share/doc/glyphwire specifies what happens beyond each limit.

            Text in further languages is read where Tesseract has them (docs/languages.md there). "glyphwire doctor" \
            lists those that it finds, and "languages" in "hello" names them to clients.

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

    /// Size of the frames that most cameras send, for which networks are created in advance, in pixels.
    private static let usualSize = (width: 1280, height: 720)

    @OptionGroup var options: ServeOptions

    func validate() throws { try self.options.useEnvironmentAndFile() }

    func run() async throws {
        // Before the files are read, so that a signal during the start has them read again after it.
        let hangups = await HangupSignal.trap()
        let (log, logger) = try self.options.log.open()
        // An error is printed after what was logged before it.
        defer { log.close() }
        let (server, http) = try self.services(logger: logger)
        // The first service stops last, so that the HTTP service can report the drain.
        let services: [(any Service)?] = [http, server]
        try await self.run(services.compactMap(\.self), of: server, hangups, logger: logger)
        // A worker may still be reading an abandoned frame, or compiling a network. It cannot be stopped otherwise, and
        // `exit` would destroy the runtime under it.
        fflush(nil)
        log.close()
        _exit(EXIT_SUCCESS)
    }

    /// Creates the server, and the HTTP service unless there is none, from the options and the files that they name.
    private func services(logger: Logger) throws -> (server: GlyphwireServer, http: HTTPService?) {
        let options = self.options
        let levels = try options.offeredLevels()
        var configuration = try options.serverConfiguration(levels: levels)
        SecretFile.warn(of: try options.secretFiles(), to: logger)
        var http = try options.httpConfiguration(for: configuration)
        try ServeOptions.checkAddresses(of: configuration, http)
        try options.renewSelfSignedCertificate()
        Self.fitLimits(of: &configuration, &http, logger: logger)
        let engine = try self.engine(levels, for: configuration, logger: logger)
        let metrics = PrometheusMetrics()
        let announcement = Announcement(
            summary: ServeOptions.summary(configuration, levels: engine.levels),
            http: http == nil ? nil : configuration.tls == nil ? "http" : "https",
            camera: try options.isSelfSigned ? CameraPage(token: Self.onlyToken(of: configuration)) : nil
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
        let service = http.map {
            HTTPService(
                configuration: $0,
                server: server,
                metrics: metrics,
                logger: logger,
                onListening: announcement.httpListening
            )
        }
        return (server, service)
    }

    /// Loads the engine with the models of some levels.
    private func engine(
        _ levels: [RecognitionLevel],
        for configuration: ServerConfiguration,
        logger: Logger
    ) throws -> OpenVINOTextEngine {
        let engine = try OpenVINOTextEngine.load(
            levels,
            models: self.options.models,
            cache: self.options.networkCache,
            memory: try Setting.value(self.options.networkMemory, environment: .networkMemory)?.value
                ?? SystemMemory.forNetworks(workers: configuration.workers),
            logger: logger
        )
        try engine.prepareModels(width: Self.usualSize.width, height: Self.usualSize.height)
        return engine
    }

    /// Lowers the limits of connections to what the limit of open files allows.
    private static func fitLimits(
        of server: inout ServerConfiguration,
        _ http: inout HTTPConfiguration?,
        logger: Logger
    ) {
        if DescriptorLimit.raise().fit(&server.limits, hasHTTP: http != nil) {
            logger.notice(
                "fewer connections than configured: raise the limit of open files (ulimit -n)",
                metadata: [
                    "connections": .stringConvertible(server.limits.maxConnections),
                    "http_connections": .stringConvertible(http == nil ? 0 : server.limits.maxHTTPConnections),
                ]
            )
        }
        http?.maxConnections = server.limits.maxHTTPConnections
    }

    /// Creates the networks of the usual size on a thread of its own, beside the first frames.
    private static func prepare(_ engine: OpenVINOTextEngine, logger: Logger) {
        @Sendable func report(_ error: any Error) {
            logger.warning("a network could not be created in advance", metadata: ["error": "\(error)"])
        }
        do {
            try NamedThread.start(name: "prepare") {
                do {
                    try engine.prepare(width: Self.usualSize.width, height: Self.usualSize.height)
                } catch {
                    report(error)
                }
            }
        } catch {
            report(error)
        }
    }

    /// Runs the services until they have stopped, and handles signals.
    private func run(
        _ services: [any Service],
        of server: GlyphwireServer,
        _ hangups: UnixSignalsSequence,
        logger: Logger
    ) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: services, logger: logger)
        )
        let stopSignals = await StopSignals.trap()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await StopSignals.handle(stopSignals) { await group.triggerGracefulShutdown() } }
            tasks.addTask { await self.reload(server, at: hangups, logger) }
            try await group.run()
            tasks.cancelAll()
        }
    }

    /// Reloads the files at each SIGHUP; if one has errors, all previous ones remain in use.
    private func reload(_ server: GlyphwireServer, at hangups: UnixSignalsSequence, _ logger: Logger) async {
        for await _ in hangups {
            do {
                try self.reload(server)
                SecretFile.warn(of: try self.options.secretFiles(), to: logger)
                logger.notice("files reloaded")
            } catch {
                logger.error(
                    "files not reloaded, the previous ones remain in use",
                    metadata: ["error": "\(error)"]
                )
            }
        }
    }

    /// Reloads the files, of which none takes effect before all have been read.
    ///
    /// A certificate that the server has just made stays on the disk also where reading it fails; the next signal takes it.
    private func reload(_ server: GlyphwireServer) throws {
        let path = try Setting.value(self.options.tokenFile, environment: .tokenFile)
        let tokens = try path.map { try AccessToken.all(in: $0) }
        try self.options.renewSelfSignedCertificate()
        try server.readTLSFiles()
        if let tokens { server.replace(tokens: tokens) }
    }

    private static func onlyToken(of configuration: ServerConfiguration) -> String? {
        configuration.tokens.count == 1 ? configuration.tokens.first?.secret : nil
    }
}
