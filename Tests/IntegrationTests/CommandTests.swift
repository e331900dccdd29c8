import ImageCodecs
import Foundation
import FoundationNetworking
import Glibc
import GlyphwireProtocol
import TextModel
import NIOCore
import TestSupport
import Testing

/// The executable `glyphwire`.
@Suite(.timeLimit(.minutes(3))) struct CommandTests {
    private let models = ["GLYPHWIRE_MODELS": Engine.models]

    /// The port in the line that a ready server prints.
    private func port(of server: Program) async throws -> Int {
        let line = try #require(await server.nextLine())
        let match = try #require(
            try /glyphwire [0-9.]+ listening on 127\.0\.0\.1:([0-9]+) \(2 workers, fast and accurate\)/
                .wholeMatch(in: line),
            "\(line)"
        )
        return try #require(Int(match.1))
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func serveReportsReadinessAndFinishesWhatItAccepted(signal: Int32) async throws {
        let server = try Program(
            "glyphwire",
            ["serve", "--port", "0", "--workers", "2"],
            environment: self.models.merging(["GLYPHWIRE_PORT": "1"]) { $1 }
        )
        let client = try await TestClient.connect(port: try await self.port(of: server))
        #expect(try await client.nextLine()?.summary == "hello")
        let page = try Page()
        let frames = try (0..<4).map { try page.message(.jpeg, .up, sequence: $0) }
        try await client.send(([.configure(StreamConfiguration(delivery: .every))] + frames + [.gray(100)]).bytes)
        #expect(try await client.nextLine()?.summary == "configured 0")
        // The first result shows that all four frames were accepted: they arrived in the window of one read cycle.
        #expect(try await client.nextLine()?.summary.hasPrefix("0: Platform 4") == true)
        server.signal(signal)
        let lines = try await client.remainingLines().map(\.summary)
        #expect(lines.filter { $0 == "goaway 10000" }.count == 1)
        #expect(lines.filter { !$0.hasPrefix("goaway") }.prefix(3).map { $0.prefix(2) } == ["1:", "2:", "3:"])
        try await client.close()
        let outcome = await server.wait()
        #expect(outcome.exitCode == 0)
        #expect(outcome.output == "", "one line is all it prints")
        #expect(outcome.errors.contains("connection closed"))
    }

    /// The lines of `/metrics`.
    private func metrics(_ port: Int) async throws -> [String] {
        let client = try await TestClient.connect(port: port)
        try await client.send(
            ByteBuffer(string: "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        )
        var lines: [String] = []
        while let line = await client.nextText() { lines.append(line) }
        try await client.close()
        return lines
    }

    @Test func aFrameThatTakesLongerThanTheGraceIsAnsweredAndTheServerEndsAllTheSame() async throws {
        let server = try Program(
            "glyphwire",
            [
                "serve", "--port", "0", "--workers", "2", "--level", "accurate", "--grace", "0.1", "--http",
                "127.0.0.1:0",
            ],
            environment: self.models
        )
        let client = try await TestClient.connect(port: try await self.port(of: server))
        let http = try #require(await server.nextLine()?.split(separator: ":").last.flatMap { Int($0.dropLast()) })
        // A network must be compiled for so large a page before it can be read.
        let (width, height) = (6000, 4000)
        let header = MessageHeader(
            type: .frame,
            format: .gray,
            sequence: 1,
            width: UInt16(width),
            height: UInt16(height),
            payloadByteCount: width * height
        )
        try await client.send(Message(header: header, payload: ByteBuffer(repeating: 255, count: width * height)))
        while try await !self.metrics(http).contains("glyphwire_workers_busy 1") {}
        server.signal(SIGTERM)
        let lines = try await client.remainingLines().map(\.summary)
        #expect(lines == ["hello", "goaway 100", "1: internal_error"])
        #expect(await server.wait().exitCode == 0)
        try await client.close()
    }

    @Test func aSecondSignalEndsTheServerAtOnce() async throws {
        let server = try Program(
            "glyphwire",
            ["serve", "--port", "0", "--workers", "2", "--grace", "600"],
            environment: self.models
        )
        let port = try await self.port(of: server)
        let client = try await TestClient.connect(port: port, reads: false)
        // Unread lines keep the connection, and so the server, open.
        let requests = (UInt64(0)..<10_000).map { Message.stats(sequence: $0) }.bytes
        let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(requests)
        let other = try await TestClient.connect(port: port)
        #expect(try await other.nextLine()?.summary == "hello")
        server.signal(SIGTERM)
        #expect(try await other.nextLine()?.summary == "goaway 600000")
        #expect(try await other.nextLine() == nil)
        server.signal(SIGTERM)
        #expect(await server.wait().exitCode == 128 + SIGTERM)
        try? await client.close()
        try? await sent.get()
        try? await other.close()
    }

    @Test func serveTakesItsSettingsFromTheEnvironment() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(" s3cret\n".utf8).write(to: folder.appending(path: "token"))
        let server = try Program(
            "glyphwire",
            ["serve"],
            environment: self.models.merging([
                "GLYPHWIRE_PORT": "0", "GLYPHWIRE_WORKERS": "2", "GLYPHWIRE_LEVEL": "accurate",
                "GLYPHWIRE_TOKEN_FILE": folder.appending(path: "token").path(), "GLYPHWIRE_LOG_LEVEL": "error",
            ]) { $1 }
        )
        let client = try await TestClient.connect(port: try await self.port(of: server))
        try await client.send([Message.configure(body: #"{"token":"s3cret"}"#), .end()].bytes)
        let lines = try await client.remainingLines()
        try await client.close()
        guard lines.count == 3, case .hello(let hello) = lines[0], case .configured(let configured) = lines[1] else {
            Issue.record("\(lines)")
            return
        }
        #expect(hello.authentication == .token)
        #expect(configured.options.reading.level == .accurate)
        server.signal(SIGTERM)
        let outcome = await server.wait()
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors == "")
    }

    @Test func aTokenFileThatEveryUserCanReadIsWarnedOf() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "token").path()
        try Data("s3cret".utf8).write(to: URL(filePath: path))
        for (mode, isExposed) in [(0o644, true), (0o640, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let server = try Program(
                "glyphwire",
                ["serve", "--port", "0", "--workers", "2", "--token-file", path],
                environment: self.models
            )
            _ = try await self.port(of: server)
            server.signal(SIGTERM)
            let outcome = await server.wait()
            #expect(outcome.errors.contains("readable by every user") == isExposed)
            #expect(!isExposed || outcome.errors.contains(path))
        }
    }

    @Test func whatKubernetesPutsIntoTheEnvironmentIsNoSetting() async throws {
        let links = [
            "GLYPHWIRE_PORT": "tcp://10.0.0.1:7411", "GLYPHWIRE_SERVICE_HOST": "10.0.0.1",
            "GLYPHWIRE_SERVICE_PORT_FRAMES": "7411", "GLYPHWIRE_PORT_7411_TCP_ADDR": "10.0.0.1",
            "GLYPHWIRE_HTTP_PORT": "tcp://10.0.0.2:80",
        ]
        let program = try Program(
            "glyphwire",
            ["serve", "--token-file", "/nowhere/token"],
            environment: self.models.merging(links) { $1 }
        )
        #expect(await program.wait().errors.contains("/nowhere/token"), "it is the file that the server complains of")
    }

    @Test func configCheckSaysWhatAServerWouldDo() async throws {
        let environment = ["GLYPHWIRE_PORT": "7500", "GLYPHWIRE_HTTP": "7501"]
        let outcome = await
            (try Program(
                "glyphwire",
                ["config", "check", "--workers", "2"],
                environment: self.models.merging(environment) { $1 }
            )).wait()
        #expect(outcome.exitCode == 0 && outcome.errors == "")
        #expect(outcome.output.contains("GLYPHWIRE_HTTP, GLYPHWIRE_MODELS, GLYPHWIRE_PORT"))
        #expect(
            outcome.output.contains("127.0.0.1:7500 (2 workers, fast and accurate, no token), HTTP on 127.0.0.1:7501")
        )
    }

    @Test func workersAreOneForEachCoreOfTheProcessorAffinity() async throws {
        let taskset = try #require(Program.system("taskset"))
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let core = try #require(try /Cpus_allowed_list:\t([0-9]+)/.firstMatch(in: status)).1
        let arguments = ["-c", String(core), try Program.path(of: "glyphwire"), "config", "check"]
        let outcome = await (try Program(taskset, arguments, environment: self.models)).wait()
        #expect(outcome.output.contains("(1 worker, "), "\(outcome)")
    }

    @Test(arguments: ["config check", "doctor"])
    func outputThatCannotBeWrittenIsAnError(command: String) async throws {
        let shell = try #require(Program.system("sh"))
        let program = try Program.path(of: "glyphwire")
        let arguments = ["-c", "'\(program)' \(command) > /dev/full"]
        let outcome = await (try Program(shell, arguments, environment: self.models)).wait()
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("Standard output cannot be written: No space left on device"))
    }

    @Test func doctorExaminesTheMachineAndReadsATestFrame() async throws {
        let program = try Program("glyphwire", ["doctor", "--port", "0"], environment: self.models)
        let outcome = await program.wait()
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        for subject in ["settings", "processor", "memory", "files", "clock", "port", "models", "languages"] {
            #expect(outcome.output.firstMatch(of: try Regex("(?m)^(ok|warning) +\(subject) ")) != nil, "\(subject)")
        }
        #expect(
            outcome.output.contains("fast: ") && outcome.output.contains(" ms for a frame of 1280 x 720 with 28 words")
        )
        #expect(!outcome.output.contains(" 0 such frames"))
        #expect(outcome.output.contains("; from no file\n"))
        #expect(outcome.output.contains("ok       more languages "), "the columns stand below each other")
    }

    @Test func doctorExaminesTheServerThatTheSettingsDescribe() async throws {
        let options = ["--port", "0", "--http", "127.0.0.1:0", "--levels", "fast", "--max-connections", "7"]
        let outcome = await (try Program("glyphwire", ["doctor"] + options, environment: self.models)).wait()
        #expect(outcome.exitCode == 0, "\(outcome.output)")
        #expect(outcome.output.contains("room for 7 connections"))
        #expect(outcome.output.matches(of: /any free port of 127\.0\.0\.1/).count == 2, "\(outcome.output)")
        #expect(!outcome.output.contains("accurate"))
    }

    @Test(arguments: [
        ("host: 192.0.2.1\ninsecure: true", "port", "192.0.2.1:0 (Cannot assign requested address)"),
        ("host: 0.0.0.0", "settings", "without a token"), ("workers: 0", "settings", "use 1 to 1024"),
        ("wrokers: 1", "settings", "did you mean workers?"),
        ("token-file: /nowhere/token", "settings", "/nowhere/token does not exist"),
        ("tls-certificate: /nowhere/a.pem\ntls-key: /nowhere/a.key", "settings", "/nowhere/a.pem"),
    ])
    func doctorFailsWhereTheServerWouldNotStart(settings: String, subject: String, reason: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("port: 0\n\(settings)\n".utf8).write(to: file)
        // Without models, which take their time.
        let arguments = ["doctor", "--config", file.path(), "--models", "/nowhere"]
        let outcome = await (try Program("glyphwire", arguments)).wait()
        #expect(outcome.exitCode == 1)
        let failed = outcome.output.split(separator: "\n").filter { $0.hasPrefix("failed") }
        #expect(failed.count == 2 && failed[0].contains(" \(subject) "), "\(outcome.output)")
        #expect(failed[0].contains(reason) && failed[1].contains(" models "), "\(outcome.output)")
    }

    @Test func doctorSaysWhatIsMissing() async throws {
        try await TestServer.run { server in
            let program = try Program(
                "glyphwire",
                ["doctor", "--port", "\(server.port)"],
                environment: ["GLYPHWIRE_MODELS": "/nowhere"]
            )
            let outcome = await program.wait()
            #expect(outcome.exitCode == 1)
            let failed = outcome.output.split(separator: "\n").filter { $0.hasPrefix("failed") }
            #expect(failed.count == 2 && failed[0].contains("Address already in use"))
            #expect(failed.last?.contains("/nowhere") == true)
            let http = ["doctor", "--port", "0", "--http", "\(server.port)", "--models", "/nowhere"]
            let other = await (try Program("glyphwire", http)).wait()
            #expect(other.exitCode == 1 && other.output.contains("127.0.0.1:\(server.port) (Address already in use)"))
        }
    }

    @Test func serveAnswersHTTPAtTheGivenAddress() async throws {
        let server = try Program(
            "glyphwire",
            ["serve", "--port", "0", "--workers", "2"],
            environment: self.models.merging(["GLYPHWIRE_HTTP": "0"]) { $1 }
        )
        _ = try await self.port(of: server)
        let line = try #require(await server.nextLine())
        let address = try #require(try /answering HTTP on (http:\/\/127\.0\.0\.1:[0-9]+)\//.wholeMatch(in: line)).1
        let ready = try #require(URL(string: address + "/readyz"))
        #expect(try await self.status(of: ready) == 200, "the self-test is over when the server says that it listens")
        server.signal(SIGTERM)
        #expect(await server.wait().exitCode == 0)
    }

    @Test func theLogIsJSONWhereThatIsAskedFor() async throws {
        let server = try Program(
            "glyphwire",
            ["serve", "--port", "0", "--workers", "2", "--log-format", "json"],
            environment: self.models
        )
        let client = try await TestClient.connect(port: try await self.port(of: server))
        try await client.send(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: box\r\n\r\n"))
        _ = try await client.remainingLines()
        try await client.close()
        server.signal(SIGTERM)
        let lines = await server.wait().errors.split(separator: "\n")
        let entries = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        let closing = try #require(entries.first { $0?["message"] as? String == "connection closed" } ?? nil)
        #expect(closing["reason"] as? String == "http_request" && closing["level"] as? String == "info")
        #expect(closing["frames"] as? Int == 0 && closing["connection"] is Int)
        let stopping = entries.first { $0?["message"] as? String == "server stops" } ?? nil
        #expect(stopping?["connections"] is Int)
    }

    private func status(of url: URL) async throws -> Int? {
        (try await URLSession.shared.data(from: url).1 as? HTTPURLResponse)?.statusCode
    }

    @Test(arguments: [
        (["serve", "--port", "70000"], [:], "70000"),
        (["serve", "--http", "0.0.0.0:0"], [:], "--token-file"),
        (["serve", "--http", "::1:0"], [:], "address:port"),
        (["serve", "--http", "7412x"], [:], "such as 127.0.0.1:7412"),
        (["watch", "a.mp4", "--http", "box"], [:], "such as 127.0.0.1:7412"),
        (["serve"], ["GLYPHWIRE_HTTP": "[::1]:65536"], "GLYPHWIRE_HTTP"),
        (["serve", "--http", "0", "--http-cors", "app.example"], [:], "--http-cors"),
        (["serve", "--http", "0"], ["GLYPHWIRE_HTTP_CORS": "https://"], "GLYPHWIRE_HTTP_CORS"),
        (["serve", "--http-cors", "https://app.example"], [:], "--http"),
        (["serve", "--level", "quick"], [:], "fast"),
        (["serve", "--levels", "fast", "--level", "accurate"], [:], "--levels"),
        (["serve"], ["GLYPHWIRE_WORKERS": "many"], "GLYPHWIRE_WORKERS"),
        (["config", "check", "--host", "0.0.0.0"], [:], "without a token"),
        (["config", "check", "--http", "7411"], [:], "--http 127.0.0.1:7411 is where frames arrive"),
        (["serve"], ["GLYPHWIRE_HTTP": "7411"], "is where frames arrive"),
        (
            ["serve", "--host", "0.0.0.0", "--insecure", "--port", "7500", "--http", "127.0.0.1:7500"], [:],
            "is where frames arrive"
        ),
        (["serve", "--insecure", "--port", "7500", "--http", "[::]:7500"], [:], "is where frames arrive"),
        (["config", "check", "--host", "nowhere.invalid"], [:], "--host or GLYPHWIRE_HOST is \"nowhere.invalid\""),
        (
            ["config", "check", "--insecure", "--http", "nowhere.invalid:7412"], [:],
            "--http or GLYPHWIRE_HTTP is \"nowhere.invalid\""
        ),
        (["config", "check", "--tls-certificate", "/nowhere.pem", "--tls-key", "k"], [:], "/nowhere.pem"),
        (["config", "check"], ["GLYPHWIRE_LOG_LEVEL": "loud"], "GLYPHWIRE_LOG_LEVEL"),
        (["config", "check"], ["GLYPHWIRE_HOSTS": "::1"], "did you mean GLYPHWIRE_HOST?"),
        (["serve"], ["GLYPHWIRE_MAX_CONNECTION": "9"], "did you mean GLYPHWIRE_MAX_CONNECTIONS?"),
        (["serve"], ["GLYPHWIRE_HTTP_PORT": "7412"], "GLYPHWIRE_HTTP_PORT is set, and there is no such setting"),
        (["serve"], ["GLYPHWIRE_TOKENFILE": "x"], "did you mean GLYPHWIRE_TOKEN_FILE?"),
        (["read", "a.jpg"], ["GLYPHWIRE_COLOUR": "red"], "GLYPHWIRE_COLOUR is set, and there is no such setting"),
        (["serve", "--token-file", "/nowhere/token"], [:], "openssl rand -hex 16 > /nowhere/token)"),
        (
            ["watch", "a.mp4", "--server", "box:7411", "--token-file", "/nowhere/token"], [:],
            "/nowhere/token does not exist; write the server's token into it."
        ),
        (["serve", "--token-file", "/dev/null"], [:], "empty"),
        (["serve", "--token-file", "/dev/zero"], [:], "it has more than 1048576 bytes"),
        (["serve", "--config", "/"], [:], "The file / cannot be read: Is a directory"),
        (["watch", "--config", "/"], [:], "The file / cannot be read: Is a directory"),
        (["watch", "a.mp4", "--region", "0,0.8,abc,1,0.2"], [:], "0,0.8,abc"),
        (["read", "@/"], [:], "@/ cannot be read: Is a directory"),
        (["serve", "--token-file", "\(Engine.root.path())/.swift-format"], [:], "begins like JSON"),
        (["serve", "--token-file", "\(Engine.root.path())/README.md"], [:], "has several lines"),
        (
            ["watch", "a.mp4", "--server", "box:7411", "--token-file", "\(Engine.root.path())/README.md"], [:],
            "has several lines"
        ),
        (["serve", "--models", "/nowhere"], [:], "leave --models"),
        (["serve", "--host", "198.51.100.7", "--port", "0", "--insecure"], [:], "198.51.100.7"),
        (
            ["serve", "--host", "198.51.100.7", "--port", "0", "--http", "0.0.0.0:0"], ["GLYPHWIRE_INSECURE": "true"],
            "198.51.100.7"
        ),
        (["serve", "--host", "0.0.0.0", "--port", "0"], [:], "without a token"),
        (["serve", "--host", "::", "--port", "0"], [:], "--insecure"),
        (["read", "a.jpg", "--languages", "tlh"], [:], "tlh"),
        (
            ["read", "a.jpg", "--languages", "en,el"], ["TESSDATA_PREFIX": "/nowhere"],
            "; el can be read after: apt-get install libtesseract5 tesseract-ocr-ell"
        ),
        (
            ["read", "a.jpg", "--languages", "ko-KR,tlh,EL,ko"], ["TESSDATA_PREFIX": "/nowhere"],
            "; el, ko can be read after: apt-get install libtesseract5 tesseract-ocr-ell tesseract-ocr-kor"
        ),
        (
            ["watch", "http://127.0.0.1:9/", "--languages", "ko"], ["TESSDATA_PREFIX": "/nowhere"],
            "; ko can be read after: apt-get install libtesseract5 tesseract-ocr-kor."
        ),
        (["read"], [:], "picture"),
        (["read", "a.jpg", "--jsn"], [:], "'--json'"),
        (["read", "a.jpg", "--tsv"], [:], "There is no option --tsv: use --format tsv."),
        (
            ["read", "--pdf", "a.jpg"], [:],
            "Error: There is no option --pdf: use --format pdf.\nUsage: glyphwire read "
        ),
        (
            ["read", "a.jpg", "--overlay", "/nowhere/boxes"], [:],
            "--overlay /nowhere/boxes must end in .png or .jpg; a folder needs a / at its end."
        ),
        (["read", "a.jpg", "--json", "--format", "hocr"], [:], "leave one of them out"),
        (["reed", "a.jpg"], [:], "Did you mean 'read'?"),
        (["help", "serv"], [:], "Did you mean 'serve'?"),
        (["watch", "/tmp"], [:], "/tmp is a folder"),
        (
            ["watch", "192.168.4.3"], [:],
            "There is no file 192.168.4.3; a camera needs its whole address, such as rtsp://192.168.4.3/"
        ),
        (["watch", "192.168.4.3:554/stream1"], [:], "or http://192.168.4.3/…, a webcam /dev/video0."),
        (
            ["watch", "rtsp:/192.168.4.3"], [:],
            "There is no file rtsp:/192.168.4.3; a camera needs its whole address, such as rtsp://"
        ),
        (["watch", "http://127.0.0.1:99999/x"], [:], "the port cannot be 99999"),
        (["watch", "a.mp4", "--server", "box:99999"], [:], "box:99999"),
        (["watch", "a.mp4", "--workers=-3"], [:], "use 1 to 1024"),
        (["watch", "a.mp4", "--server", "box:7411", "--workers", "2"], [:], "that server reads them"),
        (["watch", "a.mp4", "--server", "box:7411", "--models", "/nowhere"], [:], "that server reads them"),
        (["watch", "a.mp4", "--server", "box:7411", "--network-cache", "/nowhere"], [:], "that server reads them"),
        (["watch", "a.mp4", "--webhook", "http://127.0.0.1:99999/x"], [:], "the port cannot be 99999"),
        (["watch", "a.mp4", "--webhook", "ftp://example.org"], [:], "such as https://"),
        (["watch", "a.mp4", "--mqtt", "mqtt://broker:0"], [:], "the port cannot be 0"),
        (["watch", "a.mp4", "--mqtt", "mqtt://me@home:a/b@broker"], [:], "%2F"),
        (["watch", "a.mp4", "--mqtt", "mqtt://broker", "--mqtt-ca", "ca.pem"], [:], "with mqtts://"),
        (["watch", "a.mp4", "--mqtt-ca", "ca.pem"], [:], "name it with --mqtt"),
        (["watch", "a.mp4", "--mqtt-password-file", "p"], [:], "name it with --mqtt"),
        (["watch", "a.mp4", "--mqtt", "mqtts://broker", "--mqtt-password-file", "p"], [:], "mqtt://user@broker"),
        (["watch", "a.mp4", "--mqtt", "mqtt://me:a@broker", "--mqtt-password-file", "p"], [:], "has a password"),
        (["frobnicate"], [:], "There is no command 'frobnicate'."),
        (["config", "check", "--prot", "1"], [:], "See 'glyphwire config check --help'"),
        (["read", "a.jpg", "--format", "docx"], [:], "hocr"),
        (["read", "a.jpg", "--format", "hocr", "--coordinates", "vision"], [:], "use sent or upright"),
        (["read", "a.jpg", "--format", "vision", "--coordinates", "sent"], [:], "use vision"),
        (["read", "a.jpg", "--candidates", "11"], [:], "1 to 10"),
        (["read", "a.jpg", "--workers", "0"], [:], "1 to 1024"),
        (["read", "a.jpg", "--no-recognize"], [:], "no text to print"),
        (["read", "a.jpg", "--no-recognize", "--format", "json", "--find", "x"], [:], "no text for --find"),
        (["read", "a.jpg", "--find", "a", "--format", "pdf"], [:], "The format pdf has no matches"),
        (["read", "a.jpg", "--find", "a", "--format", "google"], [:], "use text or json"),
    ])
    func invalidArgumentsEndTheProgramWithAMessage(
        arguments: [String],
        environment: [String: String],
        hint: String
    ) async throws {
        let program = try Program(
            "glyphwire",
            arguments,
            environment: self.models.merging(environment) { $1 }
        )
        let outcome = await program.wait()
        #expect(outcome.exitCode > 0)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(!outcome.errors.contains("Fatal error"))
    }

    @Test(arguments: [
        ("# cameras\nsources: {gate: rtsp://10.0.0.7/1}\n", ", line 2: `sources` must be a list."),
        ("sources:\n- rtsp://10.0.0.7/1\n", ", line 2: a source must have members, such as `address`."),
        ("- rtsp://10.0.0.7/1\n", ", line 1: the file must have the member `sources`, a list."),
        ("# cameras\n", "There is no source: name one"),
    ])
    func mistakesInAFileOfSourcesNameTheirLine(yaml: String, message: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(yaml.utf8).write(to: file)
        let outcome = await (try Program("glyphwire", ["watch", "--config", file.path()], environment: self.models))
            .wait()
        #expect(outcome.exitCode == 1 && outcome.errors.contains(message), "\(outcome.errors)")
    }

    @Test(arguments: [["--http", "0.0.0.0:0"], ["--host", "host.invalid"], ["--port", "x"]])
    func mistakesInSettingsShowTheUsageOfTheCommand(arguments: [String]) async throws {
        let outcome = await (try Program("glyphwire", ["serve"] + arguments, environment: self.models)).wait()
        #expect(outcome.exitCode == 64)
        #expect(outcome.errors.contains("Usage: glyphwire serve "), "\(outcome.errors)")
    }

    @Test func theDoctorNamesAPortThatIsNone() async throws {
        let doctor = await (try Program("glyphwire", ["doctor", "--port", "99999"], environment: self.models)).wait()
        #expect(doctor.exitCode == 1)
        #expect(doctor.output.contains("\"99999\": use 0 to 65535"), "\(doctor.output)")
    }

    @Test func everyLimitInTheDocumentHasItsFlagAndItsVariable() async throws {
        let document = try String(contentsOf: Engine.root.appending(path: "Protocol.md"), encoding: .utf8)
        let flags = document.matches(of: /\| `(--[a-z0-9-]+)` \|/).map { String($0.1) }
        #expect(flags.count > 17)
        let help = await (try Program("glyphwire", ["serve", "--help"])).wait().output
        for flag in flags {
            #expect(help.contains("\(flag) "), "\(flag)")
            let name = "GLYPHWIRE_" + flag.dropFirst(2).uppercased().replacing("-", with: "_")
            let refusal = await (try Program("glyphwire", ["serve"], environment: [name: "x"])).wait()
            #expect(refusal.exitCode != 0 && refusal.errors.contains(name), "\(refusal.errors)")
        }
        #expect(help.split(separator: "\n").count { $0.contains(" --max-") } == flags.count { $0.hasPrefix("--max-") })
    }

    @Test func theHelpOfTheServerNamesTheCommandThatListsTheLanguagesOfOtherScripts() async throws {
        let help = await (try Program("glyphwire", ["serve", "--help"])).wait().output
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("\"glyphwire doctor\" lists those that it finds"))
    }

    @Test func aTokenFileWithSeveralTokensIsReadAgainAtASignal() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tokens.json")
        let gate = #"{"name":"gate","token":"one","expires":"2999-01-01T00:00:00Z","connections":2}"#
        try Data(#"{"tokens":[\#(gate)]}"#.utf8).write(to: file)
        let server = try Program(
            "glyphwire",
            ["serve", "--port", "0", "--workers", "2", "--token-file", file.path()],
            environment: self.models
        )
        let port = try await self.port(of: server)
        let first = try await TestClient.connect(port: port)
        try await first.send([Message.configure(body: #"{"token":"one"}"#, sequence: 1)].bytes)
        #expect(try await first.nextLine()?.summary == "hello")
        #expect(try await first.nextLine()?.summary == "configured 1")
        // A file with an error changes nothing; the connection stays open.
        try Data(#"{"tokens":[{"name":"gate"}]}"#.utf8).write(to: file)
        server.signal(SIGHUP)
        try await first.send(.ping(sequence: 2))
        #expect(try await first.nextLine()?.summary == "pong 2")
        try Data(#"{"tokens":[{"name":"yard","token":"two"}]}"#.utf8).write(to: file)
        server.signal(SIGHUP)
        #expect(try await first.remainingLines().map(\.summary) == ["auth_failed -"])
        let second = try await TestClient.connect(port: port)
        try await second.send([Message.configure(body: #"{"token":"two"}"#, sequence: 1), .end()].bytes)
        #expect(try await second.remainingLines().map(\.summary) == ["hello", "configured 1", "end 0 after 0"])
        server.signal(SIGTERM)
        let outcome = await server.wait()
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.contains("gate") && !outcome.errors.contains("\"two\""))
        try? await first.close()
        try? await second.close()
    }

    @Test func theCheckOfTheSettingsSaysUntilWhenTokensAreValid() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "tokens.json")
        let gate = #"{"name":"gate","token":"one","expires":"2999-01-01T00:00:00Z"}"#
        let yard = #"{"name":"yard","token":"two","expires":"2020-01-01T00:00:00Z"}"#
        // One that has expired is an error where no client is left that the server would serve.
        for (tokens, exitCode) in [(gate, Int32(0)), ("\(gate),\(yard)", 0), (yard, 1)] {
            try Data(#"{"tokens":[\#(tokens)]}"#.utf8).write(to: file)
            let arguments = ["config", "check", "--token-file", file.path()]
            let outcome = await (try Program("glyphwire", arguments, environment: self.models)).wait()
            #expect(outcome.exitCode == exitCode, "\(outcome.errors)")
            let shown = exitCode == 0 ? outcome.output : outcome.errors
            #expect(shown.contains("token gate: until 2999-01-01T00:00:00Z\n") == tokens.contains("gate"), "\(shown)")
            #expect(shown.contains("token yard: until 2020-01-01T00:00:00Z") == tokens.contains("yard"), "\(shown)")
        }
    }

    @Test func doctorSaysUntilWhenTokensAreValid() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let soon = Date.now.addingTimeInterval(86_400).formatted(.iso8601)
        let ends = [("gate", "2999-01-01T00:00:00Z"), ("yard", "2020-01-01T00:00:00Z"), ("door", soon)]
        let tokens = ends.map { name, end in #"{"name":"\#(name)","token":"\#(name)","expires":"\#(end)"}"# }
        try Data(#"{"tokens":[\#(tokens.joined(separator: ","))]}"#.utf8).write(to: file)
        // Without models, which take their time.
        let arguments = ["doctor", "--port", "0", "--models", "/nowhere", "--token-file", file.path()]
        let outcome = await (try Program("glyphwire", arguments)).wait()
        let lines = outcome.output.split(separator: "\n").filter { $0.contains(" expiry  ") }
        #expect(lines.count == 3, "\(outcome.output)")
        for ((name, end), verdict) in zip(ends, ["ok ", "warning ", "warning "]) {
            let line = lines.first { $0.contains("token \(name): until \(end)") }
            #expect(line?.hasPrefix(verdict) == true, "\(outcome.output)")
        }
    }

    @Test func aSignalToReadTheFilesAgainIsKeptDuringTheStart() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = try NamedPipe(path: folder.appending(path: "token").path())
        let server = try Program(
            "glyphwire",
            ["serve", "--port", "0", "--workers", "2", "--token-file", token.path],
            environment: self.models,
            sharesPipe: true
        )
        let reader = await token.opened()
        server.signal(SIGHUP)
        try token.replace(with: "secret", writingTo: reader)
        #expect(await server.nextLine(with: "files reloaded") != nil, "the server has ended")
        server.signal(SIGTERM)
        #expect(await server.wait().exitCode == 0)
    }

    @Test func readPrintsTheTextOfEachPictureUnderAHeading() async throws {
        let alone = try Program("glyphwire", ["read", Page.path], environment: self.models)
        let text = await alone.wait()
        #expect(text.exitCode == 0 && text.errors == "")
        #expect(text.output.split(whereSeparator: \.isWhitespace).joined(separator: " ") == Page.words)

        let several = try Program(
            "glyphwire",
            ["read", Page.path, "/nowhere.png", Page.path],
            environment: self.models
        )
        let outcome = await several.wait()
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.hasPrefix("glyphwire: /nowhere.png ") && outcome.errors.hasSuffix("\n"))
        #expect(outcome.output == "==> \(Page.path) <==\n\(text.output)\n==> \(Page.path) <==\n\(text.output)")
    }

    @Test func readReportsIrregularitiesAndReadsAboveDamageOnRequest() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = try PictureFile(path: Page.path).picture().pixels
        let jpeg = try page.withPixels { view in try JPEGEncoder().encode(view) }
        let endless = folder.appending(path: "endless.jpg").path()
        let cut = folder.appending(path: "cut.jpg").path()
        try Data(jpeg.dropLast(2)).write(to: URL(filePath: endless))
        try Data(jpeg.prefix(jpeg.count * 6 / 10)).write(to: URL(filePath: cut))

        func read(_ arguments: String...) async throws -> Program.Outcome {
            await (try Program("glyphwire", ["read"] + arguments, environment: self.models)).wait()
        }
        let whole = try await read(endless)
        #expect(whole.exitCode == 0 && whole.errors.contains("endless.jpg: the JPEG has no end marker"))
        let refused = try await read(cut)
        #expect(refused.exitCode == 1 && refused.output == "" && refused.errors.contains("damaged or cut off"))
        #expect(
            refused.errors.contains(#"; use the whole file, or set "damaged":"read" (--damaged read) to read "#),
            "\(refused.errors)"
        )
        let part = try await read(cut, "--damaged", "read")
        #expect(part.exitCode == 0 && part.errors.contains("cut.jpg: the JPEG is damaged from row"))
        #expect(!part.errors.contains("no end marker"))
        #expect(part.output.contains("Platform 4") && !part.output.contains("keep left"))
        let json = try await read(cut, "--damaged", "read", "--format", "json")
        #expect(json.exitCode == 0 && json.errors == "" && json.output.contains(#""code":"jpeg_damaged","row":"#))
    }

    @Test func readPrintsTheLinesOfTheProtocolAndDrawsBoxes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = try Program(
            "glyphwire",
            [
                "read", "--json", "--no-characters", "--coordinates", "vision", "--level", "accurate",
                "--overlay", "\(folder.path())/", Page.path, Page.path,
            ],
            environment: self.models
        )
        let outcome = await program.wait()
        #expect(outcome.exitCode == 0 && outcome.errors == "")
        let lines = try outcome.output.split(separator: "\n").map {
            try ServerLine(json: ByteBuffer(substring: $0))
        }
        #expect(lines.count == 2)
        for (index, line) in lines.enumerated() {
            guard case .result(let result) = line, case .ok(let text) = result.outcome else {
                Issue.record("\(line)")
                continue
            }
            #expect(result.sequence == index && text.level == .accurate && text.coordinates == .vision)
            #expect(text.lines.allSatisfy { $0.words.allSatisfy(\.characters.isEmpty) })
            #expect(text.lines.allSatisfy { (0...1).contains($0.box.topLeft.x) && (0...1).contains($0.box.topLeft.y) })
        }
        let overlays = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
        #expect(overlays == ["page-2.boxes.png", "page.boxes.png"])
    }

    @Test func readDetectsWordsWithoutRecognition() async throws {
        let arguments = ["read", "--format", "json", "--no-recognize", Page.path]
        let outcome = try await Program("glyphwire", arguments, environment: self.models).wait()
        guard case .result(let result) = try ServerLine(json: ByteBuffer(string: outcome.output)),
            case .ok(let text) = result.outcome
        else {
            Issue.record("\(outcome)")
            return
        }
        let counts = text.lines.map(\.words.count)
        #expect(counts == [2, 1, 4, 7, 2, 5, 2, 3])
        #expect(text.lines.allSatisfy { $0.words.allSatisfy { $0.text.isEmpty && !$0.characters.isEmpty } })
    }

    @Test(arguments: [
        (
            "tsv", "level\tpage_num", #"5\t1\t\d+\t\d+\t\d+\t1\t\d+\t\d+\t\d+\t\d+\t[0-9.]+\tPlatform\t.*page.png\n"#,
            "\n"
        ),
        ("hocr", "<?xml", #"<span class="ocrx_word" id="word_1_\d+" title="bbox [0-9 ]+; x_wconf \d+">"#, "</html>\n"),
        ("alto", "<?xml", #"<String ID="word_1_\d+" [^>]*CONTENT="Platform" WC="[0-9.]+">"#, "</alto>\n"),
        (
            "google", #"{"responses":["#, #"\{"description":"Platform","boundingPoly""#,
            "read: No such file or directory.\"},\"context\":{\"uri\":\"/nowhere.png\"}}\n]}\n"
        ),
        (
            "vision", #"{"picture":""#, #"\{"string":"Platform","range":\{"location":0,"length":8\}"#,
            "read: No such file or directory.\"}\n"
        ),
    ])
    func readPrintsOneDocumentInEachFormat(format: String, start: String, word: String, end: String) async throws {
        let program = try Program(
            "glyphwire",
            ["read", "--format", format, Page.path, "/nowhere.png"],
            environment: self.models
        )
        let outcome = await program.wait()
        #expect(outcome.exitCode == 1 && outcome.errors.hasPrefix("glyphwire: /nowhere.png "))
        #expect(outcome.output.hasPrefix(start))
        #expect(try outcome.output.firstMatch(of: Regex(word)) != nil)
        #expect(outcome.output.hasSuffix(end))
    }
}
