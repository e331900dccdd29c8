internal import ArgumentParser
internal import CommandInput
internal import Foundation
internal import GlyphwireProtocol
internal import GlyphwireServer
internal import HTTPRequests
internal import Logging
internal import NIOCore
internal import TextEvents
internal import UnixSignals
internal import VideoSources

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Command `glyphwire watch`, which reads cameras and videos and reports what changes.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Reports text in cameras and video files as it appears, changes and disappears.",
        discussion: """
            A source is an address of a camera (rtsp://, http:// and whatever else ffmpeg opens), a video device such as \
            /dev/video0, or a video file. Over HTTP, motion JPEG and single pictures need no ffmpeg. Cameras are tried again \
            indefinitely; of what they send, the newest picture is read. Of a file, every frame is.

            Events are lines of JSON on standard output: appeared, changed, lost, and online and offline for a source \
            (docs/watch.md in share/doc/glyphwire). --webhook posts them, and --mqtt publishes them and the texts to a broker, where Home Assistant \
            finds them. The command ends when all files have been read, or with SIGTERM or SIGINT. At SIGHUP it reads --config, \
            --token-file and the files of TLS again.

            EXAMPLES
              glyphwire watch rtsp://10.0.0.7/1
              glyphwire watch gate=http://10.0.0.8/mjpg --find '/[A-Z]{2} \\d+/'
              glyphwire watch rtsp://10.0.0.7/1 --mqtt mqtt://broker
              glyphwire watch http://10.0.0.9/snapshot.jpg --every 5s
              glyphwire watch rtsp://10.0.0.7/1 --webhook https://example.org/texts
              glyphwire watch film.mp4 --format srt > film.srt
              glyphwire watch --config cameras.yaml --http 127.0.0.1:7412
              glyphwire watch --config cameras.yaml --server box:7411 --tls-ca box.pem
            """
    )

    @OptionGroup var options: WatchOptions

    @Option(help: "What to print: events, or of one video file, subtitles (srt, vtt) or a table (csv).")
    var format: WatchFormat = .events

    @Option(
        help: ArgumentHelp(
            "Omit texts from subtitles that are shown for less. (default: 200ms)",
            valueName: "time"
        )
    )
    var minimumDuration: String?

    @Option(help: ArgumentHelp("Post each event to this address, in JSON.", valueName: "url"))
    var webhook: String?

    @Option(
        help: ArgumentHelp(
            "Publish to this MQTT broker: mqtt://user@host:1883/prefix, or mqtts:// for TLS.",
            valueName: "url"
        )
    )
    var mqtt: String?

    @Option(help: ArgumentHelp("A file with the password at the MQTT broker.", valueName: "file"))
    var mqttPasswordFile: String?

    @Option(
        help: ArgumentHelp(
            "The authorities of the MQTT broker's certificate, in PEM. (default: the system's)",
            valueName: "file"
        )
    )
    var mqttCA: String?

    @Option(
        help: ArgumentHelp(
            "Show the streams at this address, such as 127.0.0.1:7412, for browsers; one that other machines reach needs "
                + "--token-file.",
            valueName: "address:port"
        )
    )
    var http: ListenAddress?

    @Flag(help: "HTTPS for --http, with a certificate that is made for this machine, and kept.")
    var tlsSelfSigned = false

    @OptionGroup(title: "Another server")
    var remote: ServerOptions

    @Option(help: ArgumentHelp("Threads that read frames. (default: one for each core)", valueName: "count"))
    var workers: Int?

    @Option(help: ModelFolder.help)
    var models: String?

    @Option(help: NetworkCacheFolder.help)
    var networkCache: String?

    @OptionGroup var log: LogOptions

    func validate() throws {
        try EnvironmentCheck.validate(ProcessInfo.processInfo.environment)
        try WorkerCount.validate(self.workers)
        try self.validateServer()
        guard self.http != nil || !self.tlsSelfSigned else {
            throw ValidationError("--tls-self-signed is for --http: add it, or leave this out.")
        }
        guard self.http != nil || self.remote.server != nil || self.remote.tokenFile == nil else {
            throw ValidationError("--token-file is for a server, or for --http: name one of them.")
        }
        if let http, !Loopback.contains(http.host), self.remote.tokenFile == nil {
            throw ValidationError(
                "Anyone who reaches \(http.host) could watch what the cameras see: use --http 127.0.0.1:\(http.port), or "
                    + "add --token-file, and best --tls-self-signed."
            )
        }
        try self.validateMQTT()
        _ = try self.webhookAddress()
        if let minimumDuration, Interval(minimumDuration) == nil {
            throw ValidationError("The minimum duration cannot be \(minimumDuration): use a time such as 500ms or 1s.")
        }
    }

    /// Checks that nothing is given which has no effect where another server reads the pictures.
    private func validateServer() throws(ValidationError) {
        guard self.remote.server != nil else { return }
        guard self.http == nil else {
            throw ValidationError("--http shows the streams of this process: with --server, that server shows them.")
        }
        guard self.workers == nil, self.models == nil, self.networkCache == nil else {
            throw ValidationError(
                "--workers, --models and --network-cache are for pictures that this process reads: with --server, that "
                    + "server reads them."
            )
        }
    }

    private func validateMQTT() throws {
        guard let broker = try self.broker() else {
            guard self.mqttPasswordFile == nil, self.mqttCA == nil else {
                throw ValidationError("--mqtt-password-file and --mqtt-ca are for a broker: name it with --mqtt.")
            }
            return
        }
        guard broker.usesTLS || self.mqttCA == nil else {
            throw ValidationError("--mqtt-ca is for TLS: begin the address of --mqtt with mqtts://, or leave this out.")
        }
        guard self.mqttPasswordFile != nil else { return }
        guard broker.user != nil else {
            throw ValidationError("--mqtt-password-file needs a name in the address of --mqtt: mqtt://user@broker.")
        }
        guard broker.password == nil else {
            throw ValidationError("The address of --mqtt has a password: leave it out, or --mqtt-password-file.")
        }
    }

    /// The broker of `--mqtt`; `nil` without one.
    private func broker() throws(ValidationError) -> MQTTConfiguration? {
        guard let mqtt else { return nil }
        do throws(EventError) {
            return try MQTTConfiguration(mqtt)
        } catch {
            throw ValidationError("--mqtt takes an address such as mqtt://user@broker:1883/prefix: \(error).")
        }
    }

    /// The address of `--webhook`; `nil` without one.
    private func webhookAddress() throws(ValidationError) -> HTTPAddress? {
        guard let webhook else { return nil }
        do throws(HTTPRequestError) {
            if let address = try HTTPAddress(webhook) { return address }
        } catch {
            throw ValidationError("The address of --webhook cannot be used: \(error).")
        }
        throw ValidationError("--webhook takes an address such as https://example.org/texts.")
    }

    func run() async throws {
        let hangups = await self.hangups()
        let (log, logger) = try self.log.open()
        // An error is printed after what was logged before it.
        defer { log.close() }
        // A source takes two connections, and ffmpeg two pipes.
        _ = DescriptorLimit.raise()
        let ownToken = self.http != nil && self.remote.tokenFile != nil ? Self.randomToken() : nil
        let sources = try self.checkedSources(ownToken: ownToken)
        let (readerLost, readerLoss) = AsyncStream.makeStream(of: Void.self)
        let lines = try self.format == .events ? self.eventLines(logger) { readerLoss.yield() } : nil
        let sinks = try [lines].compactMap(\.self) + self.sinks(of: sources, logger)
        let sink = EventBroadcaster(to: sinks)
        SecretFile.warn(of: self.remote.secretFiles + [self.mqttPasswordFile], to: logger)
        // Sources may be read again, and the command be stopped, before any is watched.
        let stopSignals = await StopSignals.trap()
        let watching = Task {
            guard let server = self.remote.server else {
                let engine = try self.engine(for: sources, logger)
                try Self.validate(sources, for: engine)
                let local = try self.localServer(engine, ownToken: ownToken, logger)
                let run = WatchRun(
                    sources: sources,
                    sink: sink,
                    logger: logger,
                    changes: hangups.map { hangups in
                        self.changes(at: hangups, ownToken: ownToken, logger) {
                            try Self.validate($0, for: engine)
                            try self.reload(local, ownToken: ownToken)
                        }
                    }
                )
                return try await local.run { try await run.watch(server: $0) }
            }
            let run = WatchRun(
                sources: sources,
                sink: sink,
                logger: logger,
                changes: hangups.map { self.changes(at: $0, ownToken: nil, logger) { _ in } }
            )
            return try await run.watch(server: server)
        }
        let stops = [
            Task { await StopSignals.handle(stopSignals) { watching.cancel() } },
            // Without another output, there is no use in going on.
            Task { for await _ in readerLost where sinks.count == 1 && self.http == nil { watching.cancel() } },
        ]
        let watched = await watching.result
        for stop in stops { stop.cancel() }
        // What has happened before an error is delivered all the same.
        let undelivered = await sink.close()
        let outcomes = try watched.get()
        var isComplete = outcomes.allSatisfy(\.isComplete) && lines?.hasLostReader != true
        // A signal ends the program with what could be delivered in time.
        if undelivered > 0, !watching.isCancelled { isComplete = false }
        if await !self.writeSubtitles(of: outcomes.first) { isComplete = false }
        log.close()
        // A worker may still be reading a frame; `exit` would destroy the runtime under it.
        _exit(isComplete ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    /// Prints the text of a video file, where the format is one of subtitles.
    ///
    /// - Parameter outcome: What was read of the file; `nil` where there is none.
    /// - Returns: Whether standard output took them all.
    private func writeSubtitles(of outcome: WatchRun.Outcome?) async -> Bool {
        guard let format = self.format.subtitles, let cues = await outcome?.cues(minimum: self.minimum) else {
            return true
        }
        do throws(Failure) {
            try StandardOutput.write(ByteBuffer(string: format.document(cues)))
            return true
        } catch {
            StandardError.write("glyphwire: \(error)\n")
            return false
        }
    }

    private func eventLines(_ logger: Logger, onReaderLost: @escaping @Sendable () -> Void) throws -> EventLines {
        try EventLines(logger: logger, onReaderLost: onReaderLost, write: StandardOutput.writeEvents)
    }

    /// Signals at which the files are read again.
    ///
    /// - Returns: The signals from now on; `nil` without files, where one ends the program, as a terminal that is closed expects.
    private func hangups() async -> UnixSignalsSequence? {
        guard self.options.config != nil || self.remote.hasFiles else {
            HangupSignal.release()
            return nil
        }
        return await HangupSignal.trap()
    }

    /// The sources of the command line and of the file, which can be watched.
    ///
    /// - Parameter ownToken: The token of this process at its own server; `nil` without one.
    /// - Returns: At least one source.
    /// - Throws: ``Failure``, or ``SourceError`` without `ffmpeg`.
    private func checkedSources(ownToken: String?) throws -> [WatchedSource] {
        var sources = try self.options.watchedSources(token: try ownToken ?? self.remote.token())
        let tls = try self.remote.serverTLS()
        for index in sources.indices { sources[index].tls = tls }
        try self.checkFormat(of: sources)
        if sources.contains(where: \.address.needsFFmpeg) { try FFmpegDecoder.requireProgram() }
        return sources
    }

    /// The sources after each SIGHUP, which has all files read again.
    ///
    /// A file with a mistake is logged, and changes nothing.
    ///
    /// - Parameters:
    ///   - hangups: The signals.
    ///   - ownToken: The token of this process at its own server; `nil` without one.
    ///   - logger: The log.
    ///   - validate: Throws if the engine cannot read a source.
    /// - Returns: The sources as they change.
    private func changes(
        at hangups: UnixSignalsSequence,
        ownToken: String?,
        _ logger: Logger,
        validate: @escaping @Sendable ([WatchedSource]) throws -> Void
    ) -> AsyncStream<[WatchedSource]> {
        AsyncStream { continuation in
            let task = Task {
                for await _ in hangups {
                    do {
                        let sources = try self.checkedSources(ownToken: ownToken)
                        try validate(sources)
                        continuation.yield(sources)
                    } catch {
                        logger.error("the sources stay as they are", metadata: ["reason": "\(error)"])
                    }
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Minimum duration of subtitles: what is shown more briefly cannot be read.
    private var minimum: Duration {
        self.minimumDuration.flatMap { Interval($0)?.duration } ?? .milliseconds(200)
    }

    private func checkFormat(of sources: [WatchedSource]) throws {
        guard self.format.subtitles != nil else { return }
        guard sources.count == 1, case .file = sources[0].address else {
            throw ValidationError("The format \(self.format.rawValue) takes one source, a video file.")
        }
    }

    private func sinks(of sources: [WatchedSource], _ logger: Logger) throws -> [any EventSink] {
        var sinks: [any EventSink] = []
        if let address = try self.webhookAddress() { sinks.append(Webhook(address, logger: logger)) }
        if var broker = try self.broker() {
            if let file = self.mqttPasswordFile { broker.password = try SecretFile.text(file) }
            broker.authorities = self.mqttCA
            let publisher = MQTTPublisher(broker, sources: sources.map(\.events), logger: logger)
            try publisher.start()
            sinks.append(publisher)
        }
        return sinks
    }

    /// A token of 128 bits that nothing else has.
    private static func randomToken() -> String {
        (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
    }
}
