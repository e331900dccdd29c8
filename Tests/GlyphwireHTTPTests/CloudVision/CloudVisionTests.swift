import Foundation
import FrameCodecs
import GlyphwireProtocol
import GlyphwireServer
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import TextEngine
import Testing

/// The door of Google Cloud Vision, over sockets.
@Suite(.timeLimit(.minutes(3))) struct CloudVisionTests {
    private struct Answer: Decodable {
        struct Response: Decodable {
            struct Entity: Decodable {
                let locale: String?
                let description: String
            }
            struct Full: Decodable {
                let text: String
            }
            let textAnnotations: [Entity]?
            let fullTextAnnotation: Full?
            let error: Status?
        }
        struct Status: Decodable {
            let code: Int
            let message: String
            let status: String?
        }
        let responses: [Response]?
        let error: Status?
    }

    /// Says what it was asked to do, and what it saw.
    private static let reader: StubReader.Body = { pixels, orientation, options throws(WireError) in
        if options.languages == ["xx"] { throw WireError(.unsupportedLanguage, "there is no xx") }
        let languages = options.languages.joined(separator: "+")
        return .text("\(options.level) \(pixels.width)x\(pixels.height) \(orientation.rawValue) \(languages)")
    }

    private static let png = Result {
        try PixelBuffer(width: 40, height: 30, format: .gray).withPixels { try PNGEncoder().encode($0) }
    }

    private static let jpeg = Result {
        try PixelBuffer(width: 64, height: 48, format: .bgra).withPixels { try JPEGEncoder().encode($0) }
    }

    private static func request(
        _ picture: [UInt8],
        features: String = #"{"type":"TEXT_DETECTION"}"#,
        more: String = ""
    ) -> String {
        #"{"image":{"content":"\#(Data(picture).base64EncodedString())"},"features":[\#(features)]\#(more)}"#
    }

    private func annotate(
        _ requests: [String],
        on server: TestHTTPServer,
        path: String = "/v1/images:annotate",
        headers: [String] = []
    ) async throws -> (status: Int, answer: Answer) {
        let body = #"{"requests":[\#(requests.joined(separator: ","))]}"#
        let response = try await server.post(path, body: body, headers: headers)
        #expect(response.headers["content-type"] == "application/json; charset=utf-8")
        return (response.status, try JSONDecoder().decode(Answer.self, from: Data(response.body.utf8)))
    }

    @Test func featuresChooseTheLevelAndHintsTheLanguages() async throws {
        let (png, jpeg) = (try Self.png.get(), try Self.jpeg.get())
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let (status, answer) = try await self.annotate(
                [
                    Self.request(jpeg), Self.request(png, features: #"{"type":"DOCUMENT_TEXT_DETECTION"}"#),
                    Self.request(jpeg, more: #","imageContext":{"languageHints":["en"]}"#),
                    Self.request(png, features: #"{"type":5},{"type":11,"model":"builtin/latest"}"#),
                ],
                on: server
            )
            #expect(status == 200)
            let responses = try #require(answer.responses)
            let texts = ["fast 64x48 1 ", "accurate 40x30 1 ", "fast 64x48 1 en", "accurate 40x30 1 "]
            #expect(responses.map { $0.fullTextAnnotation?.text } == texts)
            #expect(responses.map { $0.textAnnotations?.first?.description } == texts)
            #expect(responses.map { $0.textAnnotations?.first?.locale } == ["und-Latn", "und-Latn", "en", "und-Latn"])
        }
    }

    @Test func whatIsNotOfferedIsSaidForThatPictureAlone() async throws {
        let jpeg = try Self.jpeg.get()
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let (status, answer) = try await self.annotate(
                [
                    Self.request(jpeg, features: #"{"type":"TEXT_DETECTION"},{"type":"LABEL_DETECTION"}"#),
                    Self.request(jpeg, features: #"{"type":"TEXT_DETECTION","model":"builtin/weekly"}"#),
                    #"{"image":{"source":{"gcsImageUri":"gs://a/b"}},"features":[{"type":5}]}"#,
                    #"{"features":[{"type":5}]}"#, Self.request(jpeg, features: ""),
                    Self.request(Array(jpeg.dropLast(100))), Self.request(Array("GIF89a".utf8)),
                    Self.request(jpeg, more: #","imageContext":{"languageHints":["xx"]}"#), Self.request(jpeg),
                ],
                on: server
            )
            #expect(status == 200)
            let responses = try #require(answer.responses)
            #expect(responses.map { $0.error?.code } == [12, 12, 12, 3, 3, 3, 3, 3, nil])
            let hints = [
                "LABEL_DETECTION", "builtin/weekly", "image.source", "image.content", "no feature", "Bad image data: ",
                "Bad image data: image.content is a GIF", "xx",
            ]
            for (response, hint) in zip(responses, hints) {
                #expect(response.error?.message.contains(hint) == true, "\(response.error?.message ?? "")")
                #expect(response.fullTextAnnotation == nil)
            }
        }
    }

    @Test func aRequestThatIsWrongAsAWholeIsRefusedAsAWhole() async throws {
        try await TestHTTPServer.run(maxBodyBytes: 1000) { server async throws in
            let (status, answer) = try await self.annotate([#"{"image":7}"#], on: server)
            #expect(status == 400 && answer.responses == nil)
            #expect(answer.error?.code == 400 && answer.error?.status == "INVALID_ARGUMENT")
            #expect(answer.error?.message == "Invalid JSON payload received: expected an object at byte 22.")
            let (largeStatus, large) = try await self.annotate(
                [Self.request([UInt8](repeating: 0, count: 1000))],
                on: server
            )
            #expect(largeStatus == 400 && large.error?.status == "INVALID_ARGUMENT")
            #expect(large.error?.message == "Request payload size exceeds the limit: 1000 bytes.")
            #expect(try await self.annotate([], on: server).answer.responses?.isEmpty == true)
            #expect(try await server.get("/v1/images:annotate").status == 404)
        }
    }

    @Test func aServerWithoutMemoryForARequestSaysSo() async throws {
        let jpeg = try Self.jpeg.get()
        let png = try PixelBuffer(width: 100, height: 100, format: .gray).withPixels { try PNGEncoder().encode($0) }
        try await TestHTTPServer.run(maxMemoryBytes: 6000, reader: Self.reader) { server async throws in
            let large = Self.request([UInt8](repeating: 0, count: 8000))
            let (status, answer) = try await self.annotate([large], on: server)
            #expect(status == 503 && answer.error?.status == "UNAVAILABLE")
            // That memory has come back; but there is none for the pixels of a PNG.
            let codes = try await self.annotate([Self.request(png)], on: server).answer.responses?.map {
                $0.error?.code
            }
            #expect(codes == [8])
            #expect(try await self.annotate([Self.request(jpeg)], on: server).answer.responses?.first?.error == nil)
        }
    }

    @Test func projectsMayBeNamedAndTheTokenIsAnAPIKey() async throws {
        let jpeg = try Self.jpeg.get()
        try await TestHTTPServer.run(token: AccessToken("s3cret"), reader: Self.reader) { server async throws in
            let body = #"{"requests":[]}"#
            #expect(try await server.post("/v1/images:annotate", body: body).status == 401)
            #expect(try await server.post("/v1/images:annotate?key=secret", body: body).status == 401)
            for path in [
                "/v1/images:annotate", "/v1/projects/p/images:annotate", "/v1/projects/p/locations/eu/images:annotate",
            ] {
                let (status, answer) = try await self.annotate(
                    [Self.request(jpeg)],
                    on: server,
                    path: "\(path)?key=s3cret"
                )
                #expect(status == 200 && answer.responses?.count == 1)
            }
            for header in ["X-Goog-Api-Key: s3cret", "Authorization: Bearer s3cret"] {
                #expect(try await self.annotate([], on: server, headers: [header]).status == 200)
            }
        }
    }

    @Test func picturesOfABatchAreReadByAllWorkersAndAnsweredInOrder() async throws {
        let jpeg = try Self.jpeg.get()
        let gate = Gate()
        let seen = NIOLockedValueBox(0)
        // The first picture waits until others were read, which takes a second worker.
        let reader: StubReader.Body = { pixels, _, _ in
            if pixels.width == 320 { return .text("READY") }
            let number = seen.withLockedValue { seen in
                seen += 1
                return seen
            }
            if number == 1 { gate.wait() }
            if number == 5 { gate.open() }
            return .text(pixels.width == 64 ? "jpeg" : "png")
        }
        let png = try Self.png.get()
        try await TestHTTPServer.run(reader: reader) { server async throws in
            let pictures = (0..<8).map { $0 % 2 == 0 ? jpeg : png }
            let (status, answer) = try await self.annotate(pictures.map { Self.request($0) }, on: server)
            #expect(status == 200)
            let texts = try #require(answer.responses).map { $0.fullTextAnnotation?.text }
            #expect(texts == (0..<8).map { $0 % 2 == 0 ? "jpeg" : "png" })
            // They are counted as frames.
            let metrics = try await server.get("/metrics").body
            #expect(metrics.contains(#"glyphwire_frames_total{status="ok",reason="read"} 8"#))
        }
    }
}

extension TestHTTPServer {
    /// Sends `body` to `path` on a connection of its own.
    fileprivate func post(_ path: String, body: String, headers: [String] = []) async throws -> TestResponse {
        let client = try await TestClient.connect(port: self.httpPort)
        let lines =
            [
                "POST \(path) HTTP/1.1", "Host: 127.0.0.1:\(self.httpPort)", "Connection: close",
                "Content-Length: \(body.utf8.count)",
            ] + headers + ["", body]
        try await client.send(ByteBuffer(string: lines.joined(separator: "\r\n")))
        var answer: [String] = []
        while let line = await client.nextText() { answer.append(line) }
        try? await client.close()
        return TestResponse(lines: answer)
    }
}
