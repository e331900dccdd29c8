import Foundation
import GlyphwireProtocol
import Logging
import NIOCore
import TestSupport
import TextRecognition
import Testing

@testable import GlyphwireServer

/// Why connections end, as the log says it.
@Suite(.timeLimit(.minutes(2))) struct ConnectionEndTests {
    /// What a server logs about the end of a connection.
    ///
    /// - Parameters:
    ///   - configure: The server's configuration.
    ///   - body: What the client does until the connection closes.
    /// - Returns: The entry.
    private func closing(
        _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (TestServer, TestClient) async throws -> Void
    ) async throws -> LogEntry {
        let (logger, entries) = Logger.recorded()
        return try await TestServer.run(configure, logger: logger) { server in
            let client = try await TestClient.connect(port: server.port)
            try await body(server, client)
            let entry = try #require(await entries.first { $0.message == "connection closed" })
            try? await client.close()
            return entry
        }
    }

    private static let webSocket =
        "GET /live HTTP/1.1\r\nHost: box\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"

    @Test(arguments: [
        ("http_request", ByteBuffer(string: "GET / HTTP/1.1\r\nHost: box\r\n\r\n")),
        ("websocket_request", ByteBuffer(string: Self.webSocket)),
        ("rtsp_request", ByteBuffer(string: "OPTIONS rtsp://box:7411/cam RTSP/1.0\r\nCSeq: 1\r\n\r\n")),
        ("tls_unexpected", ByteBuffer(bytes: [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3])),
        ("bare_image", ByteBuffer(bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46])),
        ("wrong_byte_order", ByteBuffer(bytes: [32, 0, 0, 0, 1, 5])),
        ("message_too_large", ByteBuffer(integer: UInt32.max)),
        ("message_too_short", ByteBuffer(repeating: 0, count: 40)),
        ("ended", Message.end().bytes),
    ])
    func whatTheClientSentIsTheReason(reason: String, bytes: ByteBuffer) async throws {
        let entry = try await self.closing { _, client in
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(bytes)
            _ = try await client.remainingLines()
            try await client.close()
            try? await sent.get()
        }
        #expect(entry.metadata["reason"] == reason)
        #expect(entry.level == .info)
        #expect(entry.metadata["peer"]?.hasPrefix("127.0.0.1:") == true)
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private static func document() throws -> String {
        try String(contentsOf: Self.root.appending(path: "docs/deploying.md"), encoding: .utf8)
    }

    @Test func eachMessageInTheTableOfTheDocumentIsOneThatIsLogged() throws {
        let header = "| message | level | when, and with what |"
        let table = try #require(Self.document().split(separator: header).last?.split(separator: "\n\n").first)
        let messages = table.split(separator: "\n").flatMap { row in
            row.split(separator: "|").first?.matches(of: /`(.+?)(?: ?\.\.\.)?`/).map { String($0.1) } ?? []
        }
        #expect(messages.contains("connection closed") && messages.contains("files not reloaded,"))
        var sources = ""
        for module in ["GlyphwireServer", "GlyphwireHTTP", "glyphwire"] {
            let folder = Self.root.appending(path: "Sources/\(module)").path()
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.hasSuffix(".swift") {
                sources += try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
            }
        }
        for message in messages { #expect(sources.contains("\"\(message)"), "\(message)") }
    }

    @Test func theTableOfTheDocumentHasEachReason() throws {
        let table = try #require(Self.document().split(separator: "| `reason` |").last?.prefix { $0 != "#" })
        let reasons = table.split(separator: "\n").flatMap { row in
            row.split(separator: "|").first?.matches(of: /`([a-z_]+)`/).map { String($0.1) } ?? []
        }
        #expect(reasons == ConnectionEnd.allCases.map(\.rawValue))
    }

    @Test func eachFatalErrorIsAReason() {
        for code in WireError.Code.allCases where code.isFatal {
            #expect(ConnectionEnd(rawValue: code.rawValue) != nil, "\(code.rawValue)")
        }
    }

    @Test func aClientThatClosesAndOneThatIsCutOffAreToldApart() async throws {
        let closed = try await self.closing { _, client in
            _ = try await client.nextLine()
            try await client.close()
        }
        #expect(closed.metadata["reason"] == "client_closed")
        let lost = try await self.closing { _, client in
            _ = try await client.nextLine()
            try await client.reset()
        }
        #expect(lost.metadata["reason"] == "connection_lost")
    }

    @Test func tokensThatAreMissingWrongRevokedOrExpiredAreToldApart() async throws {
        func token(_ configuration: inout ServerConfiguration) {
            configuration.tokens = [AccessToken("old", name: "gate")]
            configuration.limits.wrongTokenDelay = .milliseconds(1)
        }
        let cases: [(String, Message, [AccessToken]?)] = [
            ("auth_required", .gray(1), nil),
            ("auth_failed", .configure(body: #"{"token":"guess"}"#), nil),
            ("token_revoked", .configure(body: #"{"token":"old"}"#), [AccessToken("new", name: "gate")]),
            (
                "token_expired", .configure(body: #"{"token":"old"}"#),
                [AccessToken("old", name: "gate", expirySeconds: 1)]
            ),
        ]
        for (reason, message, tokens) in cases {
            let entry = try await self.closing(token) { server, client in
                try await client.send(message)
                if let tokens {
                    for _ in 0..<2 { _ = try await client.nextLine() }
                    server.replace(tokens: tokens)
                }
                _ = try await client.remainingLines()
                try await client.close()
            }
            #expect(entry.metadata["reason"] == reason)
            #expect((entry.metadata["token"] == "gate") == (tokens != nil))
            #expect(entry.metadata["error"]?.contains("token") == true, "\(entry.metadata)")
        }
    }

    @Test func aKnownTokenThatIsRefusedIsNamedWithItsClientAndTheReason() async throws {
        let tokens = [
            AccessToken("past", name: "old", expirySeconds: 1), AccessToken("one", name: "gate", maxConnections: 1),
        ]
        let expired = try await self.closing({ $0.tokens = tokens }) { _, client in
            try await client.send(.configure(body: #"{"token":"past","client":"door"}"#))
            _ = try await client.remainingLines()
            try await client.close()
        }
        #expect(expired.metadata["reason"] == "token_expired")
        #expect(expired.metadata["token"] == "old" && expired.metadata["client"] == "door")
        #expect(expired.metadata["error"]?.contains("has expired") == true, "\(expired.metadata)")
        let crowded = try await self.closing({ $0.tokens = tokens }) { server, client in
            try await client.send(.configure(body: #"{"token":"one","client":"door"}"#))
            for _ in 0..<2 { _ = try await client.nextLine() }
            let other = try await TestClient.connect(port: server.port)
            try await other.send(.configure(body: #"{"token":"one","client":"yard"}"#))
            _ = try await other.remainingLines()
            try await other.close()
        }
        #expect(crowded.metadata["reason"] == "too_many_connections")
        #expect(crowded.metadata["token"] == "gate" && crowded.metadata["client"] == "yard")
        #expect(crowded.metadata["error"]?.contains("allowed for this token") == true, "\(crowded.metadata)")
    }

    @Test func whoeverShowsAWrongTokenIsNotNamed() async throws {
        let entry = try await self.closing({
            $0.tokens = [AccessToken("right", name: "gate")]
            $0.limits.wrongTokenDelay = .milliseconds(1)
        }) { _, client in
            try await client.send(.configure(body: #"{"token":"guess","client":"door"}"#))
            _ = try await client.remainingLines()
            try await client.close()
        }
        #expect(entry.metadata["token"] == "" && entry.metadata["client"] == "")
    }

    @Test func limitsAndTheEndOfTheServerAreReasons() async throws {
        let late = try await self.closing({ $0.limits.firstMessageTime = .milliseconds(50) }) { _, client in
            _ = try await client.remainingLines()
        }
        #expect(late.metadata["reason"] == "timeout")
        let crowded = try await self.closing({ $0.limits.maxConnections = 1 }) { server, client in
            _ = try await client.nextLine()
            let other = try await TestClient.connect(port: server.port)
            _ = try await other.remainingLines()
            try await other.close()
        }
        #expect(crowded.metadata["reason"] == "too_many_connections")
        #expect(crowded.metadata["error"]?.contains("of this server") == true, "\(crowded.metadata)")
        let stopped = try await self.closing { server, client in
            _ = try await client.nextLine()
            await server.shutDown()
            _ = try await client.remainingLines()
        }
        #expect(stopped.metadata["reason"] == "server_stopped")
        let bare = try await self.closing({ $0.isBehindProxy = true }) { _, client in
            try await client.send(.gray(1))
            _ = try await client.remainingLines()
            try await client.close()
        }
        #expect(bare.metadata["reason"] == "proxy_header_missing")
        #expect(bare.metadata["peer"]?.hasPrefix("127.0.0.1:") == true)
    }

    @Test func aNameThatWouldReverseTheLineIsMadeVisible() async throws {
        let entry = try await self.closing { _, client in
            try await client.send(.configure(StreamConfiguration(client: "gate\u{202E}x"), sequence: 1))
            try await client.send(.end())
            _ = try await client.remainingLines()
        }
        #expect(entry.metadata["client"] == #"gate\u{202E}x"#)
    }

    @Test func theFirstOfEachErrorIsLoggedAndTheOthersAreCounted() async throws {
        let (logger, entries) = Logger.recorded()
        try await TestServer.run({ $0.stream.delivery = .every }, logger: logger) { server in
            let client = try await TestClient.connect(port: server.port)
            let frames = (UInt64(1)...4).map { sequence in
                var frame = Message.gray(sequence)
                frame.header.orientation = 9
                return frame
            }
            try await client.send((frames + [.configure(body: #"{"x\n":1}"#, sequence: 5), .end()]).bytes)
            _ = try await client.remainingLines()
            try await client.close()
        }
        var seen: [LogEntry] = []
        // The server itself has no peer, and may stop meanwhile.
        for await entry in entries where entry.metadata["peer"] != nil {
            if entry.message == "connection closed" { break }
            seen.append(entry)
        }
        #expect(seen.map(\.message) == ["frame refused", "message refused", "error repeated"])
        #expect(seen.map { $0.metadata["code"] } == ["bad_orientation", "unknown_option", "bad_orientation"])
        #expect(seen.map { $0.metadata["sequence"] } == ["1", "5", nil])
        #expect(seen.last?.metadata["count"] == "3")
        #expect(seen.first?.metadata["error"]?.contains("orientation 9") == true)
        #expect(seen.allSatisfy { $0.level == .info && !($0.metadata["error"] ?? "").contains("\n") })
    }

    @Test func oneAddressDoesNotFillTheLog() async throws {
        let (logger, entries) = Logger.recorded()
        let count = LogLimit.maxEntries + 5
        try await TestServer.run(logger: logger) { server in
            for _ in 0..<count {
                let client = try await TestClient.connect(port: server.port)
                _ = try await client.nextLine()
                try await client.close()
            }
        }
        var closed = 0
        for await entry in entries where entry.message != "server stops" {
            guard entry.message == "connection closed" else {
                #expect(entry.message == "entries left out" && entry.level == .info)
                #expect(entry.metadata == ["entry": "connection closed", "address": "127.0.0.1", "count": "5"])
                break
            }
            closed += 1
        }
        #expect(closed == LogLimit.maxEntries)
    }

    @Test func anErrorOfTheServerIsLoggedAsOne() async throws {
        let (logger, entries) = Logger.recorded()
        let failing: StubReader.Body = { _, _, _ throws(RecognitionError) in
            throw RecognitionError(.inferenceFailed, "out of memory")
        }
        try await TestServer.run(reader: failing, logger: logger) { server in
            let client = try await TestClient.connect(port: server.port)
            try await client.send([Message.gray(1), .end()].bytes)
            _ = try await client.remainingLines()
            try await client.close()
        }
        let entry = try #require(await entries.first { $0.message == "frame refused" })
        #expect(entry.level == .error && entry.metadata["error"] == "out of memory")
    }
}
