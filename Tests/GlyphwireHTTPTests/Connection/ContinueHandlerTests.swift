import NIOCore
import TestSupport
import Testing

/// Clients that wait for `100 Continue` before they send a body.
@Suite(.timeLimit(.minutes(3))) struct ContinueHandlerTests {
    private static let body = #"{"requests":[]}"#

    private static func head(of server: TestHTTPServer, length: Int = Self.body.utf8.count) -> String {
        "POST /v1/images:annotate HTTP/1.1\r\nHost: 127.0.0.1:\(server.httpPort)\r\nExpect: 100-continue\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(length)\r\n\r\n"
    }

    private static func send(_ text: String, by client: TestClient) async throws {
        try await client.send(ByteBuffer(string: text))
    }

    @Test func aWaitingClientGetsContinue() async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            // Twice, since a connection serves many requests.
            for _ in 0..<2 {
                try await Self.send(Self.head(of: server), by: client)
                #expect(await client.nextText() == "HTTP/1.1 100 Continue\r")
                #expect(await client.nextText() == "\r")
                try await Self.send(Self.body, by: client)
                #expect(await client.nextText() == "HTTP/1.1 200 OK\r")
                while let line = await client.nextText(), line != #"{"responses":[]}"# {}
            }
            try await client.close()
        }
    }

    @Test func aBodyThatIsTooLongIsRefusedBeforeItIsSent() async throws {
        try await TestHTTPServer.run(maxBodyBytes: 1000) { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            try await Self.send(Self.head(of: server, length: 1001), by: client)
            #expect(await client.nextText() == "HTTP/1.1 400 Bad Request\r")
            try await client.close()
        }
    }

    @Test func theWordToGoOnDoesNotBreakIntoAnEarlierAnswer() async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            let ask = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:\(server.httpPort)\r\n\r\n"
            try await Self.send(ask + Self.head(of: server), by: client)
            #expect(await client.nextText() == "HTTP/1.1 200 OK\r")
            var isTold = false
            while !isTold, let line = await client.nextText() { isTold = line.hasSuffix("HTTP/1.1 100 Continue\r") }
            #expect(isTold)
            try await Self.send(Self.body, by: client)
            #expect(await client.nextText() == "\r")
            #expect(await client.nextText() == "HTTP/1.1 200 OK\r")
            try await client.close()
        }
    }
}
