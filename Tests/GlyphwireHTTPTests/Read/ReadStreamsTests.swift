import GlyphwireProtocol
import GlyphwireServer
import HTTPTypes
import ImageCodecs
import NIOCore
import Synchronization
import TestSupport
import TextModel
import Testing

@testable import GlyphwireHTTP

/// Streams whose frames are requests to `/v1/read`, over sockets.
@Suite(.timeLimit(.minutes(3))) struct ReadStreamsTests {
    private func result(_ response: TestResponse) throws -> FrameResult {
        guard case .result(let result) = try ServerLine(json: ByteBuffer(string: response.body)) else {
            throw TestServer.NotListening()
        }
        return result
    }

    @Test func framesOfAStreamAreNumberedAndShownToOperators() async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        try await TestHTTPServer.run { server async throws in
            for number in 0..<3 {
                let result = try self.result(try await server.post("/v1/read?stream=a", body: jpeg))
                #expect(result.sequence == UInt64(number))
            }
            let other = try self.result(try await server.post("/v1/read?stream=b", body: jpeg))
            #expect(other.sequence == 0)
            let streams = try await server.get("/streams").body
            #expect(streams.contains(#""ok":3"#) && streams.contains(#""ok":1"#))
            #expect(streams.contains(#""peer":"HTTP""#))
        }
    }

    @Test func aStreamIsThatOfItsToken() async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        let tokens = [AccessToken("one", name: "gate"), AccessToken("two", name: "yard")]
        try await TestHTTPServer.run({ $0.tokens = tokens }) { server async throws in
            for number in 0..<2 {
                for token in ["one", "two"] {
                    let response = try await server.post("/v1/read?stream=a&token=\(token)", body: jpeg)
                    #expect(try self.result(response).sequence == UInt64(number), "\(token)")
                }
            }
            #expect(try await server.get("/streams?token=one").body.contains(#""ok":2"#))
        }
    }

    /// Checks the response to a frame that waits when a newer one comes.
    private func supersede(accepting type: String?, _ check: (TestResponse) throws -> Void) async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        let gate = Gate()
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let reader: StubReader.Body = { pixels, _, _ in
            continuation.yield()
            gate.wait()
            return .text("\(pixels.width)")
        }
        try await TestHTTPServer.run(workers: 1, reader: reader) { server async throws in
            async let first = server.post("/v1/read?stream=a", body: jpeg)
            for await _ in begun { break }
            let headers = type.map { ["Accept: \($0)"] } ?? []
            async let second = server.post("/v1/read?stream=a", body: jpeg, headers: headers)
            while !(try await server.get("/streams").body.contains(#""received":2"#)) {}
            async let third = server.post("/v1/read?stream=a", body: jpeg)
            let dropped = try await second
            gate.open()
            try check(dropped)
            #expect(try self.result(try await first).sequence == 0)
            #expect(try self.result(try await third).sequence == 2)
        }
    }

    @Test func aNewerFrameSupersedesTheOneThatWaits() async throws {
        try await self.supersede(accepting: nil) { response in
            #expect(response.status == 200)
            let outcome = try self.result(response).outcome
            guard case .dropped(by: 2) = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    @Test(arguments: ["text/plain", "text/html", "application/pdf"])
    func aSupersededFrameIsAnErrorWhereTheFormatHasNoPlaceForIt(type: String) async throws {
        try await self.supersede(accepting: type) { response in
            #expect(response.status == 503, "\(response.body)")
            #expect(response.body.contains(#""code":"overloaded","message":"a newer frame"#))
        }
    }

    @Test func aStreamEndsOnceItIsIdle() async throws {
        let server = GlyphwireServer(engine: StubEngine(), logger: .silent)
        let streams = ReadStreams(server: server)
        try await streams.withStream("a", of: nil) { _ in
            streams.closeIdle(at: .now + .seconds(60))
            #expect(server.monitor.streams.count == 1, "one whose request is not answered stays")
        }
        streams.closeIdle(at: .now + ReadStreams.maxIdleTime / 2)
        #expect(server.monitor.streams.count == 1)
        streams.closeIdle(at: .now + ReadStreams.maxIdleTime)
        #expect(server.monitor.streams.isEmpty)
    }

    @Test func tooManyStreamsAreRefusedUntilOneEnds() async throws {
        let streams = ReadStreams(server: GlyphwireServer(engine: StubEngine(), logger: .silent))
        for number in 0..<ReadStreams.maxCount { try await streams.withStream("\(number)", of: nil) { _ in } }
        let error = await #expect(throws: ReadError.self) { try await streams.withStream("one more", of: nil) { _ in } }
        #expect(error?.error.code == .overloaded)
        try await streams.withStream("0", of: nil) { _ in }
        streams.closeIdle(at: .now + ReadStreams.maxIdleTime)
        try await streams.withStream("one more", of: nil) { _ in }
    }

    @Test(arguments: [(FrameResult.Outcome.expired, "deadline"), (.dropped(by: 2), "superseded")])
    func theErrorOfAFrameThatWasNotReadSaysWhy(outcome: FrameResult.Outcome, reason: String) throws {
        let result = FrameResult(sequence: 1, capturedMicroseconds: 0, outcome: outcome, timings: FrameTimings())
        let error = try #require(ReadError(unread: result, graceLeft: .seconds(10)))
        #expect(error.error.code == .overloaded && error.error.message.contains(reason), "\(error.error.message)")
    }

    @Test(arguments: [
        (Duration.milliseconds(29_500), "30"), (.milliseconds(750), "1"), (.zero, "1"), (.seconds(-3), "1"),
    ])
    func aClientMayTryAgainWhenTheStoppingServerHasStopped(graceLeft: Duration, seconds: String) {
        let stops = ReadError(ofPicture: .serverStops, graceLeft: graceLeft)
        #expect(stops.status == .serviceUnavailable && stops.headers[.retryAfter] == seconds)
        let failed = ReadError(ofPicture: WireError(.internalError, "the models failed"), graceLeft: graceLeft)
        #expect(failed.status == .internalServerError && failed.headers.isEmpty)
    }
}
