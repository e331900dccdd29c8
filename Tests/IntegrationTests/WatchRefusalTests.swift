import Foundation
import Glibc
import GlyphwireProtocol
import GlyphwireServer
import ImageCodecs
import NIOConcurrencyHelpers
import StubServer
import TestSupport
import TextRecognition
import Testing

/// The command `glyphwire watch` with a server that refuses a source.
@Suite(.timeLimit(.minutes(3))) struct WatchRefusalTests {
    /// Events of a running `watch`, in the order of its output.
    private struct Events {
        struct Ended: Error {}

        let watch: Program
        private(set) var seen: [String] = []

        init(of watch: Program) { self.watch = watch }

        /// Types of the events that were seen.
        var types: [String] {
            self.seen.map { String($0.dropFirst(#"{"type":""#.count).prefix(while: { $0 != "\"" })) }
        }

        /// Waits until a source has had so many events of this type in all.
        mutating func wait(for type: String, of source: String, count: Int = 1) async throws {
            while Self.filter(self.seen, type, of: source).count < count {
                guard let line = await self.watch.nextLine() else { throw Ended() }
                self.seen.append(line)
            }
        }

        static func filter(_ lines: [String], _ type: String, of source: String) -> [String] {
            lines.filter { $0.hasPrefix(#"{"type":"\#(type)","source":"\#(source)","#) }
        }
    }

    private static func jpeg(level: UInt8) throws -> [UInt8] {
        var pixels = PixelBuffer(width: 64, height: 48, format: .gray)
        pixels.withMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = level }
        }
        return try pixels.withPixels { try JPEGEncoder().encode($0) }
    }

    /// Runs `body` with a camera that shows a dark picture, or a bright one once `isBright` is set.
    private static func withCamera(
        isBright: NIOLockedValueBox<Bool> = NIOLockedValueBox(false),
        _ body: (StubCamera) async throws -> Void
    ) async throws {
        let (dark, bright) = (try Self.jpeg(level: 0), try Self.jpeg(level: 255))
        let script: StubCamera.Script = { _ in
            let body = isBright.withLockedValue(\.self) ? bright : dark
            return [.answer(headers: ["Content-Type: image/jpeg"], body: body)]
        }
        try await StubCamera.run(script, body)
    }

    private static func withFolder(_ body: (String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.path())
    }

    /// Runs `watch` with a file of sources: a name of each, and the options.
    private static func withWatch(
        _ sources: [(name: String, options: String)],
        camera: Int,
        server: Int,
        _ arguments: [String] = [],
        _ body: (Program) async throws -> Void
    ) async throws {
        try await Self.withFolder { folder in
            let entries = sources.map { source in
                #"{"name":"\#(source.name)","address":"http://127.0.0.1:\#(camera)/","every":"10ms","#
                    + #""options":\#(source.options)}"#
            }
            let file = "\(folder)/cameras.json"
            try Data(#"{"sources":[\#(entries.joined(separator: ","))]}"#.utf8).write(to: URL(filePath: file))
            let options = ["--config", file, "--server", "127.0.0.1:\(server)"] + arguments
            try await body(Program("glyphwire", ["watch"] + options))
        }
    }

    /// Closes the first connection at a frame, and refuses the options of the second one.
    private static func refusesOnce(_ error: WireError) -> StubServer.Script {
        { connection, message in
            switch (connection.number, MessageType(rawValue: message.header.type)) {
            case (0, .frame?): connection.close()
            case (1, .configure?):
                connection.send(.error(ErrorLine(error: error, sequence: message.header.sequence)))
                if error.code.isFatal { connection.close() }
            case (1, _): break
            default: connection.answer(message)
            }
        }
    }

    @Test func aSourceThatIsRefusedForNowIsOfflineUntilItIsAccepted() async throws {
        let script = Self.refusesOnce(WireError(.tooManyConnections, "no room"))
        try await StubServer.withServer(script: script) { server in
            try await Self.withCamera { camera in
                let arguments = ["watch", "gate=http://127.0.0.1:\(camera.port)/", "--every", "10ms"]
                let watch = try Program("glyphwire", arguments + ["--server", "127.0.0.1:\(server.port)"])
                var events = Events(of: watch)
                try await events.wait(for: "appeared", of: "gate")
                #expect(events.types == ["online", "offline", "online", "appeared"], "\(events.seen)")
                watch.signal(SIGTERM)
                let outcome = await watch.wait()
                #expect(outcome.exitCode == 0)
                let lines = events.seen + outcome.output.split(separator: "\n").map(String.init)
                let offline = Events.filter(lines, "offline", of: "gate")
                #expect(offline.count == 1 && offline.allSatisfy { $0.contains("too_many_connections") }, "\(lines)")
                #expect(Events.filter(lines, "online", of: "gate").count == 2, "\(lines)")
                let log = outcome.errors.split(separator: "\n")
                #expect(log.count { $0.contains("the server refuses the source, and is tried again") } == 1, "\(log)")
            }
        }
    }

    @Test func aSourceThatIsRefusedForGoodIsOfflineUntilTheFilesAreReadAgain() async throws {
        let script = Self.refusesOnce(WireError(.levelUnavailable, "no such level"))
        try await StubServer.withServer(script: script) { server in
            try await Self.withCamera { camera in
                try await Self.withWatch([("gate", "{}")], camera: camera.port, server: server.port) { watch in
                    var events = Events(of: watch)
                    try await events.wait(for: "offline", of: "gate")
                    #expect(events.seen.last?.contains("level_unavailable") == true, "\(events.seen)")
                    watch.signal(SIGHUP)
                    try await events.wait(for: "appeared", of: "gate")
                    watch.signal(SIGTERM)
                    let outcome = await watch.wait()
                    #expect(outcome.exitCode == 0)
                    #expect(outcome.errors.contains("source failed"))
                }
            }
        }
    }

    @Test func theOthersGoOnWhenTheTokenOfOneSourceIsRevoked() async throws {
        let tokens = ["gate", "dock"].map { AccessToken("secret of the \($0)", name: $0) }
        let sources = ["gate", "dock"].map { (name: $0, options: #"{"token":"secret of the \#($0)"}"#) }
        let reader: StubReader.Body = { pixels, _, _ in .text(pixels.firstByte < 128 ? "NIGHT" : "DAY") }
        let isBright = NIOLockedValueBox(false)
        try await TestServer.run({ $0.tokens = tokens }, reader: reader) { server in
            try await Self.withCamera(isBright: isBright) { camera in
                try await Self.withWatch(sources, camera: camera.port, server: server.port) { watch in
                    var events = Events(of: watch)
                    for source in sources { try await events.wait(for: "appeared", of: source.name) }
                    server.replace(tokens: [tokens[1]])
                    try await events.wait(for: "offline", of: "gate")
                    #expect(events.seen.last?.contains("auth_failed") == true, "\(events.seen)")
                    isBright.withLockedValue { $0 = true }
                    try await events.wait(for: "appeared", of: "dock", count: 2)
                    #expect(Events.filter(events.seen, "appeared", of: "gate").count == 1)

                    server.replace(tokens: tokens)
                    watch.signal(SIGHUP)
                    try await events.wait(for: "online", of: "gate", count: 2)
                    try await events.wait(for: "appeared", of: "gate", count: 2)
                    watch.signal(SIGTERM)
                    #expect(await watch.wait().exitCode == 0)
                    #expect(Events.filter(events.seen, "online", of: "dock").count == 1)
                }
            }
        }
    }

    @Test func aSignalToReadTheFilesAgainIsKeptDuringTheStart() async throws {
        try await Self.withFolder { folder in
            let token = try NamedPipe(path: "\(folder)/token")
            // Neither the camera nor the server is needed for it.
            let arguments = ["watch", "gate=http://127.0.0.1:9/", "--server", "127.0.0.1:9"]
            let watch = try Program("glyphwire", arguments + ["--token-file", token.path], sharesPipe: true)
            let reader = await token.opened()
            watch.signal(SIGHUP)
            try token.replace(with: "secret", writingTo: reader)
            #expect(await watch.nextLine(with: "the sources were read again") != nil, "the program has ended")
            watch.signal(SIGTERM)
            #expect(await watch.wait().exitCode == 0)
        }
    }

    @Test func withoutFilesTheSignalEndsTheProgramAsATerminalThatIsClosedExpects() async throws {
        try await TestServer.run { server in
            try await Self.withCamera { camera in
                let arguments = ["watch", "gate=http://127.0.0.1:\(camera.port)/"]
                let watch = try Program("glyphwire", arguments + ["--server", "127.0.0.1:\(server.port)"])
                var events = Events(of: watch)
                try await events.wait(for: "online", of: "gate")
                watch.signal(SIGHUP)
                #expect(await watch.wait().exitCode == -SIGHUP)
            }
        }
    }

    @Test func aSourceThatIsRefusedAtTheStartEndsTheProgram() async throws {
        try await TestServer.run({ $0.tokens = [AccessToken("secret")] }) { server in
            try await Self.withCamera { camera in
                try await Self.withWatch([("gate", "{}")], camera: camera.port, server: server.port) { watch in
                    let outcome = await watch.wait()
                    #expect(outcome.exitCode == 1)
                    #expect(outcome.errors.contains("auth_required"), "\(outcome.errors)")
                }
            }
        }
    }

    /// Whether a message has the options of the source `name`.
    private static func isConfigure(_ message: Message, of name: String) -> Bool {
        message.header.type == MessageType.configure.rawValue
            && (try? StreamConfiguration(json: message.payload))?.client == name
    }

    @Test func eventsThatWaitAreDeliveredWhereAnotherSourceIsRefusedAtTheStart() async throws {
        let pause = StubCamera.Pause()
        let script: StubServer.Script = { connection, message in
            if Self.isConfigure(message, of: "dock") { return }
            if Self.isConfigure(message, of: "gate") { connection.whenClosed { pause.end() } }
            connection.answer(message)
        }
        // Busy with the first event until no source is watched any more.
        let receiver: StubCamera.Script = { $0.index == 0 ? [.wait(pause), .answer()] : [.answer()] }
        try await StubServer.withServer(script: script) { server in
            try await Self.withCamera { camera in
                try await StubCamera.run(receiver) { receiver in
                    let sources = ["gate", "dock"].map { (name: $0, options: "{}") }
                    let webhook = ["--webhook", "http://127.0.0.1:\(receiver.port)/"]
                    try await Self.withWatch(sources, camera: camera.port, server: server.port, webhook) { watch in
                        var events = Events(of: watch)
                        try await events.wait(for: "appeared", of: "gate")
                        while let (connection, message) = await server.next() {
                            guard Self.isConfigure(message, of: "dock") else { continue }
                            let error = WireError(.levelUnavailable, "no such level")
                            connection.send(.error(ErrorLine(error: error, sequence: message.header.sequence)))
                            break
                        }
                        let outcome = await watch.wait()
                        #expect(outcome.exitCode == 1 && outcome.errors.contains("level_unavailable"))
                        // The one that has appeared waited behind the one that is online.
                        #expect(receiver.requests.count > 1, "\(outcome.errors)")
                    }
                }
            }
        }
    }

    @Test(.enabled(if: Program.system("ffmpeg") != nil, "ffmpeg is missing"))
    func aFilmThatIsRefusedEnds() async throws {
        let ffmpeg = try #require(Program.system("ffmpeg"))
        let script = Self.refusesOnce(WireError(.levelUnavailable, "no such level"))
        try await StubServer.withServer(script: script) { server in
            try await Self.withFolder { folder in
                let film = "\(folder)/film.avi"
                let pictures = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=4"]
                let recording = try Program(ffmpeg, ["-v", "error"] + pictures + ["-c:v", "mjpeg", film])
                #expect(await recording.wait().exitCode == 0)
                let watch = try Program("glyphwire", ["watch", film, "--server", "127.0.0.1:\(server.port)"])
                let outcome = await watch.wait()
                #expect(outcome.exitCode == 1)
                #expect(outcome.errors.contains("source failed"), "\(outcome.errors)")
            }
        }
    }
}
