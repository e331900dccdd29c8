import GlyphwireServer
import ImageCodecs
import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import GlyphwireHTTP

/// Clients that leave before they have their response.
@Suite(.timeLimit(.minutes(3))) struct ClientDisconnectTests {
    private static let head = HTTPServerRequestPart.head(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"))

    @Test(arguments: [(0, false), (1000, false), (1001, true)])
    func aClientThatClosesItsSideLaterHasLeft(milliseconds: Int, hasLeft: Bool) throws {
        let disconnect = ClientDisconnect()
        let channel = EmbeddedChannel(handler: DisconnectHandler(disconnect))
        try channel.writeInbound(Self.head)
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(Int64(milliseconds)))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(disconnect.hasLeft == hasLeft)
        channel.pipeline.fireChannelInactive()
        #expect(disconnect.hasLeft)
    }

    @Test func anIncompleteRequestHasAnErrorOfItsOwn() throws {
        let disconnect = ClientDisconnect()
        let channel = EmbeddedChannel(handler: DisconnectHandler(disconnect))
        for part in [Self.head, .end(nil), Self.head] { try channel.writeInbound(part) }
        channel.embeddedEventLoop.advanceTime(by: .seconds(5))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!disconnect.hasLeft)
    }

    @Test func workIsCancelledOnceTheClientHasLeft() async {
        let disconnect = ClientDisconnect()
        let isCancelledWhileItIsThere = await disconnect.withCancellation { Task.isCancelled }
        #expect(!isCancelledWhileItIsThere)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let (silence, sound) = AsyncStream.makeStream(of: Void.self)
        async let isCancelled = disconnect.withCancellation {
            beginning.yield()
            // Ends when the task is cancelled.
            for await _ in silence {}
            return Task.isCancelled
        }
        for await _ in begun { break }
        disconnect.report()
        #expect(await isCancelled)
        sound.finish()
        let isCancelledAfterwards = await disconnect.withCancellation { Task.isCancelled }
        #expect(isCancelledAfterwards)
    }

    @Test(arguments: ["/v1/read", "/v1/images:annotate"])
    func picturesOfAClientThatHasLeftAreNotRead(path: String) async throws {
        let (jpeg, png) = (try AnnotateRequests.jpeg.get(), try AnnotateRequests.png.get())
        let pictures = AnnotateRequests.body(Array(repeating: AnnotateRequests.image(png), count: 8))
        let body = path == "/v1/read" ? png : Array(pictures.utf8)
        let gate = Gate()
        let (reads, read) = AsyncStream.makeStream(of: Int.self)
        let reader: StubReader.Body = { pixels, _, _ in
            read.yield(pixels.width)
            gate.wait()
            return .text("\(pixels.width)")
        }
        try await TestHTTPServer.run(workers: 1, reader: reader) { server async throws in
            defer { gate.open() }
            var widths = reads.makeAsyncIterator()
            async let first = server.post("/v1/read", body: jpeg)
            let firstWidth = await widths.next()
            let client = try await TestClient.connect(port: server.httpPort)
            let head = ["POST \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.count)", "", ""]
            try await client.send(ByteBuffer(string: head.joined(separator: "\r\n")))
            try await client.send(ByteBuffer(bytes: body))
            while !(try await server.get("/metrics").body.contains("glyphwire_queue_frames 1\n")) {}
            try await client.reset()
            let expired = #"glyphwire_frames_total{status="expired",reason="deadline"} 1"#
            while !(try await server.get("/metrics").body.contains(expired)) {}
            gate.open()
            #expect(try await first.status == 200)
            #expect(try await server.post("/v1/read", body: jpeg).status == 200)
            let secondWidth = await widths.next()
            #expect(firstWidth == 64 && secondWidth == 64, "no picture of the other request was read in between")
        }
    }

    @Test func aClientThatClosesItsSideWithItsRequestIsAnswered() async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            let head = ["POST /v1/read HTTP/1.1", "Host: localhost", "Content-Length: \(jpeg.count)", "", ""]
            try await client.send(ByteBuffer(string: head.joined(separator: "\r\n")))
            try await client.send(ByteBuffer(bytes: jpeg))
            try await client.closeOutput()
            #expect(await client.nextText() == "HTTP/1.1 200 OK\r")
            while await client.nextText() != nil {}
            try? await client.close()
        }
    }

    @Test func aKeptConnectionIsOfUseAfterPicturesToo() async throws {
        let jpeg = try AnnotateRequests.jpeg.get()
        try await TestHTTPServer.run { server async throws in
            let client = try await TestClient.connect(port: server.httpPort)
            for _ in 0..<3 {
                let head = ["POST /v1/read HTTP/1.1", "Host: localhost", "Content-Length: \(jpeg.count)", "", ""]
                try await client.send(ByteBuffer(string: head.joined(separator: "\r\n")))
                try await client.send(ByteBuffer(bytes: jpeg))
                #expect(await client.nextText() == "HTTP/1.1 200 OK\r")
                while let line = await client.nextText(), !line.hasPrefix("{") {}
            }
            try await client.close()
        }
    }
}
