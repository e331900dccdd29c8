import GlyphwireClient
import GlyphwireProtocol
import TextModel
import NIOCore
import StubServer
import Testing

@testable import GlyphwireReplay

@Suite(.timeLimit(.minutes(1))) struct RecordingProxyTests {
    /// What a handler of a signal keeps.
    private final class Kept: Sendable {}

    @Test func aSignalKeepsNothingOfAHandlerThatWasRemoved() {
        let stop = StopSignal()
        weak var kept: Kept?
        do {
            let object = Kept()
            kept = object
            let handler = stop.onStop { withExtendedLifetime(object) {} }
            stop.remove(handler)
        }
        #expect(kept == nil)
        stop.stop()
    }

    @Test func onlyMissingTimesAreSetWhereverTheBytesAreSplit() {
        let messages = [
            .configure(StreamConfiguration()), TestSession.frame(1, captured: 0), TestSession.frame(2, captured: 9),
            .end(),
        ]
        var expected = messages
        expected[1].header.capturedMicroseconds = 77
        // After the end, an invalid length: from there on bytes are recorded unchanged.
        let rest: [UInt8] = [0, 0, 0, 3] + [UInt8](repeating: 1, count: 40)
        let bytes = TestSession.bytes(messages) + rest + [0, 0, 0]
        for split in 0...bytes.count {
            var stamp = CaptureStamp()
            var kept = stamp.stamp(ByteBuffer(bytes: bytes[..<split]), at: 77)
            kept.writeImmutableBuffer(stamp.stamp(ByteBuffer(bytes: bytes[split...]), at: 77))
            kept.writeImmutableBuffer(stamp.finish())
            #expect(Array(kept.readableBytesView) == TestSession.bytes(expected) + rest + [0, 0, 0])
            #expect(stamp.frameCount == 2)
        }
    }

    @Test func aHeaderThatIsCutOffIsKept() {
        var stamp = CaptureStamp()
        #expect(stamp.stamp(ByteBuffer(bytes: [0, 0, 0, 28, 1]), at: 1).readableBytes == 0)
        #expect(Array(stamp.finish().readableBytesView) == [0, 0, 0, 28, 1])
    }

    @Test func anOldSessionStaysWhereNothingWasRecorded() async throws {
        let folder = try TemporaryFolder()
        let output = try folder.file("live.gws", Array("old".utf8))
        let stop = StopSignal()
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let (recordings, recording) = AsyncStream.makeStream(of: RecordingProxy.Recording.self)
        // Port 1 has no server.
        let proxy = RecordingProxy(port: 0, serverHost: "127.0.0.1", serverPort: 1, output: output)
        async let run: Void = proxy.run(
            until: stop,
            onListening: { port.yield($0) },
            onRecording: { recording.yield($0) }
        )
        var listening = ports.makeAsyncIterator()
        var recorded = recordings.makeAsyncIterator()
        let session = try folder.file("in.gws", TestSession.bytes(TestSession.frames(1)))
        let configuration = ReplayConfiguration(session: session, port: try #require(await listening.next()))
        await #expect(throws: (any Error).self) { try await Replay(configuration).run() }
        let broken = try #require(await recorded.next())
        #expect(broken.bytes == 0 && broken.failure != nil)
        stop.stop()
        try await run
        #expect(try TemporaryFolder.text(of: output) == "old")
        #expect(try TemporaryFolder.names(in: folder.path) == ["in.gws", "live.gws"])
    }

    @Test func whatAClientSendsIsPassedOnAndKept() async throws {
        let folder = try TemporaryFolder()
        let output = try folder.file("live.gws")
        try await StubServer.withServer { server in
            let stop = StopSignal()
            let (ports, port) = AsyncStream.makeStream(of: Int.self)
            let (recordings, recording) = AsyncStream.makeStream(of: RecordingProxy.Recording.self)
            let proxy = RecordingProxy(port: 0, serverHost: "127.0.0.1", serverPort: server.port, output: output)
            async let run: Void = proxy.run(
                until: stop,
                onListening: { port.yield($0) },
                onRecording: { recording.yield($0) }
            )
            var listening = ports.makeAsyncIterator()
            var recorded = recordings.makeAsyncIterator()
            let proxyPort = try #require(await listening.next())
            let path = try folder.file("in.gws", TestSession.bytes(TestSession.frames(20, gap: .zero) + [.end()]))
            for number in 1...2 {
                let configuration = ReplayConfiguration(session: path, port: proxyPort, pace: .rate(1e6))
                let outcome = try await Replay(configuration).run()
                #expect(outcome.statistics.ok == 20)
                let kept = try #require(await recorded.next())
                #expect(kept.frames == 20)
                #expect(kept.failure == nil)
                #expect(kept.path == (number == 1 ? output : try folder.file("live.2.gws")))
            }
            stop.stop()
            try await run
        }
        var reader = try SessionReader(path: output)
        var frames: [Message] = []
        while let message = try reader.next() {
            if message.header.type == MessageType.frame.rawValue { frames.append(message) }
        }
        #expect(frames == TestSession.frames(20, gap: .zero))
    }
}
