import Foundation
import ImageCodecs
import GlyphwireProtocol
import TextModel
import GlyphwireServer
import NIOCore
import TestSupport
import TextRecognition
import Testing

@Suite(.timeLimit(.minutes(3))) struct HTTPServiceTests {
    @Test func aServerThatReadsIsReady() async throws {
        try await TestHTTPServer.run { server async throws in
            #expect(try await server.get("/healthz").body == "ok")
            let first = try await server.get("/readyz")
            #expect(first.status == 200 && first.body == "ready")
            #expect(try await server.get("/metrics").body.contains("\nglyphwire_ready 1\n"))
        }
    }

    @Test func aServerThatReadsWronglyIsNotReady() async throws {
        try await TestHTTPServer.run(
            engine: { $0.passesSelfTest = false },
            reader: { _, _, _ in .text("ROADY") }
        ) { server async throws in
            let first = try await server.get("/readyz")
            #expect(first.status == 503)
            #expect(first.body == #"failing: the self-test frame says "READY" and was read as "ROADY""#)
            #expect(try await server.get("/metrics").body.contains("\nglyphwire_ready 0\n"))
            #expect(try await server.get("/healthz").status == 200, "the process is alive all the same")
        }
    }

    @Test func aServerWhoseModelsFailIsNotReady() async throws {
        let failing: StubReader.Body = { _, _, _ throws(RecognitionError) in
            throw RecognitionError(.inferenceFailed, "out of memory")
        }
        try await TestHTTPServer.run(engine: { $0.passesSelfTest = false }, reader: failing) { server async throws in
            let response = try await server.get("/readyz")
            #expect(response.status == 503)
            #expect(response.body == "failing: the self-test frame could not be read: out of memory")
        }
    }

    @Test func aBusyServerStaysReady() async throws {
        let gate = Gate()
        let body: StubReader.Body = { _, _, _ in
            gate.wait()
            return .text("READY")
        }
        try await TestHTTPServer.run(workers: 1, reader: body) { server async throws in
            defer { gate.open() }
            #expect(try await server.get("/readyz", until: 200).status == 200)
            let client = try await TestClient.connect(port: server.port)
            try await client.send(Message.gray(1))
            while !(try await server.get("/metrics").body.contains("glyphwire_workers_busy 1\n")) {}
            #expect(try await server.get("/readyz").status == 200)
            gate.open()
            try await client.close()
        }
    }

    @Test func aDrainingServerReportsItUntilItHasFinished() async throws {
        let gate = Gate()
        let body: StubReader.Body = { _, _, _ in
            gate.wait()
            return .text("READY")
        }
        try await TestHTTPServer.run(reader: body) { server async throws in
            defer { gate.open() }
            let client = try await TestClient.connect(port: server.port)
            try await client.send(Message.gray(1))
            while !(try await server.get("/metrics").body.contains("glyphwire_workers_busy 1\n")) {}
            #expect(server.graceLeft == .seconds(10))
            await server.shutDown()
            #expect(try await server.get("/readyz", until: 503).body == "draining")
            #expect(server.graceLeft < .seconds(10), "the grace period is shared with the frame port")
            #expect(try await server.get("/healthz").status == 200)
            let metrics = try await server.get("/metrics").body
            #expect(metrics.contains("glyphwire_draining 1\n"))
            #expect(metrics.contains("glyphwire_connections_silent 0\n"))
            #expect(metrics.contains("glyphwire_ready 0\n"))
            gate.open()
            #expect(try await client.remainingLines().map(\.summary) == ["hello", "goaway 10000", "1: READY"])
            try await client.close()
        }
    }

    @Test func whereThereIsATokenRequestsMustShowIt() async throws {
        try await TestHTTPServer.run(token: AccessToken("s3cret/+")) { server async throws in
            for path in ["/", "/events", "/metrics", "/streams"] {
                let response = try await server.get(path)
                #expect(response.status == 401)
                #expect(response.headers["www-authenticate"] == "Bearer")
            }
            #expect(try await server.get("/metrics", headers: ["Authorization: Bearer s3cret"]).status == 401)
            #expect(try await server.get("/metrics", headers: ["Authorization: Basic s3cret/+"]).status == 401)
            #expect(try await server.get("/metrics?token=S3cret/%2B").status == 401)
            #expect(try await server.get("/streams?token=s3cret/%2B").status == 200)
            let metrics = try await server.get("/metrics", headers: ["Authorization: bearer s3cret/+"])
            #expect(metrics.status == 200)
            #expect(metrics.body.contains("glyphwire_tokens_refused_total{port=\"http\"} 7\n"))
            for path in ["/healthz", "/readyz"] { #expect(try await server.get(path).status != 401) }
        }
    }

    @Test func credentialsOfAnotherSchemeHideNoToken() async throws {
        try await TestHTTPServer.run(token: AccessToken("s3cret")) { server async throws in
            let proxy = "Authorization: Basic dXNlcjpwYXNz"
            #expect(try await server.get("/streams", headers: [proxy]).status == 401)
            #expect(try await server.get("/streams?token=s3cret", headers: [proxy]).status == 200)
            #expect(try await server.get("/streams", headers: [proxy, "X-Goog-Api-Key: s3cret"]).status == 200)
            // A client that names the scheme of this server means its token.
            for bearer in ["Authorization: Bearer", "Authorization: Bearer wrong"] {
                #expect(try await server.get("/streams?token=s3cret", headers: [bearer]).status == 401, "\(bearer)")
            }
        }
    }

    @Test func guessesAreLimitedOnBothPortsTogether() async throws {
        try await TestHTTPServer.run({ $0.limits.maxWrongTokens = 3 }, token: AccessToken("right")) {
            server async throws in
            // A page whose token was replaced repeats its requests with it.
            for _ in 0..<5 { #expect(try await server.get("/streams?token=old").status == 401) }
            #expect(try await server.get("/streams?token=right").status == 200)
            for token in ["a", "b"] { #expect(try await server.get("/streams?token=\(token)").status == 401) }
            let refused = try await server.get("/streams?token=right")
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] == "60")
            #expect(try await server.get("/streams").status == 401, "a request without a token is no guess")
            let client = try await TestClient.connect(port: server.port)
            #expect(try await client.remainingLines().map(\.summary) == ["hello", "too_many_guesses -"])
            try await client.close()
        }
    }

    @Test func tokensAreReplacedForRequestsAndOpenPagesToo() async throws {
        try await TestHTTPServer.run(token: AccessToken("old")) { server async throws in
            let page = try await server.request("/events?token=old")
            while let line = await page.nextText(), !line.hasPrefix("event: streams") {}
            #expect(try await server.get("/streams?token=old").status == 200)
            server.replace(tokens: [AccessToken("new")])
            #expect(try await server.get("/streams?token=old").status == 401)
            #expect(try await server.get("/streams?token=new").status == 200)
            // The page ends with an empty chunk.
            while let line = await page.nextText(), line != "0\r" {}
            try await page.close()
            // Pages with a valid token stay; events of the streams come once a second.
            let other = try await server.request("/events?token=new")
            var events = 0
            while events < 3, let line = await other.nextText(), line != "0\r" {
                if line.hasPrefix("event: streams") { events += 1 }
            }
            #expect(events == 3)
            try await other.close()
        }
    }

    @Test func aTokenThatHasExpiredAnswersNoRequest() async throws {
        try await TestHTTPServer.run(token: AccessToken("old", expirySeconds: 1)) { server async throws in
            #expect(try await server.get("/streams?token=old").status == 401)
        }
    }

    @Test func withoutATokenPagesOfOtherNamesAreKeptOut() async throws {
        try await TestHTTPServer.run { server async throws in
            for host in ["localhost", "127.0.0.1", "127.8.9.1", "[::1]", "cam.localhost"] {
                #expect(try await server.get("/streams", host: host).status == 200, "\(host)")
            }
            for host in ["example.org", "127.0.0.1.example.org", "10.0.0.1", "[::2]", "localhost.example"] {
                #expect(try await server.get("/streams", host: host).status == 403, "\(host)")
            }
            #expect(try await server.get("/healthz", host: "example.org").status == 200)
        }
    }

    /// A JPEG without an end marker.
    private static let jpegWithoutEnd: Message = {
        let pixel = PixelBuffer(width: 8, height: 8, format: .gray)
        let file = (try? pixel.withPixels { (view) throws(PictureError) in try JPEGEncoder().encode(view) }) ?? []
        let payload = ByteBuffer(bytes: file.dropLast(2))
        return Message(
            header: MessageHeader(type: .frame, format: .jpeg, payloadByteCount: payload.readableBytes),
            payload: payload
        )
    }()

    @Test func metricsCountWhatBecameOfFrames() async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.port)
            var wrong = Message.gray(2)
            wrong.header.orientation = 9
            try await client.send(
                [
                    .configure(StreamConfiguration(delivery: .every, clockOffsetMicroseconds: 0)), .gray(1), wrong,
                    .configure(body: "{", sequence: 3), .gray(4), Self.jpegWithoutEnd, .end(),
                ].bytes
            )
            _ = try await client.remainingLines()
            try await client.close()
            // Neither the connection nor the self-test must be counted, then or earlier.
            _ = try await server.get("/readyz", until: 200)
            var body = ""
            repeat { body = try await server.get("/metrics").body } while body.contains("glyphwire_connections 1\n")
            for line in [
                "glyphwire_frames_total{status=\"ok\",reason=\"read\"} 3",
                "glyphwire_frame_warnings_total{code=\"jpeg_no_end\"} 1",
                "glyphwire_frame_warnings_total{code=\"jpeg_damaged\"} 0",
                "glyphwire_frames_total{status=\"error\",reason=\"bad_orientation\"} 1",
                "glyphwire_error_lines_total{code=\"bad_configuration\"} 1",
                "glyphwire_frame_seconds_count 3",
                "glyphwire_frame_stage_seconds_count{stage=\"detect\"} 3",
                "glyphwire_frame_stage_seconds_bucket{stage=\"detect\",le=\"+Inf\"} 3",
                "glyphwire_frame_age_seconds_count 0",
                "glyphwire_connections_accepted_total 1",
                "glyphwire_connections_total 1",
                "glyphwire_workers 2",
                "glyphwire_queue_frames 0",
            ] {
                #expect(body.contains(line + "\n"), "\(line)")
            }
        }
    }

    @Test func agesThatOnlyAWrongClockExplainsAreCountedApart() async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.port)
            var (ancient, future) = (Message.gray(1), Message.gray(2))
            ancient.header.capturedMicroseconds = 1
            future.header.capturedMicroseconds = 1 << 62
            try await client.send(
                [
                    .configure(StreamConfiguration(delivery: .every, clockOffsetMicroseconds: 0)), ancient, future,
                    .end(),
                ].bytes
            )
            _ = try await client.remainingLines()
            try await client.close()
            let body = try await server.get("/metrics").body
            for line in [
                "glyphwire_frame_age_seconds_count 0", "glyphwire_frame_age_seconds_sum 0.0",
                "glyphwire_frame_age_outliers_total{reason=\"too_old\"} 1",
                "glyphwire_frame_age_outliers_total{reason=\"negative\"} 1",
            ] {
                #expect(body.contains(line + "\n"), "\(line)")
            }
        }
    }

    @Test func connectionsThatDoNotComeInAreCountedToo() async throws {
        try await TestHTTPServer.run({ $0.isBehindProxy = true }) { server async throws in
            let client = try await TestClient.connect(port: server.port)
            try await client.send(Message.gray(1))
            #expect(try await client.remainingLines().map(\.summary) == ["wrong_protocol -"])
            try await client.close()
            let body = try await server.get("/metrics").body
            #expect(body.contains("glyphwire_connections_total 1\n"))
            #expect(body.contains("glyphwire_error_lines_total{code=\"wrong_protocol\"} 1\n"))
            #expect(body.contains("glyphwire_connections_closed_total{reason=\"proxy_header_missing\"} 1\n"))
        }
    }

    @Test func streamsListConnections() async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.port)
            try await client.send(
                [.configure(body: #"{"client":"front \"door\"","delivery":"every"}"#), Self.jpegWithoutEnd, .ping()]
                    .bytes
            )
            while try await client.nextLine()?.summary != "pong 0" {}
            let response = try await server.get("/streams")
            #expect(response.headers["content-type"] == "application/json")
            let report = try JSONDecoder().decode(Report.self, from: Data(response.body.utf8))
            let stream = try #require(report.streams.first)
            #expect(report.streams.count == 1)
            #expect(stream.client == "front \"door\"")
            #expect(stream.peer.hasPrefix("127.0.0.1:"))
            #expect(stream.authenticated)
            #expect(stream.level == "fast")
            #expect(stream.delivery == "every")
            #expect(stream.frames["received"] == 1)
            #expect(stream.frames["ok"] == 1)
            #expect(stream.frames["unanswered"] == 0)
            #expect(stream.warnings == ["jpeg_no_end": 1])
            #expect(stream.rates.keys.sorted() == ["ok", "received"])
            #expect(stream.bytes["received"] ?? 0 > 36)
            #expect(stream.idle_seconds ?? -1 >= 0)
            #expect(stream.timings_us?.keys.sorted() == ["decode", "detect", "queue", "recognize", "total"])
            try await client.close()
            while try await server.get("/streams").body != #"{"streams":[]}"# {}
        }
    }

    @Test func aPathThatDoesNotExistIsAnsweredWithThoseThatDo() async throws {
        try await TestHTTPServer.run(token: AccessToken("s3cret")) { server async throws in
            let response = try await server.get("/status")
            #expect(response.status == 404)
            #expect(
                response.body == """
                    There is nothing at this path.

                    This server answers:
                      GET /                       the live page
                      GET /camera                 the page that makes the camera of a phone or laptop a stream
                      GET /events                 the frames and streams of the live page, as server-sent events
                      GET /healthz                whether the process answers
                      GET /readyz                 whether streams should be sent to this server
                      GET /metrics                metrics for Prometheus
                      GET /streams                the connections, as JSON
                      POST /v1/read               reads pictures, as the body or a form
                      POST /v1/images:annotate    reads pictures, as Google Cloud Vision does
                    Frames are sent to another port, over plain TCP.
                    """
            )
        }
    }

    @Test func theTableOfTheDocumentHasEachPathAndNoOther() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/deploying.md")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let rows = lines.drop { $0 != "| path | |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
        let documented = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
        let list = try await TestHTTPServer.run { server async throws in try await server.get("/status").body }
        let listed = list.matches(of: /\n  [A-Z]+ ([^ ]+)/).map { String($0.1) }
        #expect(documented.sorted() == listed.sorted())
    }

    @Test(
        arguments: [
            ("/healthz", "GET, HEAD"), ("/metrics/", "GET, HEAD"), ("/v1/projects/p/images%3Aannotate", nil),
        ] as [(String, String?)]
    )
    func anotherMethodIsAnsweredWithTheRightOne(path: String, allowed: String?) async throws {
        try await TestHTTPServer.run { server async throws in
            let method = allowed == nil ? "PUT" : "POST"
            let response = try await server.exchange(
                ["\(method) \(path) HTTP/1.1", "Host: localhost", "Connection: close", "Content-Length: 0"]
            )
            #expect(response.status == 405 && response.headers["allow"] == allowed ?? "POST")
        }
    }

    @Test(
        arguments: [
            ("/readyz", 200), ("/metrics", 200), ("/nowhere", 404), ("/v1/files:annotate", 404), ("/v1/read", 405),
            ("/v1/images:annotate", 405),
        ]
    )
    func aResponseToHeadIsFollowedByTheNext(path: String, status: Int) async throws {
        try await TestHTTPServer.run { server async throws in
            _ = try await server.get("/readyz", until: 200)
            let client = try await TestClient.connect(port: server.httpPort)
            let host = "HTTP/1.1\r\nHost: localhost\r\n"
            try await client.send(
                ByteBuffer(string: "HEAD \(path) \(host)\r\nGET /healthz \(host)Connection: close\r\n\r\n")
            )
            var lines: [String] = []
            while let line = await client.nextText() { lines.append(line) }
            try? await client.close()
            let end = try #require(lines.firstIndex(of: "\r"))
            let head = TestResponse(lines: Array(lines[...end]))
            #expect(head.status == status && head.headers["content-length"].flatMap { Int($0) } ?? 0 > 0)
            let next = TestResponse(lines: Array(lines[(end + 1)...]))
            #expect(next.status == 200 && next.body == "ok")
        }
    }

    @Test func theIconOfThePageNeedsNoToken() async throws {
        try await TestHTTPServer.run(token: AccessToken("s3cret")) { server async throws in
            let response = try await server.get("/favicon.ico")
            #expect(response.status == 200 && response.headers["content-type"] == "image/x-icon")
        }
    }

    @Test func theLastErrorOfAStreamIsReported() async throws {
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.port)
            var wrong = Message.gray(1)
            wrong.header.orientation = 9
            try await client.send([wrong, .ping()].bytes)
            while try await client.nextLine()?.summary != "pong 0" {}
            let frame = try await server.get("/streams").body
            #expect(frame.contains(#""last_error":{"code":"bad_orientation","message":"orientation 9 does not exist"#))
            try await client.send([Message.configure(body: "{"), .ping()].bytes)
            while try await client.nextLine()?.summary != "pong 0" {}
            #expect(try await server.get("/streams").body.contains(#""last_error":{"code":"bad_configuration","#))
            try await client.close()
        }
    }

    /// Parsed `/streams`.
    private struct Report: Decodable {
        struct Stream: Decodable {
            var client: String?
            var peer: String
            var authenticated: Bool
            var level: String
            var delivery: String
            var idle_seconds: Double?
            var frames: [String: Int]
            var warnings: [String: Int]
            var rates: [String: Double]
            var bytes: [String: Int]
            var timings_us: [String: Int]?
        }
        var streams: [Stream]
    }
}
