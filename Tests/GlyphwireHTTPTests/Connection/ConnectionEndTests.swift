import GlyphwireServer
import NIOCore
import TestSupport
import Testing

/// Connections that are closed after their responses.
@Suite(.timeLimit(.minutes(3))) struct ConnectionEndTests {
    private static let body = AnnotateRequests.body([])

    /// Requests for every kind of route, with the status.
    private static let requests: [(lines: [String], body: String, status: Int)] = [
        (["GET /healthz HTTP/1.0"], "", 200), (["GET /metrics HTTP/1.0"], "", 200), (["GET / HTTP/1.0"], "", 200),
        (["GET /streams HTTP/1.0"], "", 200), (["GET /nowhere HTTP/1.0"], "", 404),
        (["POST /healthz HTTP/1.0", "Content-Length: 2"], "{}", 405),
        (["POST /v1/images:annotate HTTP/1.0", "Content-Length: \(body.utf8.count)"], body, 200),
        (["POST /v1/images:annotate HTTP/1.0", "Content-Length: 1"], "{", 400),
        (["POST /v1/images:annotate HTTP/1.0", "Content-Encoding: br", "Content-Length: 1"], "{", 415),
        (["GET /metrics HTTP/1.0", "Host: example.org"], "", 403),
    ]

    @Test func aClientOfTheFirstVersionIsAnsweredAndTheConnectionClosed() async throws {
        try await TestHTTPServer.run { server async throws in
            for request in Self.requests {
                for header in [[], ["Connection: close"], ["Connection: close, keep-alive"], ["Connection: TE"]] {
                    // Returns when the server has closed.
                    let response = try await server.exchange(request.lines + header, body: Array(request.body.utf8))
                    #expect(response.status == request.status, "\(request.lines)")
                    #expect(response.version == "HTTP/1.0")
                    #expect(response.headers["connection"] == "close")
                    #expect(response.headers["transfer-encoding"] == nil)
                }
            }
        }
    }

    @Test func withATokenThatIsSoForErrorsToo() async throws {
        try await TestHTTPServer.run(token: AccessToken("s3cret")) { server async throws in
            #expect(try await server.exchange(["GET /metrics HTTP/1.0"]).status == 401)
        }
    }

    @Test func theEventsOfTheLivePageComeWithoutChunks() async throws {
        try await TestHTTPServer.run { server async throws in
            for header in ["Accept: */*", "Connection: keep-alive"] {
                let client = try await TestClient.connect(port: server.httpPort)
                try await client.send(ByteBuffer(string: "GET /events HTTP/1.0\r\n\(header)\r\n\r\n"))
                var lines: [String] = []
                while let line = await client.nextText() {
                    lines.append(line)
                    if line.hasPrefix("data: ") { break }
                }
                let response = TestResponse(lines: lines)
                #expect(response.headers["connection"] == "close" && response.headers["transfer-encoding"] == nil)
                #expect(response.body == "event: streams\ndata: {\"streams\":[]}")
                try await client.close()
            }
        }
    }

    @Test func eventsThatEndCloseTheConnectionOfAClientThatWantedToKeepIt() async throws {
        try await TestHTTPServer.run(token: AccessToken("old")) { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            try await client.send(
                ByteBuffer(string: "GET /events?token=old HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            )
            while let line = await client.nextText(), !line.hasPrefix("data: ") {}
            server.replace(tokens: [AccessToken("new")])
            while await client.nextText() != nil {}
            try? await client.close()
        }
    }

    @Test func keepAliveKeepsTheConnectionOfAnOldClient() async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            for _ in 0..<3 {
                try await client.send(
                    ByteBuffer(
                        string: "GET /healthz HTTP/1.0\r\nConnection: Keep-Alive\r\nExpect: 100-continue\r\n\r\n"
                    )
                )
                #expect(await client.nextText() == "HTTP/1.0 200 OK\r")
                var headers: [String] = []
                while let line = await client.nextText(), line != "\r" { headers.append(line.lowercased()) }
                #expect(headers.contains("connection: keep-alive\r") && headers.contains("content-length: 3\r"))
                #expect(await client.nextText() == "ok")
            }
            try await client.send(ByteBuffer(string: "GET /healthz HTTP/1.0\r\n\r\n"))
            while await client.nextText() != nil {}
            try? await client.close()
        }
    }

    @Test func anHTTP11ClientKeepsItsConnectionUnlessItRequestsAClose() async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
            // Two at once, in a row, and a last one, in a list and in capitals.
            try await client.send(
                ByteBuffer(string: "\(request)\r\n\(request)\r\n\(request)Connection: TE, Close\r\n\r\n")
            )
            var lines: [String] = []
            while let line = await client.nextText() { lines.append(line) }
            #expect(lines.filter { $0 == "HTTP/1.1 200 OK\r" }.count == 3)
            #expect(lines.filter { $0.lowercased() == "connection: close\r" }.count == 1)
            try? await client.close()
        }
    }

    @Test(arguments: [[], ["Host: localhost", "Host: localhost"], ["Host: localhost", "host: example.org"]])
    func aRequestWithoutOneHostIsRefusedAndTheConnectionClosed(hosts: [String]) async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            let requests = [["Host: localhost"], hosts, ["Host: localhost"]].map { hosts in
                (["GET /healthz HTTP/1.1"] + hosts + ["", ""]).joined(separator: "\r\n")
            }
            try await client.send(ByteBuffer(string: requests.joined()))
            var lines: [String] = []
            while let line = await client.nextText() { lines.append(line) }
            try? await client.close()
            let statuses = lines.filter { $0.contains("HTTP/1.1") }.map { $0.split(separator: " ")[1] }
            #expect(statuses == ["200", "400"])
        }
    }

    @Test func whatIsNoRequestIsRefusedAndTheConnectionClosed() async throws {
        try await TestHTTPServer.run { server async throws in
            #expect(try await server.exchange(["GET"]).status == 400)
            #expect(try await server.exchange(["GET / HTTP/9.9"]).status == 400)
        }
    }
}
