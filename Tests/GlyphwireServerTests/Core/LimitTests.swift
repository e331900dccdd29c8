import Foundation
import ImageCodecs
import GlyphwireProtocol
import TextModel
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import TextRecognition
import Testing

@testable import GlyphwireServer

/// Each limit, reached by a client over a real socket.
@Suite(.timeLimit(.minutes(3))) struct LimitTests {
    /// The answers of a server with these limits to these bytes, up to its last line.
    private func answers(
        to bytes: ByteBuffer,
        reader: @escaping StubReader.Body = StubReader.firstByte,
        _ configure: (inout ServerConfiguration) -> Void
    ) async throws -> [String] {
        try await TestServer.run(configure, reader: reader) { server in
            let client = try await TestClient.connect(port: server.port)
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(bytes)
            let lines = try await client.remainingLines().map(\.summary)
            try? await client.close()
            try? await sent.get()
            return lines
        }
    }

    @Test func theBytesOfAMessageAreLimited() async throws {
        let frames = [Message.gray(1, byteCount: 72), .gray(2, byteCount: 73), .end()]
        #expect(
            try await self.answers(to: frames.bytes) {
                $0.limits.wire.maxMessageBytes = 100
                $0.stream.delivery = .every
            } == ["hello", "1: 1", "message_too_large -"]
        )
    }

    @Test func thePixelsAndSidesOfAFrameAreLimited() async throws {
        let frames = [Message.gray(1, byteCount: 64), .gray(2, byteCount: 65), .gray(3, byteCount: 81), .end()]
        #expect(
            try await self.answers(to: frames.bytes) {
                ($0.limits.wire.picture.maxPixels, $0.limits.wire.picture.maxSide) = (64, 80)
                $0.stream.delivery = .every
            } == ["hello", "1: 1", "2: too_many_pixels", "3: bad_dimensions", "end 0 after 3"]
        )
    }

    @Test func aByteOfLZ4MayStandForSoManyPixels() async throws {
        let payload = ByteBuffer(repeating: 0, count: 10)
        let frame = Message(
            header: MessageHeader(
                type: .frame,
                format: .grayLZ4Block,
                sequence: 1,
                width: 1000,
                height: 1,
                payloadByteCount: 10
            ),
            payload: payload
        )
        #expect(
            try await self.answers(to: [frame, .end()].bytes) { $0.limits.wire.picture.maxLZ4Ratio = 99 }
                == ["hello", "1: lz4_corrupt", "end 0 after 1"]
        )
    }

    @Test func theScansOfAJPEGAreLimited() async throws {
        let path = "../../Vectors/105-jpeg-progressive.bin"
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: path)
        // A progressive picture of ten scans, and an end.
        let bytes = ByteBuffer(bytes: try Data(contentsOf: file))
        for (limit, answer) in [(10, "105: 200"), (9, "105: jpeg_unsupported")] {
            let lines = try await self.answers(to: bytes) { $0.limits.wire.picture.maxJPEGScans = limit }
            #expect(lines == ["hello", answer, "end 0 after 1"])
        }
    }

    @Test func theBytesOfAConfigureAreLimited() async throws {
        let messages = [
            Message.configure(body: #"{"client":"a"}"#, sequence: 1),
            .configure(body: #"{"client":"ab"}"#, sequence: 2), .end(),
        ]
        #expect(
            try await self.answers(to: messages.bytes) { $0.limits.wire.maxConfigureBytes = 14 }
                == ["hello", "configured 1", "bad_configuration 2", "end 0 after 0"]
        )
    }

    @Test func theWordsOfAResultAreLimited() async throws {
        try await TestServer.run(
            { $0.limits.wire.maxWords = 3 },
            reader: { pixels, _, _ in
                let reading = Reading.text("word")
                let lines = Array(repeating: reading.lines[0], count: Int(pixels.firstByte))
                return Reading(lines: lines, detect: .zero, recognize: .zero)
            }
        ) { server in
            let client = try await TestClient.connect(port: server.port)
            let configuration = StreamConfiguration(delivery: .every, temporal: false)
            try await client.send([.configure(configuration), .gray(3), .gray(4), .end()].bytes)
            let texts = try await client.remainingLines().compactMap { line -> FrameText? in
                guard case .result(let result) = line, case .ok(let text) = result.outcome else { return nil }
                return text
            }
            #expect(texts.map(\.lines.count) == [3, 3])
            #expect(texts.map(\.truncated) == [false, true])
        }
    }

    @Test func aConnectionBeyondTheLimitGetsAnError() async throws {
        for (total, perAddress) in [(2, 100), (100, 2)] {
            try await TestServer.run({
                ($0.limits.maxConnections, $0.limits.maxConnectionsPerAddress) = (total, perAddress)
            }) { server in
                let first = try await TestClient.connect(port: server.port)
                let second = try await TestClient.connect(port: server.port)
                for client in [first, second] { #expect(try await client.nextLine()?.summary == "hello") }
                let third = try await TestClient.connect(port: server.port)
                #expect(try await third.remainingLines().map(\.summary) == ["hello", "too_many_connections -"])
                try await third.close()
                try await first.send(.end())
                #expect(try await first.remainingLines().map(\.summary) == ["end 0 after 0"])
                try await first.close()
                // The place is free once the server has noticed that the first one has closed. Until then, a connection gets
                // the error, or no line while the refused one before it is still open.
                var lines: [String] = []
                repeat {
                    let next = try await TestClient.connect(port: server.port)
                    try? await next.send(.end())
                    lines = try await next.remainingLines().map(\.summary)
                    try? await next.close()
                } while lines.isEmpty || lines.last == "too_many_connections -"
                #expect(lines == ["hello", "end 0 after 0"])
                try await second.send(.gray(1))
                #expect(try await second.nextLine()?.summary == "1: 1")
                try await second.close()
            }
        }
    }

    @Test(arguments: [(1, 1), (26, 6), (1024, 64), (100_000, 64)])
    func refusedConnectionsAreFewerThanServedOnes(connections: Int, refused: Int) {
        var limits = ServerLimits()
        limits.maxConnections = connections
        #expect(limits.maxRefusedConnections == refused)
    }

    @Test func aSilentClientTimesOut() async throws {
        for token in [nil, "s3cret"] {
            #expect(
                try await self.answers(to: ByteBuffer()) {
                    $0.limits.firstMessageTime = .milliseconds(50)
                    $0.tokens = token.map { [AccessToken($0)] } ?? []
                } == ["hello", "timeout -"]
            )
        }
    }

    @Test func aMessageThatIsNeverWholeIsNotWaitedForForEver() async throws {
        var bytes = Message.gray(1).bytes
        bytes.writeImmutableBuffer(Message.gray(2, byteCount: 5000).bytes.getSlice(at: 0, length: 4000) ?? ByteBuffer())
        #expect(
            try await self.answers(to: bytes) { $0.limits.messageTime = .milliseconds(50) }
                == ["hello", "1: 1", "timeout -"]
        )
    }

    @Test func aTrickleOfBytesKeepsNoMessageOpen() async throws {
        try await TestServer.run({ $0.limits.messageTime = .milliseconds(300) }) { server in
            let client = try await TestClient.connect(port: server.port)
            let message = Message.gray(1, byteCount: 1 << 20).bytes
            try await client.send(message.getSlice(at: 0, length: 64) ?? ByteBuffer())
            let trickle = client.channel.eventLoop.scheduleRepeatedTask(
                initialDelay: .milliseconds(10),
                delay: .milliseconds(10)
            ) { [channel = client.channel] _ in channel.writeAndFlush(ByteBuffer(bytes: [0]), promise: nil) }
            #expect(try await client.remainingLines().map(\.summary) == ["hello", "timeout -"])
            trickle.cancel()
            try? await client.close()
        }
    }

    @Test func aQuietConnectionIsClosedUnlessAnAnswerIsDue() async throws {
        let gate = Gate()
        try await TestServer.run(
            { $0.limits.idleTime = .milliseconds(50) },
            reader: { _, _, _ in
                gate.wait()
                return .text("read")
            }
        ) { server in
            let busy = try await TestClient.connect(port: server.port)
            try await busy.send(.gray(1))
            let quiet = try await TestClient.connect(port: server.port)
            try await quiet.send(.ping(sequence: 1))
            #expect(try await quiet.remainingLines().map(\.summary) == ["hello", "pong 1", "timeout -"])
            try? await quiet.close()
            gate.open()
            #expect(try await busy.remainingLines().map(\.summary) == ["hello", "1: read", "timeout -"])
            try? await busy.close()
        }
    }

    /// A reader that reports each frame and holds it until `gate` opens.
    private static func reader(
        reportingTo started: AsyncStream<Void>.Continuation,
        until gate: Gate
    ) -> StubReader.Body {
        { pixels, _, _ in
            started.yield()
            gate.wait()
            return .text(String(pixels.firstByte))
        }
    }

    @Test func framesBeyondTheMemoryAreReportedAndTheStreamContinues() async throws {
        let (gate, byteCount) = (Gate(), 4 << 20)
        let (started, continuation) = AsyncStream<Void>.makeStream()
        try await TestServer.run(
            {
                $0.workers = 1
                $0.limits.maxMemoryBytes = 6 << 20
            },
            reader: Self.reader(reportingTo: continuation, until: gate)
        ) { server in
            let first = try await TestClient.connect(port: server.port)
            try await first.send([Message.gray(1, byteCount: byteCount), .ping(sequence: 2)].bytes)
            #expect(await started.first { true } != nil, "the first frame is there, and held")
            let second = try await TestClient.connect(port: server.port)
            let frames = [Message.gray(1, byteCount: byteCount), .gray(2)].bytes
            let sent: EventLoopFuture<Void> = second.channel.writeAndFlush(frames)
            #expect(try await second.nextLine()?.summary == "hello")
            #expect(try await second.nextLine()?.summary == "1: overloaded")
            gate.open()
            #expect(try await second.nextLine()?.summary == "2: 2")
            try await sent.get()
            try await second.send([Message.gray(3, byteCount: byteCount), .end()].bytes)
            #expect(try await second.remainingLines().map(\.summary) == ["3: 3", "end 0 after 3"])
            try await first.send(.end())
            #expect(
                try await first.remainingLines().map(\.summary) == ["hello", "1: 1", "pong 2", "end 0 after 1"]
            )
            try await first.close()
            try await second.close()
        }
    }

    @Test func aConnectionThatReadsEveryFrameLeavesMemoryForOthers() async throws {
        let (gate, byteCount) = (Gate(), 2 << 20)
        let (started, continuation) = AsyncStream<Void>.makeStream()
        try await TestServer.run(
            {
                $0.workers = 1
                $0.limits.maxMemoryBytes = 6 << 20
                $0.limits.maxFramesInFlight = 8
            },
            reader: Self.reader(reportingTo: continuation, until: gate)
        ) { server in
            let first = try await TestClient.connect(port: server.port)
            let frames = (1...6).map { Message.gray($0, byteCount: byteCount) }
            let batch = [.configure(body: #"{"delivery":"every"}"#)] + frames + [.end()]
            let sent: EventLoopFuture<Void> = first.channel.writeAndFlush(batch.bytes)
            #expect(await started.first { true } != nil, "the first frame is there, and held")
            let second = try await TestClient.connect(port: server.port)
            try await second.send([Message.gray(1, byteCount: byteCount / 2), .ping(sequence: 2), .end()].bytes)
            gate.open()
            #expect(try await second.remainingLines().map(\.summary) == ["hello", "1: 1", "pong 2", "end 0 after 1"])
            try await sent.get()
            #expect(try await first.remainingLines().last?.summary == "end 0 after 6")
            try await first.close()
            try await second.close()
        }
    }

    @Test func everyFrameOfAFileIsReadInHoweverLittleMemory() async throws {
        let frames = (0..<20).map { Message.gray($0, byteCount: 1 << 20) } + [.end()]
        #expect(
            try await self.answers(to: frames.bytes) {
                $0.limits.maxMemoryBytes = 2 << 20
                $0.stream.delivery = .every
            } == ["hello"] + (0..<20).map { "\($0): \($0)" } + ["end 0 after 20"]
        )
    }

    @Test func bytesThatWereAnnouncedAndHaveNotComeTakeNoMemory() async throws {
        try await TestServer.run { server in
            let before = residentByteCount()
            var clients: [TestClient] = []
            for number in UInt64(0)..<200 {
                let client = try await TestClient.connect(port: server.port)
                var header = ByteBuffer()
                MessageHeader(type: .frame, format: .jpeg, sequence: number, payloadByteCount: 60 << 20)
                    .write(into: &header)
                header.writeBytes([0xFF, 0xD8])
                try await client.send(header)
                #expect(try await client.nextLine()?.summary == "hello")
                clients.append(client)
            }
            // 12 GB are announced; the memory is that of connections, of both sides, beside other tests.
            #expect(residentByteCount() - before < 500 << 20)
            for client in clients { try await client.close() }
        }
    }
}
