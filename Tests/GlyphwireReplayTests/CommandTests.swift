import TextSearch
import FoundationEssentials
import Glibc
import GlyphwireProtocol
import TextModel
import NIOCore
import StubServer
import TestSupport
import Testing

@testable import GlyphwireReplay

/// The executable `glyphwire-replay`.
@Suite(.timeLimit(.minutes(2))) struct CommandTests {
    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
    }

    private func session(_ name: String = "walk.gws", frames: Int = 20) throws -> String {
        let messages = TestSession.frames(frames, gap: .milliseconds(5))
        return try self.folder.file(name, TestSession.bytes(messages + [.end()]))
    }

    private static func replay(_ arguments: [String], input: String = "/dev/null") async throws -> Program.Outcome {
        try await Program("glyphwire-replay", arguments, standardInput: input).wait()
    }

    @Test func runReportsItsMeasurementsAndWritesFiles() async throws {
        let session = try self.session()
        let reports = try ["json", "html", "csv"].map { try self.folder.file("report.\($0)") }
        let outcome = try await StubServer.withServer { server in
            try await Self.replay(
                ["run", session, "--port", "\(server.port)", "--connections", "2", "--preload"]
                    + reports.flatMap { ["--report", $0] }
            )
        }
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("frames      40 offered, 40 read, 100 %\n"))
        #expect(outcome.output.contains("\nsince due "))
        let report = try LoadReport(path: reports[0])
        #expect(report.runs.map(\.frames.ok) == [40])
        #expect(report.arguments.first == "run")
        #expect(try TemporaryFolder.text(of: reports[1]).hasPrefix("<!doctype html>"))
        let rows = try TemporaryFolder.text(of: reports[2]).split(separator: "\n")
        #expect(rows.count == 41)
        #expect(Set(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }) == [15])

        let comparison = try await Self.replay(["compare", reports[0], reports[0], "--fail-if-worse"])
        #expect(comparison.exitCode == 0)
        #expect(comparison.output.contains("no change"))
    }

    @Test func aConditionThatHoldsEndsWith99() async throws {
        let session = try self.session()
        let outcome = try await StubServer.withServer { server in
            try await Self.replay([
                "run", session, "--port", "\(server.port)", "--fail-if", "ok>=20", "--fail-if", "lost>0",
            ])
        }
        #expect(outcome.exitCode == 99)
        #expect(outcome.errors.contains("failed: ok>=20: it is 20"))
        #expect(!outcome.errors.contains("lost>0:"))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func aSecondSignalEndsARunAtOnceWithItsStatus(signal: Int32) async throws {
        let session = try self.session()
        // A server that answers no frame.
        let script: StubServer.Script = { connection, message in
            if message.header.type == MessageType.configure.rawValue { connection.answer(message) }
        }
        try await StubServer.withServer(script: script) { server in
            let run = ["run", session, "--port", "\(server.port)"]
            let replay = try Program("glyphwire-replay", run, sharesPipe: true)
            while let (_, message) = await server.next(), message.header.type != MessageType.frame.rawValue {}
            replay.signal(signal)
            #expect(await replay.nextLine(with: "outstanding results") != nil)
            replay.signal(signal)
            #expect(await replay.wait().exitCode == 128 + signal)
        }
    }

    @Test func anyOptionCanBeAskedFor() async throws {
        let session = try self.session(frames: 1)
        try await StubServer.withServer { server in
            let outcome = try await Self.replay([
                "run", session, "--port", "\(server.port)", "--level", "fast", "--option", "upright=auto", "--option",
                "refresh_ms=500", "--option", #"find=["a=b"]"#, "--option", "level=accurate",
            ])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let message = try #require(await server.next()).message
            let configuration = try StreamConfiguration(json: message.payload)
            #expect(configuration.reading.upright == .auto && configuration.reading.level == .accurate)
            #expect(configuration.refreshMilliseconds == 500)
            #expect(configuration.find.map(\.source) == ["a=b"])
        }
    }

    @Test func ofATokenFileWithSeveralTokensTheFirstIsSent() async throws {
        let session = try self.session(frames: 1)
        let tokens = ["one", "two"].map { #"{"name":"\#($0)","token":"secret \#($0)"}"# }.joined(separator: ",")
        let file = try self.folder.file("tokens.json", Array(#"{"tokens":[\#(tokens)]}"#.utf8))
        try await StubServer.withServer { server in
            let outcome = try await Self.replay(["run", session, "--port", "\(server.port)", "--token-file", file])
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            let message = try #require(await server.next()).message
            #expect(try StreamConfiguration(json: message.payload).token == "secret one")
        }
    }

    @Test func anEmptyVariableNamesNoTokenFile() async throws {
        let session = try self.session(frames: 1)
        try await StubServer.withServer { server in
            let run = ["run", session, "--port", "\(server.port)"]
            let outcome = try await Program("glyphwire-replay", run, environment: ["GLYPHWIRE_TOKEN_FILE": ""]).wait()
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
        }
    }

    @Test func resultsAreExpectedOfTheNextRun() async throws {
        let session = try self.session()
        let lines = try self.folder.file("alone.ndjson")
        let script: StubServer.Script = { connection, message in
            connection.answer(message, text: connection.number == 0 ? "EXIT" : "EX1T")
        }
        try await StubServer.withServer(script: script) { server in
            let run = ["run", session, "--port", "\(server.port)"]
            #expect(try await Self.replay(run + ["--results", lines]).exitCode == 0)
            let outcome = try await Self.replay(run + ["--expect", lines, "--fail-if", "differing>0"])
            #expect(outcome.exitCode == 99)
            #expect(outcome.output.contains("0 as expected, 20 different"))
        }
    }

    @Test func anExpectationOfOtherFramesIsAFailure() async throws {
        let session = try self.session()
        let other = try self.folder.file("other.gws", TestSession.bytes([TestSession.frame(101, captured: 1)]))
        let lines = try self.folder.file("other.ndjson")
        try await StubServer.withServer { server in
            let port = ["--port", "\(server.port)"]
            #expect(try await Self.replay(["run", other, "--results", lines] + port).exitCode == 0)
            let outcome = try await Self.replay(
                ["run", session, "--expect", lines, "--fail-if", "differing>0", "--fail-if", "not_read>0"] + port
            )
            #expect(outcome.exitCode == 99)
            #expect(outcome.output.contains("nothing was compared: 0 not read, 20 without an expectation"))
            #expect(outcome.errors.contains("failed: differing>0: the run has no differing"))
        }
    }

    @Test func runsBeforeOneThatFailsAreReported() async throws {
        let session = try self.session(frames: 3)
        let report = try self.folder.file("ramp.json")
        let hellos: @Sendable (Int) -> String = { $0 == 0 ? StubServer.hello() : "another server\n" }
        let outcome = try await StubServer.withServer(hellos: hellos) { server in
            try await Self.replay([
                "run", session, "--port", "\(server.port)", "--ramp", "1:2:1", "--loop", "1", "--report", report,
            ])
        }
        #expect(outcome.exitCode == 1)
        #expect(outcome.output.contains("frames      3 offered, 3 read, 100 %"), "\(outcome.output)")
        #expect(outcome.errors.contains("is not a Glyphwire server"), "\(outcome.errors)")
        #expect(try LoadReport(path: report).runs.map(\.frames.ok) == [3])
    }

    @Test func aSearchReportsHowManyConnectionsMeetALimit() async throws {
        let session = try self.session()
        let script: StubServer.Script = { connection, message in
            // Five runs: of 1, 2, 4, 4 again and 3 connections. The third and fourth have connections 3 to 10.
            let isSlow = (3...10).contains(connection.number)
            if isSlow, message.header.type == MessageType.frame.rawValue, message.header.sequence == 1 {
                let error = WireError(.jpegCorrupt, "")
                let result = FrameResult(
                    sequence: 1,
                    capturedMicroseconds: 0,
                    outcome: .error(error),
                    timings: FrameTimings()
                )
                return connection.send(.result(result))
            }
            connection.answer(message)
        }
        let outcome = try await StubServer.withServer(script: script) { server in
            try await Self.replay([
                "run", session, "--port", "\(server.port)", "--find-limit", "p96=100s", "--at-most", "4", "--loop", "1",
            ])
        }
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("3 connections (as recorded) meet p96=100s; 4 do not."), "\(outcome.output)")
    }

    @Test func sessionsAreRecordedInspectedCutMergedAndExported() async throws {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9]
        let stream = try self.folder.file("stream.mjpeg", jpeg + jpeg + jpeg.dropLast(2))
        let (live, cut, merged) = (
            try self.folder.file("live.gws"), try self.folder.file("cut.gws"), try self.folder.file("merged.gws")
        )
        let recorded = try await Self.replay(["record", "-", "--fps", "10", "-o", live], input: stream)
        #expect(recorded.exitCode == 0)
        #expect(recorded.output.hasPrefix("2 frames, "))
        #expect(recorded.errors.contains("1 frame damaged or cut off"))
        let info = try await Self.replay(["info", live])
        #expect(info.output.contains("0.20 s, 10.0 frames/s"))
        #expect(try await Self.replay(["cut", live, "--frames", "2", "-o", cut]).output.hasPrefix("1 frame, "))
        #expect(try await Self.replay(["merge", cut, live, cut, "-o", merged]).output.hasPrefix("4 frames, "))
        let pictures = try self.folder.file("pictures")
        #expect(try await Self.replay(["export", merged, "-o", "\(pictures)/"]).exitCode == 0)
        #expect(try TemporaryFolder.names(in: pictures).count == 4)
        #expect(try TemporaryFolder.bytes(of: "\(pictures)/frame-000004.jpg") == jpeg)
    }

    @Test(arguments: [
        (["run"], 64, "session"),
        (["run", "a.gws", "--speed", "2", "--rate", "3"], 64, "--max-in-flight"),
        (["run", "a.gws", "--arrivals", "poisson"], 64, "--rate"),
        (["run", "a.gws", "--fail-if", "speed>1"], 64, "p99_ms"),
        (["run", "a.gws", "--ramp", "4:1:1"], 64, "START:END:STEP"),
        (["run", "a.gws", "--find-limit", "fast"], 64, "p99=100ms"),
        (["run", "a.gws", "--report", "a.pdf"], 64, ".html"),
        (["run", "a.gws", "--corrupt", "0%"], 64, "percentage"),
        (["run", "a.gws", "--option", "=auto"], 64, "name=value"),
        (["run", "a.gws", "--region", "0,0.8,abc,1,0.2"], 64, "0,0.8,abc"),
        (["run", "a.gws", "--token-file", "/"], 1, "Is a directory"),
        (["run", "a.gws", "--token-file", "/nowhere/token"], 1, "write the server's token into it"),
        (["run", "a.gws", "--warmup", "5", "--duration", "5"], 64, "--warmup"),
        (["run", "a.gws", "--fail-if", "keep_up<99"], 64, "99%"),
        (["run", "a.gws", "--find-limit", "p99=1s", "--deadline", "100"], 64, "--deadline"),
        (["run", "a.gws", "--report", "/nowhere/a.json"], 1, "/nowhere/a.json"),
        (["run", "a.gws", "--results", "/nowhere/a.ndjson"], 1, "/nowhere/a.ndjson"),
        (["run", "/nowhere/a.gws"], 1, "/nowhere/a.gws"),
        (["record", "-o", "a.gws"], 64, "--proxy"),
        (["record", "--proxy", "localhost", "-o", "a.gws"], 64, "host:port"),
        (["record", "/nowhere/a.mp4", "-o", "/nowhere/a.gws"], 1, "ff"),
        (["info", "/dev/null"], 1, "no session"),
        (["cut", "a.gws", "--start", "3", "--until", "2", "-o", "b.gws"], 64, "--until"),
        (["cut", "a.gws", "--frames", "3-1", "-o", "b.gws"], 64, "10-20"),
        (["compare", "/dev/null", "/dev/null"], 1, "--report"),
    ])
    func invalidArgumentsAreReported(arguments: [String], exitCode: Int32, hint: String) async throws {
        let outcome = try await Self.replay(arguments)
        #expect(outcome.exitCode == exitCode, "\(outcome.errors)")
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(!outcome.errors.contains("Fatal error"))
    }

    @Test func everyCommandExplainsItself() async throws {
        for command in ["run", "record", "info", "cut", "merge", "export", "compare"] {
            let outcome = try await Self.replay([command, "--help"])
            #expect(outcome.exitCode == 0)
            #expect(outcome.output.contains("USAGE: glyphwire-replay \(command)"))
        }
    }

    @Test func theProxyListensBesideTheServersPorts() async throws {
        // A server has 7411 for frames, and in every example 7412 for HTTP.
        #expect(try await Self.replay(["record", "--help"]).output.contains("(default: 7413)"))
    }

    @Test func everyMetricIsExplained() async throws {
        let help = try await Self.replay(["run", "--help"]).output
        for metric in Metric.all { #expect(help.contains("\(metric.name) ") && help.contains(metric.meaning)) }
    }
}
