internal import ArgumentParser
internal import FoundationEssentials
internal import GlyphwireProtocol
internal import GlyphwireReplay
internal import UnixSignals

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Play a session to a server and measure what comes back.",
        discussion: """
            Frames are sent when they are due, whether the server keeps up or not, and latency counts from then: a server \
            that makes frames wait cannot hide it. The figure from sending is told beside it.

            The report goes to standard output, progress to standard error. Ctrl-C ends the run early, with its report.

            EXAMPLES
              Play a session as it was recorded, and print what is read:
                glyphwire-replay run walk.gws --print-text
              See what eight cameras of 15 frames a second do to a server:
                glyphwire-replay run walk.gws --connections 8 --rate 15 --loop 20
              Keep the lines, and a picture of every tenth frame with its boxes:
                glyphwire-replay run walk.gws --overlay pictures --overlay-every 10

            EXIT STATUS
              0  every frame was answered, be it with an error
              1  a connection or a frame was lost, or a file cannot be used
              64 wrong usage
            """
    )

    @Argument(help: "The session, a .gws file.", completion: .file(extensions: ["gws"]))
    var session: String

    @Option(help: "The server's name or address.")
    var host = "127.0.0.1"

    @Option(help: "The server's port.")
    var port = 7411

    @Option(help: ArgumentHelp("Play so many times as fast as recorded.", valueName: "factor"))
    var speed: Double?

    @Option(help: ArgumentHelp("Send so many frames a second, whatever was recorded.", valueName: "frames"))
    var rate: Double?

    @Option(help: ArgumentHelp("Play the session so many times; 0 goes on until Ctrl-C.", valueName: "times"))
    var loop = 1

    @Option(help: ArgumentHelp("Play on so many connections, frames spread evenly between them.", valueName: "count"))
    var connections = 1

    @Option(help: ArgumentHelp("Give up when the server answers nothing for so long.", valueName: "seconds"))
    var timeout = 60.0

    @Option(
        help: ArgumentHelp(
            "Write the server's lines as they are received; each of several connections gets a numbered file.",
            valueName: "file"
        ),
        completion: .file()
    )
    var results: String?

    @Option(
        help: ArgumentHelp(
            "Draw words (red) and characters (blue) on the frames of the first connection, one picture for each.",
            discussion: "The lines are kept there too, in results.ndjson, unless --results names a file.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var overlay: String?

    @Option(help: ArgumentHelp("Draw on the first of every so many frames.", valueName: "count"))
    var overlayEvery = 1

    @Flag(help: "Print what is read in each frame of the first connection.")
    var printText = false

    @OptionGroup(title: "Options in place of the session's own")
    var options: StreamOptions

    func validate() throws {
        if self.speed != nil, self.rate != nil { throw ValidationError("Give --speed or --rate, not both.") }
        if let speed = self.speed, !(1e-3...1e6).contains(speed) {
            throw ValidationError("--speed takes a number from 0.001 to 1000000.")
        }
        if let rate = self.rate, !(1e-3...1e6).contains(rate) {
            throw ValidationError("--rate takes a number from 0.001 to 1000000.")
        }
        if self.loop < 0 { throw ValidationError("--loop takes a number of times, or 0 to go on until Ctrl-C.") }
        if !(1...10_000).contains(self.connections) { throw ValidationError("--connections takes 1 to 10000.") }
        if !(1...65_535).contains(self.port) { throw ValidationError("--port takes 1 to 65535.") }
        if !(0.001...1e6).contains(self.timeout) { throw ValidationError("--timeout takes 0.001 to 1000000 seconds.") }
        if self.overlayEvery < 1 { throw ValidationError("--overlay-every takes 1 or more.") }
    }

    func run() async throws {
        let console = Console()
        let overlay = try self.overlay.map { folder in try OverlayWriter(folder: folder, every: self.overlayEvery) }
        let configuration = ReplayConfiguration(
            session: self.session,
            host: self.host,
            port: self.port,
            pace: self.rate.map { .rate($0) } ?? .recorded(speed: self.speed ?? 1),
            passes: self.loop == 0 ? nil : self.loop,
            connections: self.connections,
            options: try self.options.override(environment: ProcessInfo.processInfo.environment),
            timeout: .seconds(self.timeout),
            results: self.results ?? overlay?.resultsPath
        )
        let printsText = self.printText
        let replay = Replay(
            configuration,
            onLine: { line in
                switch line {
                case .result(let result): if printsText { console.output(result.printed) }
                case .error(let error): console.notice("the server says: \(error.error.message)")
                default: break
                }
            },
            onProgress: { progress in console.progress(ProgressLine(progress).text) }
        )
        let report = try await Self.stoppingOnSignals(console) { stop in try await replay.run(until: stop) }
        console.output(report.text)
        if let overlay, let results = configuration.results(ofStream: 0) {
            try await self.draw(with: overlay, results: results, console)
        }
        for failure in report.failures { console.notice("Error: \(failure)") }
        guard report.failures.isEmpty, report.statistics.lost == 0 else { throw ExitCode.failure }
    }

    private func draw(with overlay: OverlayWriter, results: String, _ console: Console) async throws {
        let summary = try await overlay.write(session: self.session, results: results) { written in
            if written % 10 == 0 { console.progress("drawing: \(written) pictures") }
        }
        for failure in summary.failures { console.notice("not drawn: \(failure)") }
        console.output("pictures  \(summary.written) in \(self.overlay ?? "")")
    }

    /// Runs `body`, and has it stop at the first SIGINT or SIGTERM; the second one ends the process.
    private static func stoppingOnSignals<Value: Sendable>(
        _ console: Console,
        _ body: (StopSignal) async throws -> Value
    ) async throws -> Value {
        let stop = StopSignal()
        let signals = Task {
            var count = 0
            for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
                count += 1
                if count > 1 { Self.exit(withError: ExitCode(130)) }
                console.notice("waiting for the results that are still to come; Ctrl-C again does not wait")
                stop.stop()
            }
        }
        defer { signals.cancel() }
        return try await body(stop)
    }
}
