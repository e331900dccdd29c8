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
    /// Says what it was asked to do, and what it saw.
    private static let reader: StubReader.Body = { pixels, orientation, options throws(WireError) in
        if options.languages == ["xx"] { throw WireError(.unsupportedLanguage, "there is no xx") }
        let languages = options.languages.joined(separator: "+")
        return .text("\(options.level) \(pixels.width)x\(pixels.height) \(orientation.rawValue) \(languages)")
    }

    private typealias Request = AnnotateRequests

    @Test func featuresChooseTheLevelAndHintsTheLanguages() async throws {
        let (png, jpeg) = (try Request.png.get(), try Request.jpeg.get())
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let (status, answer) = try await server.annotate(
                [
                    Request.image(jpeg), Request.image(png, features: #"{"type":"DOCUMENT_TEXT_DETECTION"}"#),
                    Request.image(jpeg, more: #","imageContext":{"languageHints":["en"]}"#),
                    Request.image(png, features: #"{"type":5},{"type":11,"model":"builtin/latest"}"#),
                ]
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
        let jpeg = try Request.jpeg.get()
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let (status, answer) = try await server.annotate(
                [
                    Request.image(jpeg, features: #"{"type":"TEXT_DETECTION"},{"type":"LABEL_DETECTION"}"#),
                    Request.image(jpeg, features: #"{"type":"TEXT_DETECTION","model":"builtin/weekly"}"#),
                    #"{"image":{"source":{"gcsImageUri":"gs://a/b"}},"features":[{"type":5}]}"#,
                    #"{"features":[{"type":5}]}"#, Request.image(jpeg, features: ""),
                    Request.image(Array(jpeg.dropLast(100))), Request.image(Array("GIF89a".utf8)),
                    Request.image(jpeg, more: #","imageContext":{"languageHints":["xx"]}"#), Request.image(jpeg),
                ]
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
            let (status, answer) = try await server.annotate([#"{"image":7}"#])
            #expect(status == 400 && answer.responses == nil)
            #expect(answer.error?.code == 400 && answer.error?.status == "INVALID_ARGUMENT")
            #expect(answer.error?.message == "Invalid JSON payload received: expected an object at byte 22.")
            let (largeStatus, large) = try await server.annotate(
                [Request.image([UInt8](repeating: 0, count: 1000))]
            )
            #expect(largeStatus == 400 && large.error?.status == "INVALID_ARGUMENT")
            #expect(large.error?.message == "Request payload size exceeds the limit: 1000 bytes.")
            #expect(try await server.annotate([]).answer.responses?.isEmpty == true)
            #expect(try await server.get("/v1/images:annotate").status == 404)
        }
    }

    @Test func aServerWithoutMemoryForARequestSaysSo() async throws {
        let jpeg = try Request.jpeg.get()
        let png = try PixelBuffer(width: 100, height: 100, format: .gray).withPixels { try PNGEncoder().encode($0) }
        try await TestHTTPServer.run(maxMemoryBytes: 6000, reader: Self.reader) { server async throws in
            let large = Request.image([UInt8](repeating: 0, count: 8000))
            let (status, answer) = try await server.annotate([large])
            #expect(status == 503 && answer.error?.status == "UNAVAILABLE")
            // That memory has come back; but there is none for the pixels of a PNG.
            let codes = try await server.annotate([Request.image(png)]).answer.responses?.map {
                $0.error?.code
            }
            #expect(codes == [8])
            #expect(try await server.annotate([Request.image(jpeg)]).answer.responses?.first?.error == nil)
        }
    }

    @Test func projectsMayBeNamedAndTheTokenIsAnAPIKey() async throws {
        let jpeg = try Request.jpeg.get()
        try await TestHTTPServer.run(token: AccessToken("s3cret"), reader: Self.reader) { server async throws in
            let body = #"{"requests":[]}"#
            #expect(try await server.post("/v1/images:annotate", body: body).status == 401)
            #expect(try await server.post("/v1/images:annotate?key=secret", body: body).status == 401)
            for path in [
                "/v1/images:annotate", "/v1/projects/p/images:annotate", "/v1/projects/p/locations/eu/images:annotate",
            ] {
                let (status, answer) = try await server.annotate(
                    [Request.image(jpeg)],
                    path: "\(path)?key=s3cret"
                )
                #expect(status == 200 && answer.responses?.count == 1)
            }
            for header in ["X-Goog-Api-Key: s3cret", "Authorization: Bearer s3cret"] {
                #expect(try await server.annotate([], headers: [header]).status == 200)
            }
        }
    }

    @Test func picturesOfABatchAreReadByAllWorkersAndAnsweredInOrder() async throws {
        let jpeg = try Request.jpeg.get()
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
        let png = try Request.png.get()
        try await TestHTTPServer.run(reader: reader) { server async throws in
            let pictures = (0..<8).map { $0 % 2 == 0 ? jpeg : png }
            let (status, answer) = try await server.annotate(pictures.map { Request.image($0) })
            #expect(status == 200)
            let texts = try #require(answer.responses).map { $0.fullTextAnnotation?.text }
            #expect(texts == (0..<8).map { $0 % 2 == 0 ? "jpeg" : "png" })
            // They are counted as frames.
            let metrics = try await server.get("/metrics").body
            #expect(metrics.contains(#"glyphwire_frames_total{status="ok",reason="read"} 8"#))
        }
    }
}
