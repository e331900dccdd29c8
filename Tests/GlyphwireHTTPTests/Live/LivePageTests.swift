import GlyphwireProtocol
import NIOCore
import Testing

@testable import GlyphwireHTTP
@testable import GlyphwireServer

@Suite(.timeLimit(.minutes(1))) struct LivePageTests {
    private let page = LivePage(tokenChanges: 0, maxBytes: 1 << 20)

    private func frame(_ line: String, stream: UInt64 = 1) throws -> LiveFrame {
        LiveFrame(try WatchedFrame.read(line, stream: stream), limits: WireLimits())
    }

    private func next() async -> String? {
        switch await self.page.next() {
        case .streams: "streams"
        case .frame(let frame): String(buffer: frame.event())
        case nil: nil
        }
    }

    @Test func aPageThatIsSlowGetsTheNewestFrameOfEachStreamAlone() async throws {
        #expect(await self.next() == "streams", "a page begins with the streams")
        for number in 1...5 {
            self.page.show(try self.frame(#"{"n":\#(number)}"#), of: 1)
            if number < 3 { self.page.show(try self.frame(#"{"m":\#(number)}"#, stream: 2), of: 2) }
        }
        #expect(await self.next() == "event: frame\ndata: {\"stream\":1,\"result\":{\"n\":5},\"jpeg\":\"AQID\"}\n\n")
        #expect(await self.next() == "event: frame\ndata: {\"stream\":2,\"result\":{\"m\":2},\"jpeg\":\"AQID\"}\n\n")
        self.page.showStreams()
        #expect(await self.next() == "streams")
        self.page.close()
        #expect(await self.next() == nil)
    }

    @Test(arguments: [(8_388_608, "AAA=\"}\n\n"), (8_388_609, "\"jpeg\":\"\",\"omitted_bytes\":8388609}\n\n")])
    func ofAPictureThatIsTooLargeForAPageTheSizeIsSent(byteCount: Int, end: String) throws {
        let payload = ByteBuffer(repeating: 0, count: byteCount)
        let frame = LiveFrame(try WatchedFrame.read("{}", stream: 1, payload: payload), limits: WireLimits())
        #expect(String(buffer: frame.event()).hasSuffix(end))
    }

    @Test func aPageThatIsNotReadKeepsNoMoreThanItsLimit() async throws {
        let page = LivePage(tokenChanges: 0, maxBytes: try self.frame("0").byteCount * 2)
        for stream in 1...9 { page.show(try self.frame("\(stream)", stream: UInt64(stream)), of: UInt64(stream)) }
        guard case .streams = await page.next() else { throw Unexpected() }
        for stream in 8...9 {
            guard case .frame(let frame) = await page.next() else { throw Unexpected() }
            #expect(String(buffer: frame.event()).contains("\"stream\":\(stream),"))
        }
    }

    private struct Unexpected: Error {}

    @Test func aPageWaitsForWhatComes() async throws {
        #expect(await self.next() == "streams")
        async let first = self.next()
        self.page.showStreams()
        #expect(await first == "streams")
        async let last = self.next()
        self.page.close()
        #expect(await last == nil)
    }

    @Test func aPageWithoutAReaderEnds() async throws {
        #expect(await self.next() == "streams")
        let reader = Task { await self.next() }
        reader.cancel()
        #expect(await reader.value == nil)
    }

    @Test(arguments: [
        ([], ""), ([102], "Zg=="), ([102, 111], "Zm8="), ([102, 111, 111], "Zm9v"), ([251, 255, 190, 0], "+/++AA=="),
    ])
    func bytesAreWrittenInBase64(bytes: [UInt8], text: String) {
        var buffer = ByteBuffer(string: "> ")
        buffer.writeBase64(ByteBuffer(bytes: bytes).readableBytesView)
        #expect(String(buffer: buffer) == "> " + text)
    }
}
