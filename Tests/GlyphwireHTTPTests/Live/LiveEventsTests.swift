import GlyphwireProtocol
import NIOCore
import TestSupport
import Testing

@testable import GlyphwireHTTP
@testable import GlyphwireServer

@Suite(.timeLimit(.minutes(3))) struct LiveEventsTests {
    /// The data of the next event of a kind.
    private func next(_ kind: String, from page: TestClient) async throws -> String {
        while let line = await page.nextText() {
            guard line == "event: \(kind)" else { continue }
            return try #require(await page.nextText())
        }
        throw Ended()
    }

    private struct Ended: Error {}

    @Test func anOpenPageIsShownFramesWithTheirPictures() async throws {
        try await TestHTTPServer.run { server async throws in
            let page = try await server.request("/events")
            #expect(try await self.next("streams", from: page) == #"data: {"streams":[]}"#)
            let client = try await TestClient.connect(port: server.port)
            try await client.send(Message.gray(7, byteCount: 4096))
            let data = try await self.next("frame", from: page)
            #expect(data.contains(#""result":{"type":"result","sequence":7,"#))
            #expect(data.contains(#""text":"7""#))
            #expect(data.contains(#""jpeg":"/9j/"#), "gray pixels become a JPEG on their way")
            while !(try await self.next("streams", from: page).contains(#""received":1"#)) {}
            try await client.close()
            try await page.close()
        }
    }

    @Test func theLastOfFramesThatFollowEachOtherFastIsShown() async throws {
        try await TestHTTPServer.run { server async throws in
            let page = try await server.request("/events")
            _ = try await self.next("streams", from: page)
            let client = try await TestClient.connect(port: server.port)
            let frames = (1...5).map { Message.gray($0) }
            try await client.send(([.configure(body: #"{"delivery":"every"}"#)] + frames).bytes)
            while !(try await self.next("frame", from: page).contains(#""sequence":5,"#)) {}
            try await client.close()
            try await page.close()
        }
    }

    @Test func aFrameThatCannotBeReadIsShownWithoutAPicture() async throws {
        try await TestHTTPServer.run { server async throws in
            let page = try await server.request("/events")
            _ = try await self.next("streams", from: page)
            let client = try await TestClient.connect(port: server.port)
            try await client.send(Message.frame(jpeg: ByteBuffer(string: "no JPEG"), sequence: 1))
            let data = try await self.next("frame", from: page)
            #expect(data.contains(#""code":"jpeg_corrupt""#))
            #expect(data.hasSuffix(#""jpeg":""}"#))
            try await client.close()
            try await page.close()
        }
    }

    @Test func pagesThatAreTooManyAreRefused() async throws {
        try await TestHTTPServer.run(maxPages: 1) { server async throws in
            let page = try await server.request("/events")
            _ = try await self.next("streams", from: page)
            #expect(try await server.get("/events").status == 503)
            try await page.close()
        }
    }

    @Test func pagesEndWithTheServer() async throws {
        try await TestHTTPServer.run { server async throws in
            let page = try await server.request("/events")
            _ = try await self.next("streams", from: page)
            await server.shutDown()
            while await page.nextText() != nil {}
            try await page.close()
        }
    }

    @Test func aPageThatOpensWhileTokensChangeCloses() async throws {
        let (_, feed) = Self.feed()
        // Its token was checked before the change, and it is added after.
        let page = try #require(feed.addPage(tokenChanges: 0))
        let newer = try #require(feed.addPage(tokenChanges: 1))
        for page in [page, newer] { #expect(await page.next() != nil) }
        feed.closePages(checkedBefore: 1)
        #expect(await page.next() == nil)
        feed.showStreams()
        #expect(await newer.next() != nil)
    }

    /// A feed for two pages, and its server.
    private static func feed() -> (ServerComponents, LiveFeed) {
        let core = ServerComponents(configuration: ServerConfiguration(), engine: StubEngine(), logger: .silent)
        return (core, LiveFeed(monitor: ServerMonitor(core), maxPages: 2, maxMemoryBytes: 1 << 20))
    }

    @Test func framesOfClosedStreamsDoNotWaitForAPageThatIsNotRead() async throws {
        let (core, feed) = Self.feed()
        let page = try #require(feed.addPage(tokenChanges: 0))
        let stream = LocalStream(peer: "test", components: core)
        let open = try #require(ServerMonitor(core).streams.first).id
        // The frame of the closed one would be the first.
        for stream in [open + 1, open] { try feed.frameAnswered(.read("1", stream: stream)) }
        feed.showStreams()
        guard case .streams = await page.next(), case .frame(let frame) = await page.next() else { throw Ended() }
        #expect(String(buffer: frame.event()).contains("\"stream\":\(open),"))
        stream.close()
    }

    @Test func aPageThatIsNotReadCloses() async throws {
        try await TestHTTPServer.run({ $0.limits.slowReaderTime = .milliseconds(100) }) { server async throws in
            let page = try await TestClient.connect(port: server.httpPort, reads: false)
            try await page.send(ByteBuffer(string: "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"))
            while !(try await server.get("/metrics").body.contains("glyphwire_live_pages 1\n")) {}
            let client = try await TestClient.connect(port: server.port)
            try await client.send(Message.frame(jpeg: try Self.jpeg(commentByteCount: 6 << 20), sequence: 1))
            while !(try await server.get("/metrics").body.contains("glyphwire_live_pages 0\n")) {}
            try await client.close()
            try? await page.close()
        }
    }

    /// A JPEG with comments, which are in the event of its frame and fill the sockets: Linux lets them grow to 4 MiB.
    private static func jpeg(commentByteCount: Int) throws -> ByteBuffer {
        let file = try AnnotateRequests.jpeg.get()
        // The marker of a comment and its length, which counts itself (T.81, B.2.4.5).
        let comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFF - 2)
        var bytes = ByteBuffer(bytes: file.prefix(2))
        for _ in 0...commentByteCount / comment.count { bytes.writeBytes(comment) }
        bytes.writeBytes(file.dropFirst(2))
        return bytes
    }

    @Test func nothingIsKeptWithoutWatchers() async throws {
        let (core, feed) = Self.feed()
        #expect(core.watchers.isEmpty)
        let pages = try [#require(feed.addPage(tokenChanges: 0)), #require(feed.addPage(tokenChanges: 0))]
        #expect(feed.addPage(tokenChanges: 0) == nil)
        #expect(!core.watchers.isEmpty)
        feed.remove(pages[0])
        #expect(!core.watchers.isEmpty)
        feed.remove(pages[1])
        #expect(core.watchers.isEmpty)
    }

    @Test func theDocumentLoadsNothingFromElsewhere() async throws {
        try await TestHTTPServer.run { server async throws in
            let response = try await server.get("/")
            #expect(response.status == 200)
            #expect(response.headers["content-type"] == "text/html; charset=utf-8")
            let policy = try #require(response.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none';"))
            let nonce = try #require(try /script-src 'nonce-([a-z0-9]+)'/.firstMatch(in: policy)).1
            #expect(response.body.contains("<script nonce=\"\(nonce)\">"))
            #expect(response.body.contains("<style nonce=\"\(nonce)\">"))
            for mark in ["/* css */", "/* js */", "NONCE", "src=", "<link", "@import", "url("] {
                #expect(!response.body.contains(mark), "\(mark)")
            }
            #expect(try await server.get("/").headers["content-security-policy"] != policy, "a nonce is used once")
        }
    }
}
