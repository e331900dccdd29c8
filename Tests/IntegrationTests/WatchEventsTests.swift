import Foundation
import Glibc
import GlyphwireProtocol
import ImageCodecs
import NIOConcurrencyHelpers
import StubServer
import TestSupport
import Testing
import TextModel
import TextRecognition

/// The events of `glyphwire watch`: their order, and what becomes of them where the options change.
@Suite(.timeLimit(.minutes(3))) struct WatchEventsTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")

    private static func jpeg(shade: UInt8) throws -> [UInt8] {
        var picture = PixelBuffer(width: 64, height: 48, format: .gray)
        picture.withMutableBytes { bytes in
            for index in 0..<bytes.count { bytes[index] = shade }
        }
        return try picture.withPixels { try JPEGEncoder().encode($0) }
    }

    /// Two pictures that differ in every pixel, one after the other.
    private static func pictures() throws -> StubCamera.Script {
        let pictures = [try Self.jpeg(shade: 0), try Self.jpeg(shade: 255)]
        return { request in
            [.answer(headers: ["Content-Type: image/jpeg"], body: pictures[request.index % pictures.count])]
        }
    }

    /// Writes the file with a camera, of which each picture is read by itself.
    ///
    /// - Returns: Its path.
    private func writeSources(name: String = "gate", camera: StubCamera, find: [String]) throws -> String {
        let options: [String: Any] = ["temporal": false, "find": find]
        return try self.writeSources(name: name, address: "http://127.0.0.1:\(camera.port)/", options: options)
    }

    /// Writes the file with one source.
    ///
    /// - Returns: Its path.
    private func writeSources(name: String = "gate", address: String, options: [String: Any] = [:]) throws -> String {
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        let source: [String: Any] = ["name": name, "address": address, "every": "10ms", "options": options]
        let file = self.folder.appending(path: "sources.json")
        try JSONSerialization.data(withJSONObject: ["sources": [source]]).write(to: file)
        return file.path()
    }

    /// Films a test picture for four seconds.
    ///
    /// - Returns: The path of the film.
    private func film() async throws -> String {
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        let path = self.folder.appending(path: "film.avi").path()
        let pictures = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=4"]
        let ffmpeg = try #require(Program.system("ffmpeg"))
        let recording = try Program(ffmpeg, ["-v", "error"] + pictures + ["-c:v", "mjpeg", path])
        #expect(await recording.wait().exitCode == 0)
        return path
    }

    private func removeFolder() { try? FileManager.default.removeItem(at: self.folder) }

    /// The next event.
    private static func event(of watch: Program) async throws -> [String: Any] {
        let line = try #require(await watch.nextLine())
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// The type, id and pattern of the next event.
    private static func shortEvent(of watch: Program) async throws -> String {
        let event = try await Self.event(of: watch)
        return ["type", "id", "pattern"].compactMap { event[$0].map { "\($0)" } }.joined(separator: " ")
    }

    /// Waits until pictures are read that were taken from now on.
    private static func wait(for readings: AsyncStream<Void>) async {
        var count = 0
        for await _ in readings {
            count += 1
            // The first one may have been read before, and the last one is not answered yet.
            if count == 4 { break }
        }
    }

    @Test func aSourceIsOnlineBeforeItsTextsAndOfflineAfterThem() async throws {
        let gate = Gate()
        let reader: StubReader.Body = { _, _, _ in
            gate.wait()
            return .text("EXIT")
        }
        let (failures, failure) = AsyncStream.makeStream(of: Void.self)
        let pictures = try Self.pictures()
        let script: StubCamera.Script = { request in
            if request.index == 0 { return pictures(request) }
            failure.yield()
            return [.answer("503 Service Unavailable")]
        }
        try await TestServer.run(reader: reader) { server in
            try await StubCamera.run(script) { camera in
                let arguments = ["http://127.0.0.1:\(camera.port)/", "--every", "10ms"]
                let watch = try Program(
                    "glyphwire",
                    ["watch"] + arguments + ["--server", "127.0.0.1:\(server.port)"]
                )
                for await _ in failures { break }
                gate.open()
                var events: [[String: Any]] = []
                for _ in 0..<3 { events.append(try await Self.event(of: watch)) }
                #expect(events.map { $0["type"] as? String } == ["online", "appeared", "offline"])
                let times = events.compactMap { $0["time"] as? String }
                #expect(times.count == 3 && times == times.sorted(), "\(times)")
                watch.signal(SIGTERM)
                #expect(await watch.wait().exitCode == 0)
            }
        }
    }

    @Test func textsOfPatternsThatAreNoLongerSearchedAreLostByTheirNamesAndTheOthersStay() async throws {
        defer { self.removeFolder() }
        let (readings, reading) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let reader: StubReader.Body = { _, _, _ in
            reading.yield()
            return .text("ALPHA")
        }
        try await TestServer.run(reader: reader) { server in
            try await StubCamera.run(try Self.pictures()) { camera in
                let path = try self.writeSources(camera: camera, find: ["alpha", "/[A-Z]+/"])
                let watch = try Program(
                    "glyphwire",
                    ["watch", "--config", path, "--server", "127.0.0.1:\(server.port)"]
                )
                var events: [String] = []
                for _ in 0..<3 { events.append(try await Self.shortEvent(of: watch)) }
                #expect(events == ["online", "appeared 1 alpha", "appeared 2 /[A-Z]+/"])
                _ = try self.writeSources(camera: camera, find: ["zzz", "alpha"])
                watch.signal(SIGHUP)
                #expect(try await Self.shortEvent(of: watch) == "lost 2 /[A-Z]+/")
                #expect(try await Self.shortEvent(of: watch) == "online")
                await Self.wait(for: readings)
                watch.signal(SIGTERM)
                let outcome = await watch.wait()
                #expect(outcome.exitCode == 0)
                #expect(outcome.output == "")
            }
        }
    }

    @Test(.enabled(if: Program.system("ffmpeg") != nil, "ffmpeg is missing"), arguments: [true, false])
    func theTextsOfAFilmThatFailsWithNewOptionsAreLost(isRefused: Bool) async throws {
        defer { self.removeFolder() }
        let hasAnswered = NIOLockedValueBox(false)
        let script: StubServer.Script = { connection, message in
            switch (connection.number, MessageType(rawValue: message.header.type)) {
            case (0, .frame?):
                // The film does not end: it waits for the answer to its second picture.
                let isFirst = hasAnswered.withLockedValue { hasAnswered in
                    defer { hasAnswered = true }
                    return !hasAnswered
                }
                if isFirst { connection.answer(message) }
            case (1, .configure?):
                let error = WireError(.levelUnavailable, "no such level")
                connection.send(.error(ErrorLine(error: error, sequence: message.header.sequence)))
            default: connection.answer(message)
            }
        }
        try await StubServer.withServer(script: script) { server in
            let film = try await self.film()
            let path = try self.writeSources(address: film)
            let arguments = ["watch", "--config", path, "--server", "127.0.0.1:\(server.port)"]
            let watch = try Program("glyphwire", arguments)
            #expect(try await Self.shortEvent(of: watch) == "appeared 1")
            // The file of the sources is no video.
            let (address, level) = isRefused ? (film, "accurate") : (path, "fast")
            _ = try self.writeSources(address: address, options: ["level": level])
            watch.signal(SIGHUP)
            #expect(try await Self.shortEvent(of: watch) == "lost 1")
            let outcome = await watch.wait()
            #expect(outcome.exitCode == 1 && outcome.output == "")
            #expect(outcome.errors.contains("source failed"), "\(outcome.errors)")
        }
    }

    @Test func aSearchThatIsNotCompleteIsLoggedOnce() async throws {
        defer { self.removeFolder() }
        let (readings, reading) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let reader: StubReader.Body = { _, _, _ in
            reading.yield()
            var page = Reading.text(String(repeating: "x", count: 100))
            page.lines = Array(repeating: page.lines[0], count: 80)
            return page
        }
        try await TestServer.run(reader: reader) { server in
            try await StubCamera.run(try Self.pictures()) { camera in
                let path = try self.writeSources(camera: camera, find: ["/.{0,99}.{0,99}.{0,99}.{0,50}Q/"])
                let watch = try Program(
                    "glyphwire",
                    ["watch", "--config", path, "--server", "127.0.0.1:\(server.port)"]
                )
                await Self.wait(for: readings)
                watch.signal(SIGTERM)
                let outcome = await watch.wait()
                #expect(outcome.exitCode == 0)
                let count = outcome.errors.split(separator: "\n").count { $0.contains("not searched completely") }
                #expect(count == 1, "\(outcome.errors)")
            }
        }
    }

    @Test(arguments: [
        (#"{"sources":[],"sources":[]}"#, #"it has "sources" twice"#),
        (#"{"sources":[{"address":"rtsp://a","address":"rtsp://b"}]}"#, #"a source has "address" twice"#),
    ])
    func aMemberThatIsGivenTwiceIsRefused(text: String, mistake: String) async throws {
        defer { self.removeFolder() }
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        let file = self.folder.appending(path: "sources.json")
        try Data(text.utf8).write(to: file)
        let outcome = await (try Program("glyphwire", ["watch", "--config", file.path()])).wait()
        #expect(outcome.exitCode > 0 && outcome.errors.contains(mistake), "\(outcome.errors)")
    }

    @Test(arguments: ["", "a\u{7}"])
    func aNameThatCannotStandInEventsIsRefused(name: String) async throws {
        defer { self.removeFolder() }
        try await StubCamera.run(try Self.pictures()) { camera in
            let path = try self.writeSources(name: name, camera: camera, find: [])
            let outcome = await (try Program("glyphwire", ["watch", "--config", path])).wait()
            #expect(outcome.exitCode > 0)
            #expect(outcome.errors.contains("A source cannot be called \(name.debugDescription)"), "\(outcome.errors)")
        }
    }
}
