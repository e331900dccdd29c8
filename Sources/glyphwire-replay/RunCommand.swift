internal import ArgumentParser
internal import FoundationEssentials
internal import GlyphwireClient
internal import GlyphwireProtocol
internal import GlyphwireReplay
internal import UnixSignals

struct RunCommand: ReplayCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Play a session to a server and measure the results.",
        discussion: """
            Frames are sent when due, even if the server is behind, and latency counts from the due time: a server \
            cannot hide delays in sending. The latency since sending is reported too.

            The report goes to standard output, progress to standard error. Ctrl-C ends the run early, with its report.

            EXAMPLES
              Play a session as recorded, and print its text:
                glyphwire-replay run walk.gws --print-text
              Measure a server with eight cameras of 15 frames a second:
                glyphwire-replay run walk.gws --connections 8 --rate 15 --duration 60 \\
                    --warmup 5 --report eight.html
              Find out how many such cameras it can serve:
                glyphwire-replay run walk.gws --rate 15 --find-limit p99=200ms
              In CI:
                glyphwire-replay run walk.gws --expect walk.ndjson \\
                    --fail-if 'p99_ms>120' --fail-if 'differing>0' --fail-if 'not_read>0'

            EXIT STATUS
              0  every frame that was sent was answered, possibly with an error
              1  a connection or a frame was lost, a frame was not answered ten seconds after a run (other than those \
            of --find-limit), no frame was offered, or a file or the output cannot be used
              64 wrong usage
              99 a condition of --fail-if holds, or faulty clients have harmed the other streams or did not act as planned
            """
    )

    /// Exit status of a failed check.
    static let failedStatus: Int32 = 99

    @Argument(help: "The session, a .gws file.", completion: .file(extensions: ["gws"]))
    var session: String

    @Option(help: "The server's name or address.")
    var host = "127.0.0.1"

    @Option(help: "The server's port.")
    var port = 7411

    @Flag(help: "Use TLS.")
    var tls = false

    @Option(
        help: ArgumentHelp(
            "Use TLS, and trust these authorities instead of the system's (PEM); may be the server's own certificate.",
            valueName: "file"
        ),
        completion: .file()
    )
    var tlsCA: String?

    @Option(help: ArgumentHelp("Stop after this time without an answer.", valueName: "seconds"))
    var timeout = 60.0

    @OptionGroup(title: "Pace")
    var pace: PaceOptions

    @OptionGroup(title: "Several runs")
    var load: LoadOptions

    @OptionGroup(title: "Reports and checks")
    var reports: ReportOptions

    @Option(
        help: ArgumentHelp(
            "Draw words (red) and characters (blue) on the frames of the first connection, one picture for each.",
            discussion: "The lines are kept there too, in results.ndjson, unless --results names a file.",
            valueName: "folder"
        ),
        completion: .directory
    )
    var overlay: String?

    @Option(help: ArgumentHelp("Draw every Nth frame only.", valueName: "count"))
    var overlayEvery = 1

    @Flag(help: "Print the text of each frame of the first connection.")
    var printText = false

    @OptionGroup(title: "Faulty clients; the session is played without and then with them")
    var faults: FaultOptions

    @OptionGroup(title: "Options in place of the session's own")
    var options: StreamOptions

    func validate() throws {
        if !(1...65_535).contains(self.port) { throw ValidationError("--port takes 1 to 65535.") }
        if !(0.001...1e6).contains(self.timeout) { throw ValidationError("--timeout takes 0.001 to 1000000 seconds.") }
        if self.overlayEvery < 1 { throw ValidationError("--overlay-every takes 1 or more.") }
        if self.tls || self.tlsCA != nil, !self.faults.plan(seed: 0).isEmpty {
            throw ValidationError("Faulty clients use plain TCP; leave out --tls.")
        }
        let hasFaults = !self.faults.plan(seed: 0).isEmpty
        if hasFaults, self.reports.expect != nil || self.overlay != nil {
            throw ValidationError("Faulty clients cannot be combined with --expect and --overlay.")
        }
        if self.load.findLimit != nil, self.reports.deadline != nil {
            throw ValidationError("--find-limit has a deadline of its own; leave out --deadline.")
        }
        if case .once = self.load.plan { return }
        if hasFaults { throw ValidationError("Faulty clients cannot be combined with --ramp and --find-limit.") }
        if self.overlay != nil { throw ValidationError("--overlay is for a single run.") }
        if self.load.ramp?.axis == .rate, self.pace.speed != nil || self.pace.maxInFlight != nil {
            throw ValidationError("--ramp rate=... sets the rate; leave out --speed and --max-in-flight.")
        }
        if self.pace.warmup ?? 0 >= self.pace.duration ?? LoadOptions.usualDuration {
            throw ValidationError("--warmup must be shorter than a run, which takes --duration or 10 seconds.")
        }
    }

    func run(_ console: Console) async throws {
        let overlay = try self.overlay.map { folder in try OverlayWriter(folder: folder, every: self.overlayEvery) }
        let configuration = try self.configuration(overlay: overlay)
        for file in self.reports.report { try file.check(apartFrom: configuration.inputs) }
        let expectation = try self.reports.expect.map { path in try Expectation(path: path) }
        var test = LoadTest(
            configuration,
            plan: self.load.plan,
            check: expectation.map { .expect($0) } ?? .none,
            onRun: { load in console.notice("run: \(load)") }
        )
        self.watch(&test, console)
        var report = LoadReport(
            session: self.session,
            address: String(host: self.host, port: self.port),
            startedAt: Date().timeIntervalSince1970,
            arguments: Array(CommandLine.arguments.dropFirst())
        )
        var verdict: FaultTest.Verdict?
        var failure: (any Error)?
        do {
            verdict = try await self.play(test, into: &report, console)
        } catch {
            // The runs before it are reported.
            guard !report.runs.isEmpty else { throw error }
            failure = error
        }
        console.output(report.text)
        do throws(ReplayError) {
            try self.write(report, apartFrom: configuration.inputs)
        } catch {
            guard failure != nil else { throw error }
            console.notice("Error: \(error)")
        }
        if let failure { throw failure }
        if let overlay, let results = configuration.results(ofStream: 0) {
            try await self.draw(with: overlay, results: results, console)
        }
        try self.judge(report, verdict: verdict, console)
    }

    /// Performs the runs, and returns the verdict on faulty clients if there are any.
    private func play(
        _ test: LoadTest,
        into report: inout LoadReport,
        _ console: Console
    ) async throws -> FaultTest.Verdict? {
        let plan = self.faults.plan(seed: self.pace.seed)
        return try await StopSignal.givenBySignals(console) { stop -> FaultTest.Verdict? in
            guard plan.isEmpty else { return try await FaultTest(plan, test).run(into: &report, until: stop) }
            try await test.run(into: &report, until: stop)
            return nil
        }
    }

    /// Writes every report that can be written, and throws the first error.
    private func write(_ report: LoadReport, apartFrom inputs: [String]) throws(ReplayError) {
        var failure: ReplayError?
        for file in self.reports.report {
            do throws(ReplayError) {
                try file.write(report, apartFrom: inputs)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func configuration(overlay: OverlayWriter?) throws -> ReplayConfiguration {
        var configuration = ReplayConfiguration(
            session: self.session,
            host: self.host,
            port: self.port,
            options: try self.options.override(environment: ProcessInfo.processInfo.environment),
            timeout: .seconds(self.timeout),
            results: self.reports.results ?? overlay?.resultsPath
        )
        if self.tls || self.tlsCA != nil { configuration.tls = ClientTLS(authorities: self.tlsCA) }
        configuration.otherInputs = [self.reports.expect, self.tlsCA, self.options.tokenFile].compactMap(\.self)
        self.pace.apply(to: &configuration)
        configuration.deadline = .milliseconds(self.reports.deadline ?? ReportOptions.usualDeadline)
        configuration.frameLog = self.reports.report.first { $0.kind == .csv }?.path
        if case .once = self.load.plan { return configuration }
        let duration = self.pace.duration ?? LoadOptions.usualDuration
        configuration.duration = .seconds(duration)
        guard self.pace.loop == nil else { return configuration }
        configuration.passes = nil
        // New streams cost a server more, especially when many start together.
        if self.pace.warmup == nil { configuration.warmup = .seconds(duration / 5) }
        return configuration
    }

    private func watch(_ test: inout LoadTest, _ console: Console) {
        let printsText = self.printText
        test.onLine = { line in
            switch line {
            case .result(let result): if printsText { console.output(result.printed) }
            case .error(let error): console.notice("error from the server: \(error.error.message)")
            default: break
            }
        }
        test.onProgress = { progress in console.progress(ProgressLine(progress).text) }
    }

    private func draw(with overlay: OverlayWriter, results: String, _ console: Console) async throws {
        let summary = try await overlay.write(session: self.session, results: results) { written in
            if written % 10 == 0 { console.progress("drawing: \(written) pictures") }
        }
        for failure in summary.failures { console.notice("not drawn: \(failure)") }
        console.output("pictures    \(summary.written) in \(self.overlay ?? "")")
    }

    /// Sets the exit status from the outcome of the runs.
    private func judge(_ report: LoadReport, verdict: FaultTest.Verdict?, _ console: Console) throws {
        for failure in report.failures { console.notice("Error: \(failure)") }
        let failed = report.failures(of: self.reports.failIf)
        for failure in failed { console.notice("failed: \(failure)") }
        // A search for a limit goes beyond it.
        let isUnanswered = report.hasUnansweredFrames && self.load.findLimit == nil
        if !report.failures.isEmpty || report.hasLostFrames || isUnanswered { throw ExitCode.failure }
        if verdict?.isPassed == false { throw ExitCode(Self.failedStatus) }
        if !failed.isEmpty { throw ExitCode(Self.failedStatus) }
    }
}
