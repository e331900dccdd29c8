import FoundationEssentials
import Glibc
import GlyphwireProtocol
import StubServer
import TestSupport
import Testing

@testable import GlyphwireReplay

/// What the commands do to the files that they read, and to those that are there before.
@Suite(.timeLimit(.minutes(2))) struct OutputTests {
    /// How the output of a command is named, which is its input.
    enum Name: CaseIterable {
        case same
        case symbolicLink
        case hardLink
    }

    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 1, 2, 3, 0xFF, 0xD9]

    private let folder: TemporaryFolder

    init() throws {
        self.folder = try TemporaryFolder()
    }

    private static func replay(_ arguments: [String], input: String = "/dev/null") async throws -> Program.Outcome {
        try await Program("glyphwire-replay", arguments, standardInput: input).wait()
    }

    private func session(_ name: String, frames: Int = 3) throws -> String {
        try self.folder.file(name, TestSession.bytes(TestSession.frames(frames, gap: .milliseconds(5)) + [.end()]))
    }

    /// Another name of the file at `path`, with the same end.
    private func alias(of path: String, as name: Name) throws -> String {
        let alias = try self.folder.file("alias-\(path.split(separator: "/").last ?? "")")
        switch name {
        case .same: return path
        case .symbolicLink: #expect(symlink(path, alias) == 0)
        case .hardLink: #expect(link(path, alias) == 0)
        }
        return alias
    }

    private func expectRefusal(_ arguments: [String], of path: String, input: String = "/dev/null") async throws {
        let (bytes, names) = (try TemporaryFolder.bytes(of: path), try TemporaryFolder.names(in: self.folder.path))
        let outcome = try await Self.replay(arguments, input: input)
        #expect(outcome.exitCode == 1, "\(arguments)")
        #expect(outcome.output == "")
        #expect(outcome.errors.contains("is the same file as"), "\(outcome.errors)")
        #expect(try TemporaryFolder.bytes(of: path) == bytes)
        #expect(try TemporaryFolder.names(in: self.folder.path) == names)
    }

    @Test(arguments: Name.allCases) func aRunDoesNotReplaceWhatItReads(name: Name) async throws {
        for end in ["json", "csv", "html"] {
            let session = try self.session("report.\(end)")
            let alias = try self.alias(of: session, as: name)
            try await self.expectRefusal(["run", session, "--report", alias], of: session)
        }
        let session = try self.session("walk.gws")
        let alias = try self.alias(of: session, as: name)
        try await self.expectRefusal(["run", session, "--results", alias], of: session)
        let lines = try self.folder.file("lines.ndjson")
        try await StubServer.withServer { server in
            let outcome = try await Self.replay(["run", session, "--port", "\(server.port)", "--results", lines])
            #expect(outcome.exitCode == 0)
        }
        let other = try self.alias(of: lines, as: name)
        try await self.expectRefusal(["run", session, "--expect", lines, "--results", other], of: lines)
    }

    @Test func aNumberedFileDoesNotReplaceTheSession() async throws {
        let session = try self.session("walk.2.gws")
        let results = try self.folder.file("walk.gws")
        try await self.expectRefusal(["run", session, "--connections", "2", "--results", results], of: session)
    }

    @Test(arguments: Name.allCases) func aSessionIsNotCutOrMergedIntoItself(name: Name) async throws {
        let (first, second) = (try self.session("1.gws"), try self.session("2.gws"))
        let alias = try self.alias(of: second, as: name)
        try await self.expectRefusal(["cut", second, "--frames", "1", "-o", alias], of: second)
        try await self.expectRefusal(["merge", first, second, "-o", alias], of: second)
    }

    @Test(arguments: Name.allCases) func aPictureOrStreamIsNotRecordedIntoItself(name: Name) async throws {
        for file in ["sign.jpg", "stream.mjpeg"] {
            let path = try self.folder.file(file, Self.jpeg)
            let alias = try self.alias(of: path, as: name)
            let isStream = file.hasSuffix("mjpeg")
            try await self.expectRefusal(
                ["record", isStream ? "-" : path, "-o", alias],
                of: path,
                input: isStream ? path : "/dev/null"
            )
        }
    }

    @Test func aVideoThatCannotBeRecordedStays() async throws {
        let film = try self.folder.file("film.mp4", Array("film".utf8))
        #expect(try await Self.replay(["record", film, "--fps", "5", "-o", film]).exitCode == 1)
        #expect(try TemporaryFolder.text(of: film) == "film")
    }

    @Test func theSessionInTheFolderOfItsPicturesStays() async throws {
        let session = try self.session("walk.gws")
        let pictures = try self.folder.file("pictures")
        #expect(mkdir(pictures, 0o700) == 0 && link(session, "\(pictures)/frame-000001.jpg") == 0)
        try await self.expectRefusal(["export", session, "-o", pictures], of: session)
        #expect(try TemporaryFolder.names(in: pictures) == ["frame-000001.jpg"])
    }

    @Test(arguments: [
        ["cut", "walk.gws", "--start", "1000", "-o", "old"], ["cut", "gone.gws", "-o", "old"],
        ["cut", "text", "-o", "old"], ["merge", "walk.gws", "gone.gws", "-o", "old"], ["merge", "text", "-o", "old"],
        ["record", "gone.jpg", "-o", "old"], ["record", "sign.jpg", "text", "-o", "old"], ["record", "-", "-o", "old"],
        ["record", "text.mp4", "-o", "old"], ["run", "walk.gws", "--port", "1", "--results", "old"],
        ["run", "gone.gws", "--results", "old"], ["run", "text", "--report", "old.json", "--report", "old.csv"],
        ["run", "walk.gws", "--start", "1000", "--report", "old.html"],
    ])
    func aCommandThatFailsLeavesTheOldFile(arguments: [String]) async throws {
        _ = try self.session("walk.gws")
        _ = try self.folder.file("sign.jpg", Self.jpeg)
        let old = ["old", "old.json", "old.csv", "old.html"]
        for name in ["text", "text.mp4"] + old { _ = try self.folder.file(name, Array("old".utf8)) }
        let names = try TemporaryFolder.names(in: self.folder.path)
        let paths = arguments.map { names.contains($0) || $0.hasPrefix("gone") ? "\(self.folder.path)/\($0)" : $0 }
        let outcome = try await Self.replay(paths)
        #expect(outcome.exitCode == 1, "\(arguments): \(outcome.errors)")
        #expect(try TemporaryFolder.names(in: self.folder.path) == names)
        for name in old { #expect(try TemporaryFolder.text(of: "\(self.folder.path)/\(name)") == "old") }
    }

    @Test func aRunWithoutAMeasuredFrameFails() async throws {
        let session = try self.session("walk.gws")
        let outcome = try await StubServer.withServer { server in
            try await Self.replay(["run", session, "--port", "\(server.port)", "--warmup", "60"])
        }
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("no frame was offered"), "\(outcome.errors)")
    }

    @Test func aRecordingThatIsInterruptedIsKept() async throws {
        let pipe = try self.folder.file("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        // Both ends are open, so that neither side waits for the other, and the stream does not end.
        let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        let output = try self.folder.file("live.gws", Array("old".utf8))
        let recording = try Program("glyphwire-replay", ["record", "-", "-o", output], standardInput: pipe)
        // Three times what a pipe holds: when it is written, frames have been recorded.
        let stream = try self.folder.file("stream.mjpeg", Array((0..<20_000).map { _ in Self.jpeg }.joined()))
        let shell = try #require(Program.system("sh"))
        let copied = try await Program(shell, ["-c", "cat '\(stream)' > '\(pipe)'"]).wait()
        #expect(copied.exitCode == 0)
        recording.signal(SIGINT)
        let outcome = await recording.wait()
        #expect(outcome.exitCode == 0 && outcome.output.contains(" frames, "), "\(outcome.errors)")
        #expect(try SessionInfo(path: output).frames > 0)
        #expect(try SessionInfo(path: output).notice == nil)
        #expect(try TemporaryFolder.names(in: self.folder.path) == ["live.gws", "pipe", "stream.mjpeg"])
    }

    @Test(arguments: ["info walk.gws", "cut walk.gws -o part.gws", "export walk.gws -o pictures"])
    func outputThatCannotBeWrittenIsAnError(arguments: String) async throws {
        _ = try self.session("walk.gws")
        let program = try Program.path(of: "glyphwire-replay")
        let shell = try #require(Program.system("sh"))
        let command = "cd '\(self.folder.path)' && '\(program)' \(arguments) > /dev/full"
        let outcome = try await Program(shell, ["-c", command]).wait()
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("standard output cannot be written: No space left on device"))
    }

    @Test func aReportThatCannotBeWrittenIsAnErrorAfterAllElseIsDone() async throws {
        let session = try self.session("walk.gws")
        let report = try self.folder.file("report.json")
        let program = try Program.path(of: "glyphwire-replay")
        let shell = try #require(Program.system("sh"))
        let outcome = try await StubServer.withServer { server in
            let run = "'\(program)' run '\(session)' --port \(server.port) --print-text --report '\(report)'"
            return try await Program(shell, ["-c", "\(run) > /dev/full"]).wait()
        }
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("standard output cannot be written: No space left on device"))
        #expect(try LoadReport(path: report).runs.map(\.frames.ok) == [3])
    }
}
