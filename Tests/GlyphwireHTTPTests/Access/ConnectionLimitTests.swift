import GlyphwireServer
import GlyphwireProtocol
import NIOCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ConnectionLimitTests {
    /// Opens a connection that stays open after its first response.
    private func open(_ server: TestHTTPServer) async throws -> TestClient {
        let client = try await server.request("/healthz")
        while let line = await client.nextText(), line != "ok" {}
        return client
    }

    /// Asks the server on an open connection how many it has accepted beyond the limit.
    private func refusedConnections(_ server: TestHTTPServer, through client: TestClient) async throws -> Int {
        try await client.send(
            ByteBuffer(string: "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1:\(server.httpPort)\r\n\r\n")
        )
        let metric = #"glyphwire_http_connections_refused_total{reason="too_many_connections"} "#
        while let line = await client.nextText() {
            if line.hasPrefix(metric) { return try #require(Int(line.dropFirst(metric.count))) }
        }
        throw ChannelError.eof
    }

    @Test func requestsBeyondTheLimitAreRefused() async throws {
        try await TestHTTPServer.run(maxConnections: 4) { server async throws in
            // Three quarters are for one address.
            var clients: [TestClient] = []
            for _ in 0..<3 { clients.append(try await self.open(server)) }
            let refused = try await server.get("/streams", until: 503)
            #expect(
                refused.body == "all 3 connections allowed per address are in use; close one, or connect again later."
            )
            #expect(refused.headers["retry-after"] == "10")
            #expect(refused.headers["connection"] == "close")
            let metrics = "glyphwire_http_requests_refused_total"
            try await clients.removeLast().close()
            let accepted = try await server.get("/metrics", until: 200)
            #expect(accepted.body.contains("\(metrics) "))
            #expect(!accepted.body.contains("\(metrics) 0\n"))
            for client in clients { try await client.close() }
        }
    }

    @Test func picturesBeyondTheLimitGetAnErrorInTheFormOfTheirPath() async throws {
        try await TestHTTPServer.run(maxConnections: 1) { server async throws in
            let client = try await self.open(server)
            var response = try await server.post("/v1/read", body: "")
            while response.status != 503 { response = try await server.post("/v1/read", body: "") }
            #expect(response.body.contains(#""code":"too_many_connections""#))
            repeat { response = try await server.post("/v1/images:annotate", body: "") } while response.status != 503
            #expect(try response.annotations().error?.status == "UNAVAILABLE")
            repeat {
                response = try await server.exchange(["HEAD /v1/read HTTP/1.1", "Host: localhost"])
            } while response.status != 503
            #expect(response.body == "")
            try await client.close()
        }
    }

    @Test func aFloodDoesNotLookLikeAFailure() async throws {
        try await TestHTTPServer.run(maxConnections: 1) { server async throws in
            let client = try await self.open(server)
            #expect(try await server.get("/healthz", until: 200).body == "ok")
            #expect(try await server.get("/readyz", until: 200).body == "ready")
            try await client.close()
        }
    }

    @Test func anIdleConnectionBeyondTheLimitMakesRoomForTheNext() async throws {
        try await TestHTTPServer.run(
            { $0.limits.firstMessageTime = .seconds(600) },
            maxConnections: 1,
            idleTime: .seconds(600)
        ) { server async throws in
            let admitted = try await self.open(server)
            let idle = try await TestClient.connect(port: server.httpPort)
            // The server may accept a connection that was opened later before it.
            while try await self.refusedConnections(server, through: admitted) == 0 { await Task.yield() }
            #expect(try await server.get("/healthz", until: 200).body == "ok")
            #expect(await idle.nextText() == nil)
            try? await idle.close()
            try await admitted.close()
        }
    }
}
