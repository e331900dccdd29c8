import TestSupport
import GlyphwireProtocol
import Testing

@testable import GlyphwireHTTP

/// Compressed bodies, over sockets.
@Suite(.timeLimit(.minutes(3))) struct ContentCodingTests {
    private static let path = "/v1/images:annotate"

    private static func body() throws -> [UInt8] {
        Array(AnnotateRequests.body([AnnotateRequests.image(try AnnotateRequests.jpeg.get())]).utf8)
    }

    @Test func packedBodiesAreUnpacked() async throws {
        let body = try Self.body()
        let gzip = ZlibPacker.pack(body, .gzip)
        let cases: [(String, [UInt8])] = [
            ("gzip", gzip), ("GZIP", gzip), ("x-gzip", gzip), ("identity, gzip", gzip), ("identity", body), ("", body),
            ("deflate", ZlibPacker.pack(body, .zlib)), ("deflate", ZlibPacker.pack(body, .bare)),
            ("deflate, gzip", ZlibPacker.pack(ZlibPacker.pack(body, .zlib), .gzip)),
        ]
        try await TestHTTPServer.run { server async throws in
            for (coding, packed) in cases {
                let headers = ["Content-Encoding: \(coding)", "Content-Type: application/json"]
                let response = try await server.post(Self.path, body: packed, headers: headers)
                #expect(response.status == 200, "\(coding)")
                #expect(try response.annotations().texts == ["0"], "\(coding)")
            }
        }
    }

    @Test func aPackedBodyInChunksIsUnpacked() async throws {
        let packed = ZlibPacker.pack(try Self.body(), .gzip)
        try await TestHTTPServer.run { server async throws in
            var chunks: [UInt8] = []
            for start in stride(from: 0, to: packed.count, by: 100) {
                let chunk = packed[start..<min(start + 100, packed.count)]
                chunks += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
            }
            let response = try await server.exchange(
                [
                    "POST \(Self.path) HTTP/1.1", "Host: 127.0.0.1", "Connection: close", "Content-Encoding: gzip",
                    "Transfer-Encoding: chunked",
                ],
                body: chunks + Array("0\r\n\r\n".utf8)
            )
            #expect(try response.annotations().texts == ["0"])
        }
    }

    @Test(arguments: ["br", "zstd", "compress", "gzip, br", "gzip, gzip, gzip", "gzip;q=1"])
    func anUnknownCodingIsNamed(coding: String) async throws {
        try await TestHTTPServer.run { server async throws in
            let response = try await server.post(Self.path, body: "{}", headers: ["Content-Encoding: \(coding)"])
            #expect(response.status == 415)
            #expect(response.headers["accept-encoding"] == "gzip, deflate")
            let error = try response.annotations().error
            #expect(error?.code == 415 && error?.status == "INVALID_ARGUMENT")
            let name = coding.split(separator: " ").last ?? ""
            #expect(error?.message.contains("Content-Encoding \"\(name)\"") == true, "\(error?.message ?? "")")
        }
    }

    @Test func aBodyThatDoesNotMatchItsCodingIsRefused() async throws {
        let packed = ZlibPacker.pack(try Self.body(), .gzip)
        try await TestHTTPServer.run { server async throws in
            for (body, reason) in [
                (Array("{}".utf8), "incorrect header check"), (Array(packed.dropLast(9)), "it ends too early"),
            ] {
                let response = try await server.post(Self.path, body: body, headers: ["Content-Encoding: gzip"])
                #expect(response.status == 400)
                let message = try response.annotations().error?.message
                #expect(message?.hasPrefix("The body's Content-Encoding is gzip") == true)
                #expect(message?.contains(reason) == true, "\(message ?? "")")
            }
            let bare = try await server.post(Self.path, body: packed)
            #expect(try bare.annotations().error?.message.contains("Content-Encoding") == true)
        }
    }

    @Test func theLimitHoldsForWhatIsUnpacked() async throws {
        let bomb = ZlibPacker.pack([UInt8](repeating: 32, count: 20 << 20), .gzip)
        let twice = ZlibPacker.pack(bomb, .gzip)
        try await TestHTTPServer.run(maxBodyBytes: 1 << 20) { server async throws in
            for (body, coding) in [(bomb, "gzip"), (twice, "gzip, gzip")] {
                let response = try await server.post(Self.path, body: body, headers: ["Content-Encoding: \(coding)"])
                #expect(response.status == 400)
                let message = try response.annotations().error?.message
                #expect(message == "Request payload size exceeds the limit: 1048576 bytes.")
            }
        }
    }

    @Test(
        arguments: [
            BodyError.noMemory, .unknownCoding("br"), .damaged(.gzip, "it ends too early"), .unnamedGzip, .endedEarly,
            .late,
        ]
    )
    func aBodyHasTheSameErrorInEachInterface(error: BodyError) {
        let (google, read) = (GoogleError(error, maxByteCount: 1), ReadError(error, maxByteCount: 1))
        #expect(google.message.lowercased() == "\(read.error.message.lowercased()).")
    }

    @Test func whatIsUnpackedCountsAsMemory() async throws {
        let bomb = ZlibPacker.pack([UInt8](repeating: 32, count: 900_000), .gzip)
        let body = try Self.body()
        try await TestHTTPServer.run(maxMemoryBytes: 200_000) { server async throws in
            let response = try await server.post(Self.path, body: bomb, headers: ["Content-Encoding: gzip"])
            #expect(response.status == 503)
            // The memory has been released.
            let packed = ZlibPacker.pack(body, .gzip)
            let read = try await server.post(Self.path, body: packed, headers: ["Content-Encoding: gzip"])
            #expect(try read.annotations().texts == ["0"])
        }
    }
}
