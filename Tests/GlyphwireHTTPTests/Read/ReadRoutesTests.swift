import Foundation
import GlyphwireProtocol
import GlyphwireServer
import ImageCodecs
import NIOCore
import TestSupport
import TextModel
import TextRecognition
import Testing

/// `POST /v1/read` over sockets.
@Suite(.timeLimit(.minutes(3))) struct ReadRoutesTests {
    /// Reports the options and the picture.
    private static let reader: StubReader.Body = { pixels, orientation, options throws(RecognitionError) in
        .text("\(options.level) \(pixels.width)x\(pixels.height) \(orientation.rawValue)")
    }

    /// A form with pictures.
    private static func form(_ files: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        files.flatMap { file in
            let head = "--XY\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\n\r\n"
            return Array(head.utf8) + file.bytes + Array("\r\n".utf8)
        } + Array("--XY--\r\n".utf8)
    }

    private static let formType = "Content-Type: multipart/form-data; boundary=XY"

    private func results(_ response: TestResponse) throws -> [FrameResult] {
        try response.body.split(separator: "\n").map { line in
            guard case .result(let result) = try ServerLine(json: ByteBuffer(substring: line)) else {
                throw TestServer.NotListening()
            }
            return result
        }
    }

    private func text(_ result: FrameResult) -> String? {
        if case .ok(let text) = result.outcome { text.text } else { nil }
    }

    private func error(_ response: TestResponse) throws -> WireError {
        #expect(response.headers["content-type"] == "application/json")
        guard case .error(let line) = try ServerLine(json: ByteBuffer(string: response.body)) else {
            throw TestServer.NotListening()
        }
        #expect(!line.isFatal)
        return line.error
    }

    @Test func aPictureIsAnsweredWithItsResultLine() async throws {
        let (jpeg, png) = (try AnnotateRequests.jpeg.get(), try AnnotateRequests.png.get())
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let plain = try await server.post("/v1/read", body: jpeg)
            #expect(plain.status == 200 && plain.headers["content-type"] == "application/json")
            #expect(try self.results(plain).map { self.text($0) } == ["fast 64x48 1"])
            #expect(!plain.body.contains("\"picture\""))
            let curl = try await server.post(
                "/v1/read?level=accurate&orientation=3",
                body: png,
                headers: ["Content-Type: application/x-www-form-urlencoded"]
            )
            #expect(try self.results(curl).map { self.text($0) } == ["accurate 40x30 3"])
        }
    }

    @Test func filesOfAFormAreAnsweredWithALineEachInOrder() async throws {
        let (jpeg, png) = (try AnnotateRequests.jpeg.get(), try AnnotateRequests.png.get())
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let files = (0..<12).map { ("\($0).x", $0 == 7 ? Array("%PDF-1.7".utf8) : $0 % 2 == 0 ? jpeg : png) }
            let response = try await server.post("/v1/read", body: Self.form(files), headers: [Self.formType])
            #expect(response.status == 200 && response.headers["content-type"] == "application/x-ndjson")
            let results = try self.results(response)
            #expect(results.map(\.sequence) == Array(0..<12))
            for (index, result) in results.enumerated() {
                let expected = index % 2 == 0 ? "fast 64x48 1" : "fast 40x30 1"
                #expect(self.text(result) == (index == 7 ? nil : expected))
            }
            #expect(response.body.contains(#""sequence":7,"picture":"7.x","#))
            #expect(response.body.contains(#""code":"file_unsupported","message":"7.x is a PDF file;"#))
        }
    }

    @Test func picturesThatAStoppingServerDoesNotReadMayBeSentAgain() async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        let (gate, (begun, continuation)) = (Gate(), AsyncStream<Void>.makeStream())
        defer { gate.open() }
        let body: StubReader.Body = { _, _, _ in
            continuation.yield()
            gate.wait()
            return .text("late")
        }
        // The gate stays closed until the server has ended.
        try await TestHTTPServer.run({ $0.grace = .seconds(3600) }, workers: 2, reader: body) { server async throws in
            async let read = server.post("/v1/read", body: jpeg)
            async let annotated = server.annotate([AnnotateRequests.image(jpeg)])
            for await _ in begun.prefix(2) {}
            server.cancelServer()
            let refused = try await read
            #expect(refused.status == 503)
            let seconds = try #require(refused.headers["retry-after"].flatMap { Int($0) })
            #expect((1...3600).contains(seconds))
            #expect(refused.body.contains(#""code":"internal_error""#))
            let (status, answer) = try await annotated
            #expect(status == 200 && answer.responses?.map(\.error?.code) == [14])
        }
    }

    @Test func textsBesideTheFilesOfAFormAreLeftOut() async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        func field(_ headers: String, _ content: [UInt8]) -> [UInt8] {
            Array("--XY\r\nContent-Disposition: form-data; name=\(headers)\r\n\r\n".utf8) + content + Array("\r\n".utf8)
        }
        let note = field("note", Array("BM\u{E9}".unicodeScalars.map { UInt8($0.value) }))
        let typed = field("token\r\nContent-Type: text/plain", Array("a token".utf8))
        // Pictures need no file names.
        let files = field("bare", jpeg) + field("file; filename=a.jpg", jpeg)
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let body = note + files + typed + field("submit", []) + Array("--XY--".utf8)
            let response = try await server.post("/v1/read", body: body, headers: [Self.formType])
            #expect(response.status == 200)
            #expect(try self.results(response).map { self.text($0) } == ["fast 64x48 1", "fast 64x48 1"])
            let alone = try await server.post("/v1/read", body: note + Array("--XY--".utf8), headers: [Self.formType])
            #expect(alone.status == 415 || alone.status == 422, "\(alone.body)")
        }
    }

    @Test(arguments: [
        ("text/plain", "==> a.jpg <==\nfast 64x48 1\n\n==> b.png <==\nfast 40x30 1"),
        ("text/tab-separated-values", "level\tpage_num"),
        ("text/html", "<?xml"), ("application/xml", "<?xml"),
    ])
    func anotherFormatIsOneDocument(type: String, start: String) async throws {
        let files = [("a.jpg", try AnnotateRequests.jpeg.get()), ("b.png", try AnnotateRequests.png.get())]
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let headers = [Self.formType, "Accept: \(type)"]
            let response = try await server.post("/v1/read", body: Self.form(files), headers: headers)
            #expect(response.status == 200 && response.headers["content-type"] == "\(type); charset=utf-8")
            #expect(response.body.hasPrefix(start) && response.body.contains("b.png"))
            // These have no place for an error.
            let bad = Self.form(files + [("c.png", Array("no".utf8))])
            let refused = try await server.post("/v1/read", body: bad, headers: headers)
            #expect(refused.status == 415)
            #expect(try self.error(refused).message.hasPrefix("c.png is text; "))
        }
    }

    @Test func aDocumentWithThePicturesIsBytes() async throws {
        let files = [("a.jpg", try AnnotateRequests.jpeg.get()), ("b.png", try AnnotateRequests.png.get())]
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let headers = [Self.formType, "Accept: application/pdf"]
            let response = try await server.post("/v1/read", body: Self.form(files), headers: headers)
            #expect(response.status == 200 && response.headers["content-type"] == "application/pdf")
            #expect(response.body.hasPrefix("%PDF-1.5") && response.body.contains("/Count 2"))
        }
    }

    @Test func errorsAreJSONWithAStatusAndACode() async throws {
        let (jpeg, png) = (try AnnotateRequests.jpeg.get(), try AnnotateRequests.png.get())
        let cut = Array(jpeg.dropLast(200))
        let two = Self.form([("a.jpg", jpeg), ("b.png", png)])
        let many = Self.form((0..<17).map { ("\($0)", [1]) })
        let regions =
            "%5B%7B%22name%22:%22a%22,%22regionOfInterest%22:%5B0,0,1,0.5%5D,%22find%22:%5B%22exit%22%5D%7D%5D"
        let option = Array("--XY\r\nContent-Disposition: form-data; name=level\r\n\r\nfast\r\n--XY--".utf8)
        let cases: [(path: String, body: [UInt8], headers: [String], status: Int, code: String, hint: String)] = [
            ("?level=quick", jpeg, [], 400, "bad_option", "fast"),
            ("?lvel=fast", jpeg, [], 400, "unknown_option", "did you mean \"level\"?"),
            ("?languages=tlh", jpeg, [], 400, "unsupported_language", "tlh"),
            ("?coordinates=vision", jpeg, ["Accept: text/html"], 400, "bad_option", "hocr"),
            ("?recognize=false", jpeg, ["Accept: text/plain"], 400, "bad_option", "no text"),
            ("?find=exit", jpeg, ["Accept: text/html"], 400, "bad_option", "hocr has no matches; ask for text/plain"),
            ("?regions=\(regions)", jpeg, ["Accept: application/pdf"], 400, "bad_option", "pdf has no matches"),
            ("?stream=a+b", jpeg, [], 400, "bad_option", "1 to 64 letters"),
            ("?stream=a", two, [Self.formType], 400, "bad_request", "one picture"),
            ("", jpeg, ["Accept: image/png"], 406, "bad_request", "application/json"),
            ("", [], [], 400, "empty_payload", "JPEG, PNG, WebP, TIFF, GIF or BMP"),
            ("", Self.form([]), [Self.formType], 400, "empty_payload", "multipart/form-data"),
            ("", Self.form([("", [])]), [Self.formType], 400, "empty_payload", "no picture"),
            ("", jpeg, [Self.formType], 400, "bad_request", "boundary"),
            ("", jpeg, ["Content-Type: multipart/mixed"], 415, "bad_request", "multipart/form-data"),
            ("", option, [Self.formType], 400, "bad_request", "?level=VALUE"),
            ("", many, [Self.formType], 413, "message_too_large", "17 pictures, the limit is 16"),
            ("", [UInt8](repeating: 0, count: 100_001), [], 413, "message_too_large", "100000"),
            ("", jpeg, ["Content-Encoding: br"], 415, "bad_request", "gzip"),
            ("", jpeg, ["Content-Encoding: gzip"], 400, "bad_request", "unpacked"),
            ("", ZlibPacker.pack(jpeg, .gzip), [], 400, "bad_request", "Content-Encoding: gzip"),
        ]
        try await TestHTTPServer.run(maxBodyBytes: 100_000, reader: Self.reader) { server async throws in
            for each in cases {
                let response = try await server.post("/v1/read" + each.path, body: each.body, headers: each.headers)
                let error = try self.error(response)
                #expect(response.status == each.status && error.code.rawValue == each.code, "\(error)")
                #expect(error.message.contains(each.hint), "\(error.message)")
            }
            // The error of an only picture is its result, and its status that of the response.
            for (body, status, code) in [(cut, 422, "jpeg_corrupt"), (Array(png.dropLast(20)), 422, "file_corrupt")] {
                let response = try await server.post("/v1/read", body: body)
                guard case .error(let error) = try self.results(response).first?.outcome else {
                    Issue.record("\(response.body)")
                    continue
                }
                #expect(response.status == status && error.code.rawValue == code)
            }
        }
    }

    @Test func otherMethodsAreRefusedAndNameTheOneThatIsOffered() async throws {
        try await TestHTTPServer.run { server async throws in
            for method in ["GET", "PUT", "PATCH", "DELETE"] {
                let response = try await server.exchange(
                    ["\(method) /v1/read HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Content-Length: 0"]
                )
                #expect(response.status == 405 && response.headers["allow"] == "POST")
                #expect(try self.error(response).message.contains("POST a picture to /v1/read"))
            }
        }
    }

    @Test func theTokenTheMemoryAndGzipAreThoseOfTheOtherRoutes() async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        let zipped = ZlibPacker.pack(jpeg, .gzip)
        try await TestHTTPServer.run(token: AccessToken("s3cret"), reader: Self.reader) { server async throws in
            let refused = try await server.post("/v1/read", body: jpeg)
            #expect(refused.status == 401 && refused.headers["www-authenticate"] == "Bearer")
            #expect(try self.error(refused).code == .authRequired)
            let wrong = try await server.post("/v1/read?token=guess", body: jpeg)
            #expect(wrong.status == 401 && wrong.headers["www-authenticate"] == "Bearer error=\"invalid_token\"")
            let error = try self.error(wrong)
            #expect(error.code == .authFailed && error.message.contains("the token is not valid"))
            #expect(try await server.post("/v1/read?token=s3cret&level=fast", body: jpeg).status == 200)
            let headers = ["Authorization: Bearer s3cret", "Content-Encoding: gzip"]
            let unpacked = try await server.post("/v1/read", body: zipped, headers: headers)
            #expect(try self.results(unpacked).map { self.text($0) } == ["fast 64x48 1"])
        }
        try await TestHTTPServer.run(maxMemoryBytes: 6000, reader: Self.reader) { server async throws in
            let large = try await server.post("/v1/read", body: [UInt8](repeating: 0, count: 8000))
            #expect(large.status == 503)
            #expect(try self.error(large).code == .overloaded)
            #expect(try await server.post("/v1/read", body: jpeg).status == 200)
        }
    }

    /// A picture that takes four times the memory of ``smallMemory`` to decode, and twice as much once it is.
    private static let large = Result {
        try PixelBuffer(width: 2048, height: 2048, format: .bgra).withPixels { try PNGEncoder().encode($0) }
    }

    private static let smallMemory = 8 << 20

    @Test(arguments: ["application/json", "application/pdf"])
    func anAllowedPictureIsReadHoweverLittleMemoryThereIs(type: String) async throws {
        let png = try Self.large.get()
        try await TestHTTPServer.run(maxMemoryBytes: Self.smallMemory, reader: Self.reader) { server async throws in
            async let first = server.post("/v1/read", body: png, headers: ["Accept: \(type)"])
            async let second = server.post("/v1/read", body: png, headers: ["Accept: \(type)"])
            for response in try await [first, second] {
                #expect(response.status == 200, "\(response.body.prefix(200))")
                #expect(response.headers["content-type"] == type)
            }
            let frame = try await server.post("/v1/read?stream=a", body: png)
            #expect(try self.results(frame).map { self.text($0) } == ["fast 2048x2048 1"])
        }
    }

    @Test(arguments: ["application/json", "application/pdf"])
    func aJPEGThatTakesMostOfTheMemoryIsReadAlone(type: String) async throws {
        // What is behind the picture is a part of the payload, too.
        let jpeg = try AnnotateRequests.jpeg.get() + [UInt8](repeating: 0, count: 50_000)
        try await TestHTTPServer.run(maxMemoryBytes: 60_000, reader: Self.reader) { server async throws in
            let response = try await server.post("/v1/read", body: jpeg, headers: ["Accept: \(type)"])
            #expect(response.status == 200, "\(response.body.prefix(200))")
        }
    }

    @Test func severalPicturesDoNotTakeMoreMemoryThanThereIsForADocument() async throws {
        let jpeg = try AnnotateRequests.jpeg.get() + [UInt8](repeating: 0, count: 25_000)
        let form = Self.form([("a.jpg", jpeg), ("b.jpg", jpeg)])
        try await TestHTTPServer.run(maxMemoryBytes: 60_000, reader: Self.reader) { server async throws in
            let headers = [Self.formType, "Accept: application/pdf"]
            let refused = try await server.post("/v1/read", body: form, headers: headers)
            #expect(try refused.status == 503 && self.error(refused).code == .overloaded)
            #expect(try await server.post("/v1/read", body: form, headers: [Self.formType]).status == 200)
        }
    }

    @Test(arguments: ["/v1/read", "/v1/read?stream=a"])
    func decodingCountsInTheTimes(path: String) async throws {
        let png = try Self.large.get()
        try await TestHTTPServer.run(reader: Self.reader) { server async throws in
            let started = ContinuousClock.now
            let response = try await server.post(path, body: png)
            let elapsed = (ContinuousClock.now - started) / .microseconds(1)
            let times = try #require(try self.results(response).first).timings
            // No machine unpacks 16 MiB of pixels within a millisecond.
            #expect(times.decode > 1000)
            #expect(times.total >= times.queue + times.decode)
            #expect(times.total >= times.decode + times.detect + times.recognize)
            #expect(Double(times.total) <= elapsed)
        }
    }

    @Test func theServersOwnDefaultsCount() async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        try await TestHTTPServer.run(
            { $0.stream.reading.level = .accurate },
            engine: { $0.levels = [.accurate] },
            reader: Self.reader
        ) { server async throws in
            #expect(
                try self.results(try await server.post("/v1/read", body: jpeg)).map { self.text($0) } == [
                    "accurate 64x48 1"
                ]
            )
            let refused = try await server.post("/v1/read?level=fast", body: jpeg)
            #expect(try refused.status == 400 && self.error(refused).code == .levelUnavailable)
        }
    }
}
