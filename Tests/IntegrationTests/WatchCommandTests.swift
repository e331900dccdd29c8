import Foundation
import Glibc
import GlyphwireProtocol
import GlyphwireServer
import ImageCodecs
import StubServer
import TestSupport
import TextRecognition
import Testing

/// The command `glyphwire watch` with a server that accepts less than its sources have.
@Suite(.timeLimit(.minutes(3))) struct WatchCommandTests {
    /// Largest message that the server of a test accepts.
    private static let maxMessageBytes = 20_000

    private static func jpeg(width: Int, height: Int) throws -> [UInt8] {
        try PixelBuffer(width: width, height: height, format: .gray).withPixels { try JPEGEncoder().encode($0) }
    }

    /// Number of lines that say that a picture is too large.
    private static func warnings(in log: String) -> Int {
        log.split(separator: "\n").count {
            $0.contains("picture not read") && $0.contains("accepts at most \(Self.maxMessageBytes)")
        }
    }

    @Test func aPictureThatIsTooLargeIsReportedOnceAndTheNextIsRead() async throws {
        let small = try Self.jpeg(width: 64, height: 48)
        let large = small + [UInt8](repeating: 0, count: Self.maxMessageBytes)
        let (readings, reading) = AsyncStream.makeStream(of: Void.self)
        let reader: StubReader.Body = { _, _, _ in
            reading.yield()
            return .text("EXIT")
        }
        let script: StubCamera.Script = { request in
            [.answer(headers: ["Content-Type: image/jpeg"], body: request.index < 3 ? large : small)]
        }
        try await TestServer.run({ $0.limits.wire.maxMessageBytes = Self.maxMessageBytes }, reader: reader) { server in
            try await StubCamera.run(script) { camera in
                let watch = try Program(
                    "glyphwire",
                    [
                        "watch", "http://127.0.0.1:\(camera.port)/", "--every", "10ms",
                        "--server", "127.0.0.1:\(server.port)",
                    ]
                )
                for await _ in readings { break }
                watch.signal(SIGTERM)
                let outcome = await watch.wait()
                #expect(outcome.exitCode == 0)
                #expect(Self.warnings(in: outcome.errors) == 1, "\(outcome.errors)")
            }
        }
    }

    @Test func aSnapshotThatIsDamagedIsLoggedOnceAndNoReasonToBeOffline() async throws {
        let picture = try Self.jpeg(width: 64, height: 48)
        let script: StubCamera.Script = { request in
            [.answer(headers: ["Content-Type: image/jpeg"], body: request.index < 3 ? [] : picture)]
        }
        try await TestServer.run({ _ in }, reader: { _, _, _ in .text("EXIT") }) { server in
            try await StubCamera.run(script) { camera in
                let arguments = ["watch", "http://127.0.0.1:\(camera.port)/", "--every", "10ms"]
                let watch = try Program("glyphwire", arguments + ["--server", "127.0.0.1:\(server.port)"])
                var lines: [String] = []
                while lines.last?.contains("appeared") != true, let line = await watch.nextLine() { lines.append(line) }
                watch.signal(SIGTERM)
                let outcome = await watch.wait()
                #expect(outcome.exitCode == 0)
                lines += outcome.output.split(separator: "\n").map(String.init)
                #expect(lines.count { $0.contains(#""type":"online""#) } == 1, "\(lines)")
                #expect(!lines.contains { $0.contains(#""type":"offline""#) }, "\(lines)")
                let warnings = outcome.errors.split(separator: "\n").filter { $0.contains("picture not read") }
                #expect(warnings.count == 1 && warnings.allSatisfy { $0.contains("the file is empty") }, "\(warnings)")
            }
        }
    }

    @Test func theLogIsWholeInAPipeThatDoesNotBlock() async throws {
        // Longer than a pipe, which takes the line in parts.
        let name = String(repeating: "x", count: 100_000)
        let picture = try Self.jpeg(width: 64, height: 48)
        let script: StubCamera.Script = { _ in [.answer(headers: ["Content-Type: image/jpeg"], body: picture)] }
        try await TestServer.run(reader: { _, _, _ in .text("EXIT") }) { server in
            try await StubCamera.run(script) { camera in
                let source = "\(name)=http://127.0.0.1:\(camera.port)/"
                let arguments = ["watch", source, "--server", "127.0.0.1:\(server.port)"]
                // Events would come between the parts of the line.
                let shell = ["-c", #"exec "$@" > /dev/null"#, "sh", try Program.path(of: "glyphwire")]
                let watch = try Program("/bin/sh", shell + arguments, sharesPipe: true)
                let line = try #require(await watch.nextLine())
                #expect(line.contains(" source=\(name) "), "\(line.prefix(100))")
                #expect(line.hasSuffix("source is online"), "\(line.suffix(100))")
                watch.signal(SIGTERM)
                #expect(await watch.wait().exitCode == 0)
            }
        }
    }

    @Test func moreSourcesAreWatchedThanTheSoftLimitOfOpenFilesHasRoomFor() async throws {
        let count = 48
        let picture = try Self.jpeg(width: 64, height: 48)
        let script: StubCamera.Script = { _ in [.answer(headers: ["Content-Type: image/jpeg"], body: picture)] }
        try await StubServer.withServer { server in
            try await StubCamera.run(script) { camera in
                let sources = (0..<count).map { "gate\($0)=http://127.0.0.1:\(camera.port)/" }
                let shell = ["-c", #"ulimit -S -n 64; exec "$@""#, "sh", try Program.path(of: "glyphwire"), "watch"]
                let watch = try Program("/bin/sh", shell + sources + ["--server", "127.0.0.1:\(server.port)"])
                var online: Set<Substring> = []
                while online.count < count, let line = await watch.nextLine(), !line.contains(#""type":"offline""#) {
                    let match = line.firstMatch(of: /"type":"online","source":"(gate[0-9]+)"/)
                    if let match { online.insert(match.1) }
                }
                #expect(online.count == count)
                watch.signal(SIGTERM)
                #expect(await watch.wait().exitCode == 0)
            }
        }
    }

    /// Runs `body` with a folder that is removed afterwards.
    private static func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @Test(.enabled(if: Program.system("ffprobe") != nil, "ffprobe is missing"))
    func aFileThatIsStillExaminedDoesNotKeepTheProgramFromEnding() async throws {
        try await Self.withFolder { folder in
            let film = try NamedPipe(path: folder.appending(path: "film.avi").path())
            let watch = try Program("glyphwire", ["watch", film.path, "--server", "127.0.0.1:9"])
            // Nothing comes, as from a disk of the network that is gone.
            let reader = await film.opened()
            watch.signal(SIGTERM)
            let outcome = await watch.wait()
            #expect(outcome.exitCode == 0 && outcome.output == "", "\(outcome.errors)")
            try reader.close()
        }
    }

    @Test(.enabled(if: Program.system("ffmpeg") != nil, "ffmpeg is missing"))
    func aFilmOfPicturesThatAreTooLargeEnds() async throws {
        try await Self.withFolder { folder in
            let film = folder.appending(path: "film.avi").path()
            let source = "testsrc=size=320x240:rate=5:duration=1"
            let ffmpeg = try #require(Program.system("ffmpeg"))
            let recording = try Program(ffmpeg, ["-v", "error", "-f", "lavfi", "-i", source, "-c:v", "mjpeg", film])
            #expect(await recording.wait().exitCode == 0)
            try await TestServer.run({ $0.limits.wire.maxMessageBytes = Self.maxMessageBytes }) { server in
                let arguments = ["watch", film, "--server", "127.0.0.1:\(server.port)"]
                let outcome = await (try Program("glyphwire", arguments)).wait()
                #expect(outcome.exitCode == 0)
                #expect(Self.warnings(in: outcome.errors) == 1, "\(outcome.errors)")
            }
        }
    }
}
