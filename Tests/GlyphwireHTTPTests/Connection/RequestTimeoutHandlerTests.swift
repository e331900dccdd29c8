import GlyphwireServer
import NIOCore
import TestSupport
import Testing

/// Clients that do not act in time.
@Suite(.timeLimit(.minutes(1))) struct RequestTimeoutHandlerTests {
    /// More than the sockets hold: Linux lets them grow to 4 MiB.
    private static let text = String(repeating: "x", count: 8 << 20)

    /// Requests ``text`` and reads the beginning of the response, but no more.
    private func requestText(from server: TestHTTPServer) async throws -> TestClient {
        let client = try await TestClient.connect(port: server.httpPort, reads: false)
        let picture = try AnnotateRequests.jpeg.get()
        let head =
            "POST /v1/read HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\nConnection: close\r\n"
            + "Content-Length: \(picture.count)\r\n\r\n"
        try await client.send(ByteBuffer(string: head))
        try await client.send(ByteBuffer(bytes: picture))
        client.channel.read()
        #expect(await client.nextText() == "HTTP/1.1 200 OK\r")
        return client
    }

    /// Returns once a new connection has been idle for too long.
    private func waitForIdleTime(of server: TestHTTPServer) async throws {
        let client = try await TestClient.connect(port: server.httpPort)
        #expect(await client.nextText() == nil)
        try? await client.close()
    }

    @Test func aResponseThatIsReadLateIsComplete() async throws {
        try await TestHTTPServer.run(idleTime: .seconds(1), reader: { _, _, _ in .text(Self.text) }) {
            server async throws in
            let client = try await self.requestText(from: server)
            try await self.waitForIdleTime(of: server)
            try await client.startReading()
            var last: String?
            while let line = await client.nextText() { last = line }
            #expect(last?.utf8.count == Self.text.utf8.count)
            try? await client.close()
        }
    }

    @Test func aResponseThatIsNotReadIsCutOff() async throws {
        try await TestHTTPServer.run(
            { $0.limits.slowReaderTime = .milliseconds(100) },
            idleTime: .seconds(1),
            reader: { _, _, _ in .text(Self.text) }
        ) { server async throws in
            let client = try await self.requestText(from: server)
            try await self.waitForIdleTime(of: server)
            try await client.startReading()
            var last: String?
            while let line = await client.nextText() { last = line }
            #expect(last?.utf8.count != Self.text.utf8.count)
            try? await client.close()
        }
    }

    @Test(arguments: ["/v1/read", "/v1/images:annotate"])
    func aBodyThatIsLateIsAnswered(path: String) async throws {
        try await TestHTTPServer.run({ $0.limits.messageTime = .seconds(1) }) { server async throws in
            // Returns when the server has closed.
            let response = try await server.exchange(
                ["POST \(path) HTTP/1.1", "Host: localhost", "Content-Length: 2"],
                body: [1]
            )
            #expect(response.status == 408 && response.headers["connection"] == "close")
            #expect(response.body.contains("did not arrive in time"))
        }
    }

    @Test(arguments: ["/healthz", "/events"])
    func aBodyThatIsLateForItsResponseClosesTheConnection(path: String) async throws {
        try await TestHTTPServer.run({ $0.limits.messageTime = .seconds(1) }) { server async throws in
            let response = try await server.exchange(
                ["GET \(path) HTTP/1.1", "Host: localhost", "Content-Length: 1"]
            )
            #expect(response.status == 200)
        }
    }

    @Test func aHeadThatIsLateClosesTheConnection() async throws {
        try await TestHTTPServer.run({ $0.limits.messageTime = .seconds(1) }) { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            try await client.send(ByteBuffer(string: "GET /healthz HTTP/1.1\r\nHost:"))
            #expect(await client.nextText() == nil)
            try? await client.close()
        }
    }

    @Test func aQuietConnectionIsAskedForASignOfLife() async throws {
        try await TestHTTPServer.run({ $0.limits.peerTime = .seconds(40) }) { server async throws in
            let client = try await server.request("/healthz")
            while let line = await client.nextText(), line != "ok" {}
            let own = try #require(client.channel.localAddress?.port)
            let hundredths = try KeepAliveTimer.hundredths(from: server.httpPort, to: own)
            #expect((1...2001).contains(hundredths))
            try await client.close()
        }
    }
}
