import Foundation
import ImageCodecs
import GlyphwireProtocol
import TextModel
import GlyphwireServer
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import TestSupport
import TextRecognition
import Testing

/// Compatibility with Google Cloud Vision, over sockets.
@Suite(.timeLimit(.minutes(3))) struct CloudVisionTests {
    /// Reports its options and its input as text.
    private static let reader: StubReader.Body = { pixels, orientation, options throws(RecognitionError) in
        let languages = options.languages.joined(separator: "+")
        return .text("\(options.level) \(pixels.width)x\(pixels.height) \(orientation.rawValue) \(languages)")
    }

    private typealias Request = AnnotateRequests

    @Test func featuresChooseTheLevel() async throws {
        let (png, jpeg) = (try Request.png.get(), try Request.jpeg.get())
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let (status, answer) = try await server.annotate([
                Request.image(jpeg), Request.image(png, features: #"{"type":"DOCUMENT_TEXT_DETECTION"}"#),
                Request.image(png, features: #"{"type":5},{"type":11,"model":"builtin/latest"}"#),
            ])
            #expect(status == 200)
            let responses = try #require(answer.responses)
            let texts = ["fast 64x48 1 ", "accurate 40x30 1 ", "accurate 40x30 1 "]
            #expect(answer.texts == texts)
            #expect(responses.map { $0.textAnnotations?.first?.description } == texts)
            #expect(responses.map { $0.textAnnotations?.first?.locale } == ["und-Latn", "und-Latn", "und-Latn"])
            #expect(responses.allSatisfy { $0.error == nil })
        }
    }

    @Test func languageHintsNeitherFailNorLeaveTextOut() async throws {
        let jpeg = try Request.jpeg.get()
        let document = #"{"type":"DOCUMENT_TEXT_DETECTION"}"#
        let languages: [RecognitionLevel: [String]] = [.fast: ["en", "zh"], .accurate: ["en", "ja", "zh"]]
        try await TestHTTPServer.run(engine: { $0.languages = languages }, reader: Self.reader) { server async throws in
            // The hints, the level that supports them, and the language of Latin letters in the response.
            let cases = [
                (#"["en"]"#, "fast", "en"), (#"["en","ru"]"#, "fast", "en"), (#"["ja"]"#, "accurate", "und-Latn"),
                (#"["en-GB","ja-JP"]"#, "accurate", "en-GB"), (#"["zh-Hans"]"#, "fast", "und-Latn"),
                (#"["ZH_hant"]"#, "fast", "und-Latn"), (#"["ru"]"#, "fast", "und-Latn"),
                (#"["tlh"]"#, "fast", "und-Latn"),
                (#"["","-","xx-yy","en"]"#, "fast", "en"), ("[]", "fast", "und-Latn"), ("null", "fast", "und-Latn"),
            ]
            let images = cases.map { Request.image(jpeg, hints: $0.0) }
            let answer = try await server.annotate(images).answer
            #expect(answer.texts == cases.map { "\($0.1) 64x48 1 " })
            #expect(answer.responses?.map { $0.textAnnotations?.first?.locale } == cases.map(\.2))
            let context = #","image_context":{"language_hints":["ru","en"]}"#
            let read = try await server.annotate([Request.image(jpeg, features: document, more: context)]).answer
            #expect(read.texts == ["accurate 64x48 1 "])
        }
    }

    @Test(arguments: RecognitionLevel.allCases)
    func aServerWithOneLevelReadsAtThat(level: RecognitionLevel) async throws {
        let jpeg = try Request.jpeg.get()
        try await TestHTTPServer.run(
            { $0.stream.reading.level = level },
            engine: { $0.levels = [level] },
            reader: Self.reader
        ) { server async throws in
            let document = Request.image(jpeg, features: #"{"type":11}"#)
            let answer = try await server.annotate([Request.image(jpeg), document]).answer
            #expect(answer.texts == ["\(level) 64x48 1 ", "\(level) 64x48 1 "])
        }
    }

    @Test func unsupportedFeaturesAreReportedAndDoNotAffectTheText() async throws {
        let jpeg = try Request.jpeg.get()
        let text = #"{"type":"TEXT_DETECTION"}"#
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let cases = [
                (text + #",{"type":"LABEL_DETECTION"}"#, "LABEL_DETECTION is not offered here; the text was read"),
                (#"{"type":"READ_MINDS"},"# + text, "READ_MINDS is not offered here; the text was read"),
                (#"{"type":8},{"type":4},{"type":4},"# + text, "8 and LABEL_DETECTION are not offered here"),
                (#"{"type":"TEXT_DETECTION","model":"builtin/weekly"}"#, "the model builtin/weekly is not offered"),
                (#"{},"# + text, "TYPE_UNSPECIFIED is not offered here"),
            ]
            let (status, answer) = try await server.annotate(cases.map { Request.image(jpeg, features: $0.0) })
            #expect(status == 200)
            #expect(answer.texts == cases.map { _ in "fast 64x48 1 " })
            for (response, expected) in zip(try #require(answer.responses), cases) {
                #expect(response.error?.code == 12)
                #expect(response.error?.message.contains(expected.1) == true, "\(response.error?.message ?? "")")
            }
        }
    }

    @Test func anErrorOfAPictureIsReportedForThatPictureOnly() async throws {
        let jpeg = try Request.jpeg.get()
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let (status, answer) = try await server.annotate([
                Request.image(jpeg, features: #"{"type":"LABEL_DETECTION"},{"type":"READ_MINDS"}"#),
                #"{"image":{"source":{"gcsImageUri":"gs://a/b"}},"features":[{"type":5}]}"#,
                #"{"features":[{"type":5}]}"#, Request.image(jpeg, features: ""),
                Request.image(Array(jpeg.dropLast(100))), Request.image(Array("%PDF-1.7".utf8)), Request.image(jpeg),
            ])
            #expect(status == 200)
            let responses = try #require(answer.responses)
            #expect(responses.map { $0.error?.code } == [12, 12, 3, 3, 3, 3, nil])
            let hints = [
                "LABEL_DETECTION and READ_MINDS are not offered here; ask for TEXT_DETECTION", "image.source",
                "image.content", "no feature",
                "Bad image data: image.content is a damaged or cut off JPEG; send the whole, undamaged file",
                "Bad image data: image.content is a PDF",
            ]
            for (response, hint) in zip(responses, hints) {
                #expect(response.error?.message.contains(hint) == true, "\(response.error?.message ?? "")")
                #expect(response.fullTextAnnotation == nil)
            }
            #expect(answer.texts.last == "fast 64x48 1 ")
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
            let (longStatus, long) = try await server.annotate(Array(repeating: "{}", count: 17))
            #expect(longStatus == 400 && long.error?.status == "INVALID_ARGUMENT")
            #expect(long.error?.message.hasPrefix("Too many requests: at most 16 are allowed") == true)
        }
    }

    @Test func whatIsNotServedHasGooglesErrorObjectToo() async throws {
        let method = "/v1/projects/p/images:annotate"
        try await TestHTTPServer.run({ $0.limits.maxWrongTokens = 2 }, token: AccessToken("right")) {
            server async throws in
            let cases = [
                ("", 401, "UNAUTHENTICATED", "requires a token"), ("?key=a", 401, "UNAUTHENTICATED", "not valid"),
                ("?key=b", 401, "UNAUTHENTICATED", "not valid"), ("?key=right", 429, "RESOURCE_EXHAUSTED", "wrong"),
            ]
            for (query, status, name, hint) in cases {
                let response = try await server.post(method + query, body: "{}")
                let error = try #require(try response.annotations().error)
                #expect(response.status == status && error.code == status && error.status == name, "\(error)")
                #expect(error.message.contains(hint), "\(error.message)")
            }
        }
        try await TestHTTPServer.run { server async throws in
            let get = try await server.get(method)
            #expect(try get.annotations().error?.status == "UNIMPLEMENTED")
            #expect(get.status == 405 && get.headers["allow"] == "POST")
            for path in ["/v1/files:annotate", "/v2/images%3Aannotate", "/v1/images:asyncBatchAnnotate"] {
                let response = try await server.post(path, body: "{}")
                #expect(try response.status == 404 && response.annotations().error?.status == "NOT_FOUND", "\(path)")
            }
            let lines = ["POST \(method) HTTP/1.1", "Host: example.org", "Connection: close", "Content-Length: 0"]
            let stranger = try await server.exchange(lines)
            #expect(try stranger.status == 403 && stranger.annotations().error?.status == "PERMISSION_DENIED")
        }
    }

    @Test func aServerWithoutMemoryForARequestReportsIt() async throws {
        let jpeg = try Request.jpeg.get()
        let png = try PixelBuffer(width: 100, height: 100, format: .gray).withPixels { try PNGEncoder().encode($0) }
        try await TestHTTPServer.run(maxMemoryBytes: 6000, reader: Self.reader) { server async throws in
            let large = Request.image([UInt8](repeating: 0, count: 8000))
            let (status, answer) = try await server.annotate([large])
            #expect(status == 503 && answer.error?.status == "UNAVAILABLE")
            // That memory has been released. Pictures without room for their pixels are read one after the other.
            let pictures = [png, jpeg, png].map { Request.image($0) }
            let texts = try await server.annotate(pictures).answer.texts
            #expect(texts == ["fast 100x100 1 ", "fast 64x48 1 ", "fast 100x100 1 "])
        }
    }

    @Test(arguments: ["", #"\n"#])
    func aPictureIsCountedBesideTheBodyThatItIsTakenFrom(escape: String) async throws {
        // 10.7 KB as a body, 8 KB more as a picture.
        let request = Request.image([UInt8](repeating: 0, count: 8000))
            .replacing(#""content":""#, with: #""content":"\#(escape)"#)
        for (memory, status) in [(14_000, 503), (64_000, 200)] {
            try await TestHTTPServer.run(maxMemoryBytes: memory, reader: Self.reader) { server async throws in
                #expect(try await server.annotate([request]).status == status)
            }
        }
    }

    @Test func bodiesAreTakenApartWhereThatHoldsNothingUp() async throws {
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let (gate, isOpen) = (Gate(), NIOLockedValueBox(false))
            let (begun, continuation) = AsyncStream<Void>.makeStream()
            let threadCount = NIOSingletons.blockingPoolThreadCountSuggestion
            for _ in 0..<threadCount {
                NIOThreadPool.singleton.submit { _ in
                    continuation.yield()
                    gate.wait()
                }
            }
            for await _ in begun.prefix(threadCount) {}
            @Sendable func isAnsweredLater(_ path: String, _ body: String, _ type: String) async throws -> Bool {
                _ = try await server.post(path, body: body, headers: ["Content-Type: \(type)"])
                return isOpen.withLockedValue(\.self)
            }
            async let annotated = isAnsweredLater("/v1/images:annotate", #"{"requests":[]}"#, "application/json")
            async let read = isAnsweredLater("/v1/read", "--XY--", "multipart/form-data; boundary=XY")
            defer { gate.open() }
            // Time in which the threads of tasks would have answered.
            for _ in 0..<20 { #expect(try await server.get("/healthz").status == 200) }
            isOpen.withLockedValue { $0 = true }
            gate.open()
            #expect(try await [annotated, read] == [true, true])
        }
    }

    @Test func projectsMayBeNamedAndTheTokenIsAnAPIKey() async throws {
        let jpeg = try Request.jpeg.get()
        try await TestHTTPServer.run(token: AccessToken("s3cret"), reader: Self.reader) { server async throws in
            let body = #"{"requests":[]}"#
            #expect(try await server.post("/v1/images:annotate", body: body).status == 401)
            #expect(try await server.post("/v1/images:annotate?key=secret", body: body).status == 401)
            for version in ["v1", "v1p1beta1", "v1p2beta1", "v1p3beta1", "v1p4beta1"] {
                for parent in ["", "projects/p/", "projects/p/locations/eu/"] {
                    for method in ["images:annotate", "images%3Aannotate", "images%3aannotate"] {
                        let path = "/\(version)/\(parent)\(method)"
                        #expect(try await server.post("\(path)?key=s3cret", body: body).status == 200, "\(path)")
                        #expect(try await server.post(path, body: body).status == 401, "\(path)")
                    }
                }
            }
            let answer = try await server.annotate([Request.image(jpeg)], path: "//v1/images:annotate?$key=s3cret")
                .answer
            #expect(answer.texts == ["fast 64x48 1 "], "an endpoint that ends in a slash")
            #expect(try await server.post("/v1/images:annotate?access_token=s3cret", body: body).status == 200)
            for header in ["X-Goog-Api-Key: s3cret", "Authorization: Bearer s3cret"] {
                #expect(try await server.annotate([], headers: [header]).status == 200)
            }
        }
    }

    @Test func picturesOfABatchAreReadByAllWorkersAndAnsweredInOrder() async throws {
        let jpeg = try Request.jpeg.get()
        let gate = Gate()
        let seen = NIOLockedValueBox(0)
        // The first picture waits until others were read, which needs a second worker.
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
