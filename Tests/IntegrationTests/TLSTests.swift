import Foundation
import GlyphwireClient
import GlyphwireProtocol
import TextModel
import GlyphwireServer
import Logging
import NIOCore
import TestSupport
import Testing

/// TLS with common clients: OpenSSL, Python, Node and our own.
@Suite(.serialized, .timeLimit(.minutes(3))) final class TLSTests {
    private let folder: URL

    init() async throws {
        self.folder = FileManager.default.temporaryDirectory.appending(path: "glyphwire-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: self.folder, withIntermediateDirectories: true)
        for name in ["server", "other", "client"] { try await self.makeCertificate(name) }
    }

    deinit { try? FileManager.default.removeItem(at: self.folder) }

    private func path(_ name: String) -> String { self.folder.appending(path: name).path() }

    /// Creates a self-signed certificate for this machine.
    private func makeCertificate(
        _ name: String,
        key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
    ) async throws {
        let openssl = try #require(Program.system("openssl"), "openssl is needed: apt-get install openssl")
        let outcome = await
            (try Program(
                openssl,
                ["req", "-x509", "-newkey"] + key + [
                    "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                    "-keyout", self.path("\(name).key"), "-out", self.path("\(name).pem"),
                ]
            )).wait()
        try #require(outcome.exitCode == 0, "\(outcome.errors)")
    }

    private func files(clientAuthorities: String? = nil) -> TLSFiles {
        TLSFiles(
            certificate: self.path("server.pem"),
            key: self.path("server.key"),
            clientAuthorities: clientAuthorities
        )
    }

    private func session() throws -> String {
        let path = self.path("session.gws")
        let messages = [
            Message.configure(body: #"{"delivery":"every","token":"s3cret"}"#), .gray(1), .gray(2), .end(sequence: 3),
        ]
        try Data(messages.bytes.readableBytesView).write(to: URL(filePath: path))
        return path
    }

    /// Summaries of the lines that a client printed.
    private func summaries(_ output: String) -> [String] {
        output.split(separator: "\n").compactMap { line in
            (try? ServerLine(json: ByteBuffer(substring: line)))?.summary
        }
    }

    private static let answers = ["hello", "configured 0", "1: 1", "2: 2", "end 3 after 2"]

    /// Plays the session with OpenSSL's client.
    private func openSSL(_ port: Int, _ arguments: [String] = []) async throws -> Program.Outcome {
        let openssl = try #require(Program.system("openssl"))
        return await
            (try Program(
                openssl,
                [
                    "s_client", "-quiet", "-connect", "127.0.0.1:\(port)", "-verify_return_error", "-CAfile",
                    self.path("server.pem"),
                ] + arguments,
                standardInput: try self.session()
            )).wait()
    }

    @Test(arguments: [[], ["-tls1_2"], ["-tls1_3"]])
    func openSSLIsServed(arguments: [String]) async throws {
        try await TestServer.run({
            $0.tls = self.files()
            $0.tokens = [AccessToken("s3cret")]
        }) { server in
            let outcome = try await self.openSSL(server.port, arguments)
            #expect(self.summaries(outcome.output) == Self.answers, "\(outcome.errors)")
        }
    }

    @Test func versionsBefore1_2AreRefused() async throws {
        try await TestServer.run({ $0.tls = self.files() }) { server in
            // OpenSSL would not offer these versions without the cipher.
            for version in ["-tls1", "-tls1_1"] {
                let outcome = try await self.openSSL(server.port, [version, "-cipher", "ALL:@SECLEVEL=0"])
                #expect(self.summaries(outcome.output).isEmpty)
                #expect(outcome.errors.contains("alert protocol version"), "\(outcome.errors)")
            }
        }
    }

    @Test func onlyCipherSuitesThatKeepWhatWasSentSecretAreAccepted() async throws {
        try await self.makeCertificate("rsa", key: ["rsa:2048"])
        let files = TLSFiles(certificate: self.path("rsa.pem"), key: self.path("rsa.key"))
        try await TestServer.run({ $0.tls = files }) { server in
            let version = ["-tls1_2", "-CAfile", self.path("rsa.pem"), "-cipher"]
            // No key of its own for each connection, or no authenticated encryption.
            for suite in ["AES128-GCM-SHA256", "AES256-SHA", "ECDHE-RSA-AES128-SHA"] {
                let outcome = try await self.openSSL(server.port, version + [suite])
                #expect(self.summaries(outcome.output).isEmpty, "\(suite)")
                #expect(outcome.errors.contains("alert handshake failure"), "\(outcome.errors)")
            }
            let outcome = try await self.openSSL(server.port, version + ["ECDHE-RSA-AES128-GCM-SHA256"])
            #expect(self.summaries(outcome.output).first == "hello", "\(outcome.errors)")
        }
    }

    /// Requests a path over HTTPS with Python, and returns the status, or 0 if it does not trust the server.
    private func status(_ path: String, _ port: Int) async throws -> Int? {
        let script = """
            import ssl, sys, urllib.error, urllib.request
            context = ssl.create_default_context(cafile=sys.argv[2])
            try:
                print(urllib.request.urlopen(sys.argv[1], context=context).status)
            except urllib.error.HTTPError as error:
                print(error.code)
            except urllib.error.URLError:
                print(0)
            """
        let python = try #require(Program.system("python3"), "python3 is needed")
        let url = "https://localhost:\(port)\(path)"
        let outcome = await (try Program(python, ["-c", script, url, self.path("server.pem")])).wait()
        return Int(outcome.output.filter(\.isNumber))
    }

    @Test func theHTTPSideSpeaksTLSTooAndFollowsTheFiles() async throws {
        try Data("old".utf8).write(to: URL(filePath: self.path("token")))
        let server = try Program(
            "glyphwire",
            [
                "serve", "--port", "0", "--http", "127.0.0.1:0", "--token-file", self.path("token"), "--workers", "1",
                "--levels", "fast", "--tls-certificate", self.path("server.pem"), "--tls-key", self.path("server.key"),
            ],
            environment: ["GLYPHWIRE_MODELS": Engine.models]
        )
        _ = try #require(await server.nextLine())
        let line = try #require(await server.nextLine())
        #expect(line.hasPrefix("answering HTTP on https://127.0.0.1:"))
        let port = try #require(Int(line.filter { $0 != "/" }.split(separator: ":").last ?? ""))
        #expect(try await self.status("/healthz", port) == 200)
        #expect(try await self.status("/streams?token=old", port) == 200)
        try Data("new".utf8).write(to: URL(filePath: self.path("token")))
        try await self.makeCertificate("server")
        #expect(try await self.status("/streams?token=old", port) == 0, "the old certificate is shown still")
        server.signal(SIGHUP)
        while try await self.status("/healthz", port) == 0 {}
        #expect(try await self.status("/streams?token=old", port) == 401)
        #expect(try await self.status("/streams?token=new", port) == 200)
        server.signal(SIGTERM)
        let outcome = await server.wait()
        #expect(outcome.exitCode == 0)
        let log = outcome.errors.split(separator: "\n")
        let refused = try #require(log.first { $0.contains(" reason=tls_handshake_failed ") })
        #expect(refused.contains(" port=http ") && refused.hasSuffix("connection refused"))
        #expect(log.contains { $0.contains(" warning ") && $0.hasSuffix(" wrong token") })
    }

    @Test func ifOneFileIsInvalidNoneIsReloaded() async throws {
        try Data("old".utf8).write(to: URL(filePath: self.path("token")))
        let server = try Program(
            "glyphwire",
            [
                "serve", "--port", "0", "--http", "127.0.0.1:0", "--token-file", self.path("token"), "--workers", "1",
                "--levels", "fast", "--tls-certificate", self.path("server.pem"), "--tls-key", self.path("server.key"),
            ],
            environment: ["GLYPHWIRE_MODELS": Engine.models],
            sharesPipe: true
        )
        let address = try #require(await server.nextLine(with: "answering HTTP on"))
        let port = try #require(Int(address.filter { $0 != "/" }.split(separator: ":").last ?? ""))
        try Data("new".utf8).write(to: URL(filePath: self.path("token")))
        try FileManager.default.removeItem(atPath: self.path("server.key"))
        try FileManager.default.copyItem(atPath: self.path("other.key"), toPath: self.path("server.key"))
        server.signal(SIGHUP)
        #expect(await server.nextLine(with: "files not reloaded")?.contains("do not belong together") == true)
        #expect(try await self.status("/streams?token=old", port) == 200)
        #expect(try await self.status("/streams?token=new", port) == 401)
        try await self.makeCertificate("server")
        server.signal(SIGHUP)
        _ = try #require(await server.nextLine(with: "files reloaded"))
        #expect(try await self.status("/streams?token=old", port) == 401)
        #expect(try await self.status("/streams?token=new", port) == 200)
        server.signal(SIGTERM)
        #expect(await server.wait().exitCode == 0)
    }

    @Test func pythonIsServed() async throws {
        let python = try #require(Program.system("python3"), "python3 is needed")
        let script = """
            import socket, ssl, sys
            context = ssl.create_default_context(cafile=sys.argv[2])
            assert context.minimum_version >= ssl.TLSVersion.TLSv1_2
            with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as plain:
                with context.wrap_socket(plain, server_hostname="localhost") as secure:
                    secure.sendall(open(sys.argv[3], "rb").read())
                    while data := secure.recv(65536):
                        sys.stdout.write(data.decode())
            """
        try await TestServer.run({ $0.tls = self.files() }) { server in
            let outcome = await
                (try Program(
                    python,
                    ["-c", script, "\(server.port)", self.path("server.pem"), try self.session()]
                )).wait()
            #expect(self.summaries(outcome.output) == Self.answers, "\(outcome.errors)")
        }
    }

    @Test(.enabled(if: Program.system("node") != nil, "node is not installed"))
    func nodeIsServed() async throws {
        let script = """
            const [port, ca, session] = process.argv.slice(1);
            const fs = require("fs");
            const socket = require("tls").connect(
              { port, host: "127.0.0.1", servername: "localhost", ca: fs.readFileSync(ca) },
              () => socket.write(fs.readFileSync(session)));
            socket.on("data", (data) => process.stdout.write(data));
            """
        try await TestServer.run({ $0.tls = self.files() }) { server in
            let outcome = await
                (try Program(
                    try #require(Program.system("node")),
                    ["-e", script, "\(server.port)", self.path("server.pem"), try self.session()]
                )).wait()
            #expect(self.summaries(outcome.output) == Self.answers, "\(outcome.errors)")
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func ourClientIsServedAndTrustsOnlyTheRightServer(host: String) async throws {
        try await TestServer.run({ $0.tls = self.files() }) { server in
            let configuration = GlyphwireConnection.Configuration(tls: ClientTLS(authorities: self.path("server.pem")))
            let connection = try await GlyphwireConnection.connect(
                host: host,
                port: server.port,
                configuration: configuration
            )
            #expect(connection.hello.protocolVersion == 1)
            connection.close()
            let suspicious = GlyphwireConnection.Configuration(tls: ClientTLS(authorities: self.path("other.pem")))
            let error = await #expect(throws: GlyphwireClientError.self) {
                try await GlyphwireConnection.connect(host: host, port: server.port, configuration: suspicious)
            }
            #expect(error?.code == .cannotConnect && error?.isPermanent == true)
            #expect(error?.message.contains("trust the server's certificate") == true, "\(error?.message ?? "")")
        }
    }

    @Test func replaySpeaksTLS() async throws {
        try await TestServer.run({ $0.tls = self.files() }) { server in
            let outcome = await
                (try Program(
                    "glyphwire-replay",
                    ["run", try self.session(), "--port", "\(server.port)", "--tls-ca", self.path("server.pem")]
                )).wait()
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
        }
    }

    @Test func whoeverSpeaksPlainGetsOneLineAndIsShownOut() async throws {
        try await TestServer.run({
            $0.tls = self.files()
            $0.limits.firstMessageTime = .milliseconds(200)
        }) { server in
            for bytes in [Message.gray(1).bytes, ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n"), ByteBuffer()] {
                let client = try await TestClient.connect(port: server.port)
                if bytes.readableBytes > 0 { try await client.send(bytes) }
                #expect(try await client.remainingLines().map(\.summary) == ["wrong_protocol -"])
                try await client.close()
            }
        }
    }

    @Test func aHandshakeThatNeverEndsIsCutOff() async throws {
        try await TestServer.run({
            $0.tls = self.files()
            $0.limits.firstMessageTime = .milliseconds(100)
        }) { server in
            let client = try await TestClient.connect(port: server.port)
            try await client.send(ByteBuffer(bytes: [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3]))
            #expect(await client.nextText() == nil)
            try? await client.close()
        }
    }

    @Test func clientsShowACertificateWhereItIsAskedFor() async throws {
        try await TestServer.run({ $0.tls = self.files(clientAuthorities: self.path("client.pem")) }) { server in
            let known = ["-cert", self.path("client.pem"), "-key", self.path("client.key")]
            #expect(self.summaries(try await self.openSSL(server.port, known).output) == Self.answers)
            let unknown = ["-cert", self.path("other.pem"), "-key", self.path("other.key")]
            for arguments in [unknown, []] {
                #expect(self.summaries(try await self.openSSL(server.port, arguments).output).isEmpty)
            }
            let configuration = GlyphwireConnection.Configuration(
                tls: ClientTLS(
                    authorities: self.path("server.pem"),
                    identity: ClientTLS.Identity(certificate: self.path("client.pem"), key: self.path("client.key"))
                )
            )
            let connection = try await GlyphwireConnection.connect(
                host: "localhost",
                port: server.port,
                configuration: configuration
            )
            connection.close()
        }
    }

    @Test func theLogSaysWhyTLSWasNotEstablished() async throws {
        let (logger, entries) = Logger.recorded()
        let engine = StubEngine()
        try await TestServer.run(
            engine: engine,
            logger: logger,
            { $0.tls = self.files(clientAuthorities: self.path("client.pem")) }
        ) { server in
            let plain = try await TestClient.connect(port: server.port)
            try await plain.send(.gray(1))
            _ = try await plain.remainingLines()
            try await plain.close()
            _ = try await self.openSSL(server.port)
            _ = try await self.openSSL(server.port, ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
            let known = try await self.openSSL(
                server.port,
                ["-cert", self.path("client.pem"), "-key", self.path("client.key")]
            )
            #expect(self.summaries(known.output) == Self.answers, "\(known.errors)")
        }
        var reasons: [String] = []
        for await entry in entries where entry.message == "connection closed" {
            reasons.append(entry.metadata["reason"] ?? "")
            #expect((entry.metadata["error"] != nil) == (reasons.last == "tls_handshake_failed"))
            // BoringSSL names its source files by their paths on the machine that compiled it.
            #expect(entry.metadata["error"]?.contains(".cc") != true, "\(entry.metadata)")
            if reasons.count == 4 { break }
        }
        #expect(reasons == ["tls_missing", "tls_handshake_failed", "tls_handshake_failed", "ended"])
    }

    @Test func aNewCertificateIsTakenWithoutARestart() async throws {
        try await TestServer.run({ $0.tls = self.files() }) { server in
            #expect(self.summaries(try await self.openSSL(server.port).output) == Self.answers)
            try await self.makeCertificate("server")
            #expect(self.summaries(try await self.openSSL(server.port).output).isEmpty, "the old one is shown still")
            try server.readTLSFiles()
            #expect(self.summaries(try await self.openSSL(server.port).output) == Self.answers)
            try Data("nonsense".utf8).write(to: URL(filePath: self.path("server.key")))
            #expect(throws: GlyphwireServerError.self) { try server.readTLSFiles() }
            #expect(self.summaries(try await self.openSSL(server.port).output) == Self.answers)
        }
    }

    @Test func certificatesThatExpireSoonAreWarnedOf() async throws {
        let (logger, entries) = Logger.recorded()
        func isWarning(_ entry: LogEntry) -> Bool { entry.message == "certificate expires soon" }
        let files = self.files(clientAuthorities: self.path("client.pem"))
        try await TestServer.run({ $0.tls = files }, logger: logger) { server in
            for path in [self.path("server.pem"), self.path("client.pem")] {
                let entry = try #require(await entries.first(where: isWarning))
                #expect(entry.level == .warning && entry.metadata["file"] == path)
            }
            try await self.makeCertificate("server")
            try server.readTLSFiles()
            #expect(await entries.first(where: isWarning)?.metadata["file"] == self.path("server.pem"))
        }
    }

    @Test func theCheckOfTheSettingsSaysUntilWhenCertificatesAreValid() async throws {
        func check(_ arguments: [String]) async throws -> Program.Outcome {
            await
                (try Program(
                    "glyphwire",
                    ["config", "check"] + arguments,
                    environment: ["GLYPHWIRE_MODELS": Engine.models]
                )).wait()
        }
        let valid = try await check([
            "--tls-certificate", self.path("server.pem"), "--tls-key", self.path("server.key"),
        ])
        #expect(valid.exitCode == 0, "\(valid.errors)")
        #expect(valid.output.contains("certificate \(self.path("server.pem")): until 2"), "\(valid.output)")
        // Its last day was in 2020.
        let path = Engine.root.appending(path: "Tests/IntegrationTests/Fixtures/expired.pem").path()
        let ended = try await check(["--tls-certificate", path, "--tls-key", path])
        #expect(ended.exitCode == 1)
        #expect(ended.output.contains("certificate \(path): until 2020-01-02T00:00:00Z"), "\(ended.output)")
        #expect(ended.errors.contains("expired") && ended.errors.contains(path), "\(ended.errors)")
    }

    @Test(arguments: [("nowhere.pem", "server.key"), ("server.key", "server.key"), ("server.pem", "other.key")])
    func filesThatDoNotFitStopTheStartWithOneLine(certificate: String, key: String) async throws {
        let outcome = await
            (try Program(
                "glyphwire",
                [
                    "serve", "--port", "0", "--tls-certificate", self.path(certificate), "--tls-key", self.path(key),
                    "--workers", "1", "--levels", "fast",
                ],
                environment: ["GLYPHWIRE_MODELS": Engine.models]
            )).wait()
        #expect(outcome.exitCode != 0 && outcome.output == "")
        #expect(outcome.errors.contains(certificate) && !outcome.errors.contains("Fatal error"), "\(outcome.errors)")
    }
}
