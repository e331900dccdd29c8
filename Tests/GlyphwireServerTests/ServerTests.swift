import TextRecognition
import Dispatch
import ImageCodecs
import GlyphwireProtocol
import TextModel
import Logging
import NIOConcurrencyHelpers
import NIOCore
import ServiceLifecycle
import TestSupport
import Testing

@testable import GlyphwireServer

/// The server over real sockets, with a stub engine.
@Suite(.timeLimit(.minutes(2))) struct ServerTests {
    /// Sets the delivery to `every`.
    private static func every(_ configuration: inout ServerConfiguration) { configuration.stream.delivery = .every }

    @Test func aServerThatIsStoppedWhileItsWorkersHangInTheSelfTestEndsWithoutListening() async throws {
        let (gate, engine, begun) = StubEngine.hanging()
        defer { gate.open() }
        var configuration = ServerConfiguration()
        (configuration.port, configuration.workers) = (0, 1)
        let listens = NIOLockedValueBox(false)
        let server = GlyphwireServer(
            configuration: configuration,
            engine: engine,
            logger: .silent,
            onListening: { _ in listens.withLockedValue { $0 = true } }
        )
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server], logger: .silent)
        )
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await _ in begun.prefix(1) {}
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(!listens.withLockedValue { $0 })
        #expect(server.monitor.checkReadiness() == .draining)
        #expect(server.graceLeft < configuration.grace, "the grace period begins with the stop")
    }

    @Test func aFrameGoesInAndALineComesOut() async throws {
        try await TestServer.run { server in
            let client = try await TestClient.connect(port: server.port)
            guard case .hello(let hello)? = try await client.nextLine() else {
                Issue.record("the server did not speak first")
                return
            }
            #expect(hello.version == GlyphwireServer.version && hello.authentication == .none)
            try await client.send(.gray(7))
            guard case .result(let result)? = try await client.nextLine(), case .ok(let text) = result.outcome else {
                Issue.record("no result")
                return
            }
            #expect(result.sequence == 7 && text.text == "7" && text.width == 4 && text.height == 1)
            #expect(result.timings.detect == 1 && result.timings.recognize == 2)
            #expect(result.timings.total >= result.timings.queue + result.timings.decode)
            try await client.close()
        }
    }

    @Test func resultsKeepTheOrderOfTheFramesWhenALaterOneIsReadSooner() async throws {
        let gate = Gate()
        let (read, continuation) = AsyncStream<UInt8>.makeStream()
        try await TestServer.run(
            Self.every,
            reader: { pixels, _, _ in
                if pixels.firstByte == 1 { gate.wait() }
                continuation.yield(pixels.firstByte)
                return .text(String(pixels.firstByte))
            }
        ) { server in
            defer { gate.open() }
            let client = try await TestClient.connect(port: server.port)
            try await client.send([Message.gray(1), .gray(2), .gray(3), .ping(sequence: 4), .gray(5)].bytes)
            var order: [UInt8] = []
            for await first in read {
                order.append(first)
                if order == [2, 3, 5] { gate.open() }
                if order.count == 4 { break }
            }
            #expect(order == [2, 3, 5, 1])
            var lines: [String] = []
            for _ in 1...6 { lines.append(try #require(try await client.nextLine()).summary) }
            #expect(lines == ["hello", "1: 1", "2: 2", "3: 3", "pong 4", "5: 5"])
            try await client.close()
        }
    }

    @Test func everyErrorIsAnsweredAndTheNextFrameIsRead() async throws {
        try await TestServer.run(Self.every) { server in
            let client = try await TestClient.connect(port: server.port)
            let pixel = ByteBuffer(bytes: [9, 9, 9, 9])
            func frame(
                _ sequence: UInt64,
                _ payload: ByteBuffer,
                _ change: (inout MessageHeader) -> Void = { _ in }
            ) -> Message {
                var header = MessageHeader(
                    type: .frame,
                    format: .gray,
                    sequence: sequence,
                    width: 4,
                    height: 1,
                    payloadByteCount: 0
                )
                change(&header)
                return Message(header: header, payload: payload)
            }
            let cases: [(String, Message)] = [
                ("size_mismatch", frame(1, ByteBuffer(bytes: [1, 2, 3]))),
                ("bad_orientation", frame(2, pixel) { $0.orientation = 9 }),
                ("bad_dimensions", frame(3, pixel) { $0.width = 0 }),
                ("bad_dimensions", frame(4, pixel) { $0.bytesPerRow = 3 }),
                ("bad_dimensions", frame(5, pixel) { ($0.width, $0.bytesPerRow) = (.max, 65_534) }),
                ("too_many_pixels", frame(6, pixel) { ($0.width, $0.height) = (16_000, 16_000) }),
                ("empty_payload", frame(7, ByteBuffer())),
                ("unknown_format", frame(8, pixel) { $0.format = 99 }),
                ("unsupported_flag", frame(9, pixel) { $0.flags = 0x80 }),
                ("jpeg_corrupt", frame(10, pixel) { ($0.format, $0.width, $0.height) = (1, 0, 0) }),
                ("lz4_corrupt", frame(11, ByteBuffer(bytes: [0xF0, 0xFF])) { $0.format = 6 }),
                ("lz4_corrupt", frame(12, ByteBuffer(bytes: [0xF0, 0xFF])) { $0.format = 4 }),
            ]
            for (code, message) in cases {
                try await client.send([message, .gray(100)].bytes)
                var lines = [try #require(try await client.nextLine()).summary]
                if lines == ["hello"] { lines = [try #require(try await client.nextLine()).summary] }
                lines.append(try #require(try await client.nextLine()).summary)
                #expect(lines == ["\(message.header.sequence): \(code)", "100: 100"])
            }
            let others: [(String, Message)] = [
                ("unknown_type 13", frame(13, pixel) { $0.type = 77 }),
                ("bad_configuration 14", .configure(body: "no JSON", sequence: 14)),
                ("unknown_option 15", .configure(body: #"{"colour":"red"}"#, sequence: 15)),
                ("bad_option 16", .configure(body: #"{"candidates":99}"#, sequence: 16)),
            ]
            for (summary, message) in others {
                try await client.send([message, .gray(100)].bytes)
                #expect(try await client.nextLine()?.summary == summary)
                #expect(try await client.nextLine()?.summary == "100: 100")
            }
            try await client.close()
        }
    }

    @Test func aReaderThatFailsAnswersForThatFrameOnly() async throws {
        try await TestServer.run(
            Self.every,
            reader: { pixels, _, _ throws(RecognitionError) in
                guard pixels.firstByte != 2 else { throw RecognitionError(.inferenceFailed, "the engine failed") }
                return .text("read")
            }
        ) { server in
            let client = try await TestClient.connect(port: server.port)
            try await client.send([Message.gray(1), .gray(2), .gray(3), .end(sequence: 4)].bytes)
            #expect(
                try await client.remainingLines().map(\.summary)
                    == ["hello", "1: read", "2: internal_error", "3: read", "end 4 after 3"]
            )
        }
    }

    /// Other protocols that arrive on the port.
    enum ForeignProtocol: String, CaseIterable {
        case http, tls, ssh, smtp, zeros, tildes

        var bytes: ByteBuffer {
            switch self {
            case .http: ByteBuffer(string: "GET / HTTP/1.1\r\nHost: glyphwire\r\nUser-Agent: a browser\r\n\r\n")
            case .tls: ByteBuffer(bytes: [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC, 3, 3] + [UInt8](repeating: 7, count: 500))
            case .ssh: ByteBuffer(string: "SSH-2.0-OpenSSH_9.2\r\n")
            case .smtp: ByteBuffer(string: "EHLO there\r\n")
            case .zeros: ByteBuffer(repeating: 0, count: 100)
            case .tildes: ByteBuffer(repeating: UInt8(ascii: "~"), count: 1_000_000)
            }
        }
    }

    @Test(arguments: ForeignProtocol.allCases)
    func aForeignProtocolGetsOneLineAndIsClosed(foreign: ForeignProtocol) async throws {
        try await TestServer.run { server in
            let client = try await TestClient.connect(port: server.port)
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(foreign.bytes)
            let code = foreign == .zeros ? "message_too_short" : "message_too_large"
            #expect(try await client.remainingLines().map(\.summary) == ["hello", "\(code) -"])
            try await client.close()
            try? await sent.get()
        }
    }

    @Test(arguments: [(ForeignProtocol.http, "HTTP request"), (.tls, "TLS")], [nil, "s3cret"])
    func foreignProtocolsGetAHint(foreign: (ForeignProtocol, String), token: String?) async throws {
        try await TestServer.run({ $0.tokens = token.map { [AccessToken($0)] } ?? [] }) { server in
            let client = try await TestClient.connect(port: server.port)
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(foreign.0.bytes)
            #expect(await client.nextText() != nil)
            let line = try #require(await client.nextText())
            #expect(line.contains("message_too_large") && line.contains(foreign.1), "\(line)")
            #expect(await client.nextText() == nil)
            try await client.close()
            try? await sent.get()
        }
    }

    @Test func fourGibibytesAnnouncedAreRefusedAndTheNextConnectionIsServed() async throws {
        try await TestServer.run { server in
            let client = try await TestClient.connect(port: server.port)
            var bytes = Message.gray(1).bytes
            bytes.writeInteger(UInt32.max)
            bytes.writeRepeatingByte(1, count: 100)
            try await client.send(bytes)
            #expect(
                try await client.remainingLines().map(\.summary) == ["hello", "1: 1", "message_too_large -"]
            )
            try await client.close()
            let next = try await TestClient.connect(port: server.port)
            try await next.send([Message.gray(2), .end()].bytes)
            #expect(try await next.remainingLines().map(\.summary) == ["hello", "2: 2", "end 0 after 1"])
        }
    }

    @Test func aSessionSentInOneGoIsAnsweredAfterTheClientHasHalfClosed() async throws {
        try await TestServer.run(Self.every) { server in
            let client = try await TestClient.connect(port: server.port)
            let session = (0..<200).map { Message.gray($0, byteCount: 64 << 10) }.bytes
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(session)
            var lines = [try #require(try await client.nextLine()).summary]
            try await sent.get()
            try await client.closeOutput()
            lines += try await client.remainingLines().map(\.summary)
            #expect(lines == ["hello"] + (0..<200).map { "\($0): \($0)" })
        }
    }

    @Test func anEndedStreamGetsItsEndLineAndIsClosedByTheServer() async throws {
        try await TestServer.run(Self.every) { server in
            let client = try await TestClient.connect(port: server.port)
            try await client.send([Message.gray(1), .gray(2), .end(sequence: 3), .gray(4)].bytes)
            #expect(
                try await client.remainingLines().map(\.summary) == ["hello", "1: 1", "2: 2", "end 3 after 2"]
            )
        }
    }

    @Test func shuttingDownAnswersWhatWasAccepted() async throws {
        let gate = Gate()
        let (started, continuation) = AsyncStream<Void>.makeStream()
        try await TestServer.run(
            { ($0.workers, $0.stream.delivery) = (15, .every) },
            reader: { pixels, _, _ in
                continuation.yield()
                gate.wait()
                return .text(String(pixels.firstByte))
            }
        ) { server in
            defer { gate.open() }
            var clients: [TestClient] = []
            for number in UInt64(1)...5 {
                let client = try await TestClient.connect(port: server.port)
                try await client.send((0..<3).map { Message.gray(10 * number + $0) }.bytes)
                clients.append(client)
            }
            var count = 0
            for await _ in started {
                count += 1
                if count == 15 { break }
            }
            await server.shutDown()
            for client in clients {
                #expect(try await client.nextLine()?.summary == "hello")
                #expect(try await client.nextLine()?.summary == "goaway 10000")
            }
            gate.open()
            for (index, client) in clients.enumerated() {
                let expected = (0..<3).map { "\(10 * (index + 1) + $0): \(10 * (index + 1) + $0)" }
                #expect(try await client.remainingLines().map(\.summary) == expected)
            }
        }
    }

    @Test func framesThatAreNotReadWithinTheGraceAreAnsweredAndDoNotDelayTheEnd() async throws {
        let (gate, (started, starts)) = (Gate(), AsyncStream<Void>.makeStream())
        defer { gate.open() }
        let body: StubReader.Body = { pixels, _, _ in
            starts.yield()
            gate.wait()
            return .text(String(pixels.firstByte))
        }
        // The gate stays closed until the server has ended.
        try await TestServer.run(
            {
                $0.stream.delivery = .every
                $0.grace = .seconds(1)
            },
            reader: body
        ) { server in
            let client = try await TestClient.connect(port: server.port)
            try await client.send([Message.gray(1), .ping(sequence: 2), .gray(3), .gray(4)].bytes)
            var count = 0
            for await _ in started {
                count += 1
                if count == 2 { break }
            }
            await server.shutDown()
            let lines = try await client.remainingLines().map(\.summary)
            #expect(lines.prefix(2) == ["hello", "goaway 1000"])
            #expect(lines.dropFirst(2) == ["1: internal_error", "pong 2", "3: internal_error", "4: internal_error"])
            try await client.close()
        }
    }

    @Test func theGraceIsABoundForClientsThatDoNotGo() async throws {
        try await TestServer.run({ $0.grace = .milliseconds(100) }) { server in
            let client = try await TestClient.connect(port: server.port)
            try await client.send(.gray(1))
            #expect(try await client.nextLine()?.summary == "hello")
            #expect(try await client.nextLine()?.summary == "1: 1")
            await server.shutDown()
            // The client keeps its own side open.
            #expect(try await client.remainingLines().map(\.summary) == ["goaway 100"])
        }
    }

    @Test func manyConnectionsAtOnceEachGetTheirOwnLinesInOrder() async throws {
        try await TestServer.run(Self.every) { server in
            try await withThrowingTaskGroup(of: Void.self) { clients in
                for number in UInt64(0)..<32 {
                    clients.addTask {
                        let client = try await TestClient.connect(port: server.port)
                        let frames = (0..<50).map { Message.gray(1000 * number + $0, first: UInt8(number)) }
                        try await client.send((frames + [.end()]).bytes)
                        let expected = (UInt64(0)..<50).map { "\(1000 * number + $0): \(number)" }
                        #expect(
                            try await client.remainingLines().map(\.summary) == ["hello"] + expected + [
                                "end 0 after 50"
                            ]
                        )
                        try await client.close()
                    }
                }
                try await clients.waitForAll()
            }
        }
    }

    @Test func aClientThatDisconnectsWithinAFrameDoesNotAffectOthers() async throws {
        try await TestServer.run { server in
            let leaving = try await TestClient.connect(port: server.port)
            var bytes = Message.gray(1, byteCount: 1 << 20).bytes
            try await leaving.send(bytes.readSlice(length: 100_000) ?? bytes)
            try await leaving.close()
            let staying = try await TestClient.connect(port: server.port)
            try await staying.send([Message.gray(2), .end()].bytes)
            #expect(try await staying.remainingLines().map(\.summary) == ["hello", "2: 2", "end 0 after 1"])
            try await staying.close()
        }
    }

    @Test func aConnectionThatIsResetFreesItsWaitingFrames() async throws {
        let gate = Gate()
        let (started, continuation) = AsyncStream<UInt8>.makeStream()
        let (logger, messages) = Logger.heard()
        try await TestServer.run(
            { ($0.workers, $0.stream.delivery) = (1, .every) },
            reader: { pixels, _, _ in
                continuation.yield(pixels.firstByte)
                if pixels.firstByte < 10 { gate.wait() }
                return .text(String(pixels.firstByte))
            },
            logger: logger
        ) { server in
            defer { gate.open() }
            let leaving = try await TestClient.connect(port: server.port)
            try await leaving.send((1...4).map { Message.gray($0) }.bytes)
            #expect(await started.first { _ in true } == 1)
            try await leaving.reset()
            // The server's event loop has to notice that before its worker may continue.
            #expect(await messages.first { $0 == "connection closed" } != nil)
            let staying = try await TestClient.connect(port: server.port)
            #expect(try await staying.nextLine()?.summary == "hello")
            try await staying.send(.gray(10))
            gate.open()
            #expect(try await staying.nextLine()?.summary == "10: 10")
            try await staying.send([Message.stats(), .end()].bytes)
            guard case .stats(let stats)? = try await staying.nextLine() else {
                Issue.record("no statistics")
                return
            }
            #expect(stats.server.frames.ok == 2, "frames 2, 3 and 4 were never read")
            try await staying.close()
        }
    }

    @Test func theTokenAuthenticates() async throws {
        try await TestServer.run({ $0.tokens = [AccessToken("s3cret")] }) { server in
            let friend = try await TestClient.connect(port: server.port)
            try await friend.send(
                [Message.configure(StreamConfiguration(token: "s3cret"), sequence: 1), .gray(2), .end()].bytes
            )
            guard case .hello(let hello)? = try await friend.nextLine() else {
                Issue.record("no hello")
                return
            }
            #expect(hello.authentication == .token)
            #expect(await friend.nextText()?.contains("s3cret") == false)
            #expect(try await friend.remainingLines().map(\.summary) == ["2: 2", "end 0 after 1"])
            try await friend.close()

            for (message, answer) in [
                (Message.gray(1, byteCount: 1 << 20), "auth_required -"),
                (.gray(1), "auth_required 1"),
                (.configure(StreamConfiguration(token: "guess"), sequence: 1), "auth_failed 1"),
                (.configure(StreamConfiguration(), sequence: 1), "auth_required 1"),
            ] {
                let client = try await TestClient.connect(port: server.port)
                let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(message.bytes)
                #expect(try await client.remainingLines().map(\.summary) == ["hello", answer])
                try await client.close()
                try? await sent.get()
            }
        }
    }

    @Test func aFloodIsTakenNoFasterThanItIsAnswered() async throws {
        let (frames, byteCount) = (1000, 1 << 20)
        let answers = DispatchSemaphore(value: 0)
        try await TestServer.run(
            { ($0.workers, $0.stream.delivery) = (1, .every) },
            reader: { pixels, _, _ in
                answers.wait()
                return .text(String(pixels.firstByte))
            }
        ) { server in
            defer { for _ in 0..<frames { answers.signal() } }
            let before = residentByteCount()
            let client = try await TestClient.connect(port: server.port)
            #expect(try await client.nextLine()?.summary == "hello")
            let message = Message.gray(1, byteCount: byteCount).bytes
            let taken = NIOLockedValueBox(0)
            for _ in 0..<frames {
                let sent: EventLoopFuture<Void> = client.channel.write(message)
                sent.whenSuccess { taken.withLockedValue { $0 += 1 } }
            }
            client.channel.flush()
            for answered in 1...40 {
                answers.signal()
                #expect(try await client.nextLine()?.summary == "1: 1")
                let ahead = taken.withLockedValue(\.self) - answered
                #expect(ahead <= ServerLimits().maxFramesInFlight + 1 + Self.inSockets / byteCount)
            }
            // Other tests run beside this one; all frames together would be twice as much.
            #expect(residentByteCount() - before < 500 << 20)
            try await client.reset()
        }
    }

    @Test func unreadLinesStopTheReadingOfFrames() async throws {
        let (frames, others) = (400, 100)
        let text = String(repeating: "x", count: 50_000)
        let read = NIOLockedValueBox(0)
        try await TestServer.run(
            Self.every,
            reader: { pixels, _, _ in
                read.withLockedValue { $0 += 1 }
                return .text(pixels.height == 1 ? "" : text)
            }
        ) { server in
            let client = try await TestClient.connect(port: server.port, reads: false)
            let stream = (0..<frames).map { Message.gray(UInt64($0), byteCount: 2048) } + [.end()]
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(stream.bytes)
            // Another client is served while this one is stalled; its frames give this one time to run ahead.
            let other = try await TestClient.connect(port: server.port)
            try await other.send(((0..<others).map { Message.gray(UInt64($0)) } + [.end()]).bytes)
            #expect(try await other.remainingLines().count == others + 2)
            try await other.close()
            // A line contains its text three times. Lines fill the sockets and the server's buffer up to its limit, and
            // no more.
            let configuration = ServerConfiguration()
            let unread = Self.inSockets + configuration.limits.maxUnsentBytes
            #expect(
                read.withLockedValue(\.self) - others <= unread / (3 * text.utf8.count) + 2
                    * configuration.limits.maxFramesInFlight
            )
            try await client.startReading()
            #expect(try await client.remainingLines().count == frames + 2)
            try await sent.get()
            try await client.close()
        }
    }

    /// Maximum number of bytes in transit outside the server: the buffers of two sockets at Linux's maximum.
    private static let inSockets = 48 << 20
}
