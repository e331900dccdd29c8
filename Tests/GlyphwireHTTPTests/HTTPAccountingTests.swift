import GlyphwireServer
import Logging
import TestSupport
import Testing

/// What the log and the metrics say about requests that are not served.
@Suite(.timeLimit(.minutes(1))) struct HTTPAccountingTests {
    /// The next entry with `message`.
    private func next(_ message: String, in entries: AsyncStream<LogEntry>) async throws -> LogEntry {
        let entry = try #require(await entries.first { $0.message == message })
        #expect(entry.metadata["port"] == "http")
        #expect(entry.metadata["peer"]?.hasPrefix("127.0.0.1:") == true)
        return entry
    }

    @Test func aWrongTokenIsAWarningWithoutTheToken() async throws {
        let (logger, entries) = Logger.recorded()
        try await TestHTTPServer.run(token: AccessToken("right"), logger: logger) { server async throws in
            #expect(try await server.get("/metrics?token=guess").status == 401)
        }
        let wrong = try await self.next("wrong token", in: entries)
        #expect(wrong.level == .warning && wrong.metadata["error"]?.hasPrefix("the token is not valid") == true)
        let refused = try await self.next("request refused", in: entries)
        #expect(refused.level == .info && refused.metadata["path"] == "/metrics" && refused.metadata["status"] == "401")
    }

    @Test func aTokenThatHasExpiredIsLoggedByItsName() async throws {
        let (logger, entries) = Logger.recorded()
        let token = AccessToken("old", name: "gate", expirySeconds: 1)
        try await TestHTTPServer.run(token: token, logger: logger) { server async throws in
            #expect(try await server.get("/metrics?token=old").status == 401)
        }
        let expired = try await self.next("expired token", in: entries)
        #expect(expired.level == .warning && expired.metadata["token"] == "gate")
    }

    @Test(arguments: [
        // The request, and what the log says of it.
        (["GET /nowhere HTTP/1.1", "Host: localhost", "Connection: close"], "GET", "/nowhere", "404"),
        (["POST /v1/read HTTP/1.0", "Content-Length: 0"], "POST", "/v1/read", "400"),
        (["GET /streams HTTP/1.1"], "", "", "400"),
        (["no request at all"], "", "", "400"),
    ])
    func aRequestThatIsRefusedIsLoggedAndCounted(
        lines: [String],
        method: String,
        path: String,
        status: String
    ) async throws {
        let (logger, entries) = Logger.recorded()
        try await TestHTTPServer.run(logger: logger) { server async throws in
            #expect(try await server.exchange(lines).status == Int(status))
            let metrics = try await server.get("/metrics").body
            #expect(metrics.contains("glyphwire_http_responses_total{status=\"\(status)\"} 1\n"))
        }
        let entry = try await self.next("request refused", in: entries)
        #expect(entry.metadata["method"] == method && entry.metadata["path"] == path)
        #expect(entry.level == .info && entry.metadata["status"] == status)
    }

    @Test func bytesAreCountedWithinTheConnection() async throws {
        try await TestHTTPServer.run { server async throws in
            let request = ["GET /healthz HTTP/1.1", "Host: localhost", "Connection: close"]
            let metrics = ["GET /metrics HTTP/1.1", "Host: localhost", "Connection: close"]
            #expect(try await server.exchange(request).status == 200)
            let body = try await server.exchange(metrics).body
            let length = (request + metrics + ["", ""]).map { $0.utf8.count + 2 }.reduce(0, +)
            #expect(body.contains("glyphwire_http_received_bytes_total \(length)\n"))
            #expect(body.contains("glyphwire_http_responses_total{status=\"200\"} 1\n"))
            let sent = try #require(body.firstMatch(of: /\nglyphwire_http_sent_bytes_total ([0-9]+)\n/))
            #expect(try #require(Int(sent.1)) > "HTTP/1.1 200 OK".utf8.count)
            #expect(body.contains("glyphwire_received_bytes_total 0\n"), "which is of the frame port")
        }
    }

    @Test func aConnectionBeyondTheLimitIsLoggedAndCounted() async throws {
        let (logger, entries) = Logger.recorded()
        try await TestHTTPServer.run(maxConnections: 1, logger: logger) { server async throws in
            let first = try await server.request("/healthz")
            while let line = await first.nextText(), line != "ok" {}
            #expect(try await server.get("/healthz").status == 200, "which is answered nevertheless")
            try await first.close()
            let metrics = try await server.get("/metrics", until: 200).body
            let name = "glyphwire_http_connections_refused_total{reason=\"too_many_connections\"} "
            #expect(metrics.contains(name) && !metrics.contains(name + "0\n"))
        }
        let entry = try await self.next("connection refused", in: entries)
        #expect(entry.level == .info && entry.metadata["reason"] == "too_many_connections")
    }

    @Test func aServerThatIsNotReadyRefusesNothing() async throws {
        let (logger, entries) = Logger.recorded()
        try await TestHTTPServer.run(
            logger: logger,
            engine: { $0.passesSelfTest = false },
            reader: { _, _, _ in .text("ROADY") }
        ) { server async throws in
            #expect(try await server.get("/readyz").status == 503)
            #expect(try await server.get("/nowhere").status == 404)
        }
        #expect(try await self.next("request refused", in: entries).metadata["path"] == "/nowhere")
    }
}
