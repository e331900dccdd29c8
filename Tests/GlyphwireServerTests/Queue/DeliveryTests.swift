import Dispatch
import ImageCodecs
import GlyphwireProtocol
import TextModel
import Logging
import NIOConcurrencyHelpers
import NIOCore
import TestSupport
import Testing

@testable import GlyphwireServer

/// Frames that arrive faster than they are read, over real sockets.
@Suite(.timeLimit(.minutes(2))) struct DeliveryTests {
    /// Waits until the server has dropped a number of frames, by polling it.
    private func wait(forDropped count: Int, askedOn client: TestClient) async throws {
        while true {
            try await client.send(.stats())
            guard case .stats(let stats)? = try await client.nextLine() else {
                Issue.record("no statistics")
                return
            }
            if stats.server.frames.dropped == count { return }
        }
    }

    /// Runs `body` while a client's frame 1 is being read, until the gate opens; `other` asks how far the server is.
    private func whileAFrameIsRead(
        _ body: (_ gate: Gate, _ client: TestClient, _ other: TestClient) async throws -> Void
    ) async throws {
        let gate = Gate()
        let (started, continuation) = AsyncStream<UInt8>.makeStream()
        try await TestServer.run(reader: { pixels, _, _ in
            continuation.yield(pixels.firstByte)
            if pixels.firstByte == 1 { gate.wait() }
            return .text(String(pixels.firstByte))
        }) { server in
            defer { gate.open() }
            let other = try await TestClient.connect(port: server.port)
            #expect(try await other.nextLine()?.summary == "hello")
            let client = try await TestClient.connect(port: server.port)
            try await client.send(.gray(1))
            #expect(await started.first { _ in true } == 1)
            try await body(gate, client, other)
            try await client.close()
            try await other.close()
        }
    }

    @Test func aNewerFrameTakesThePlaceOfTheOneThatWaits() async throws {
        try await self.whileAFrameIsRead { gate, client, other in
            try await client.send([Message.gray(2), .gray(3), .ping(sequence: 4), .gray(5)].bytes)
            try await self.wait(forDropped: 2, askedOn: other)
            gate.open()
            try await client.send([Message.stats(sequence: 6), .end()].bytes)
            var lines = try await client.remainingLines()
            #expect(
                lines.map(\.summary) == [
                    "hello", "1: 1", "2: dropped by 3", "3: dropped by 5", "pong 4", "5: 5", "stats 6", "end 0 after 4",
                ]
            )
            guard case .stats(let stats) = lines.remove(at: 6), case .result(let dropped) = lines[2] else { return }
            #expect(
                stats.connection.frames.ok == 2 && stats.connection.frames.dropped == 2
                    && stats.connection.total.count == 2
            )
            #expect(dropped.timings.queue == dropped.timings.total && dropped.timings.decode == 0)
        }
    }

    /// Protocol.md, rule D3.
    @Test func whatIsRejectedFromItsHeaderTakesNoPlaceAndADamagedFrameDoes() async throws {
        try await self.whileAFrameIsRead { gate, client, other in
            var rejected = Message.gray(3)
            rejected.header.orientation = 9
            let damaged = Message.frame(jpeg: ByteBuffer(string: "no JPEG"), sequence: 4)
            try await client.send([Message.gray(2), rejected, damaged].bytes)
            try await self.wait(forDropped: 1, askedOn: other)
            gate.open()
            try await client.send(.end())
            #expect(
                try await client.remainingLines().map(\.summary) == [
                    "hello", "1: 1", "2: dropped by 4", "3: bad_orientation", "4: jpeg_corrupt", "end 0 after 4",
                ]
            )
        }
    }

    @Test func aLiveStreamIsReadFromHoweverFarItIsAhead() async throws {
        let gate = Gate()
        let (started, continuation) = AsyncStream<UInt8>.makeStream()
        let count = UInt64(ServerLimits().maxUnansweredMessages)
        try await TestServer.run(reader: { pixels, _, _ in
            continuation.yield(pixels.firstByte)
            gate.wait()
            return .text("")
        }) { server in
            defer { gate.open() }
            let other = try await TestClient.connect(port: server.port)
            #expect(try await other.nextLine()?.summary == "hello")
            let client = try await TestClient.connect(port: server.port)
            try await client.send(.gray(0))
            #expect(await started.first { _ in true } == 0)
            // Far more bytes than sockets buffer: they can only be sent because the server reads them.
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(
                (1..<count).map { Message.gray($0, byteCount: 1 << 20) }.bytes
            )
            try await sent.get()
            try await self.wait(forDropped: Int(count) - 2, askedOn: other)
            gate.open()
            try await client.send(.end())
            let lines = try await client.remainingLines().map(\.summary)
            #expect(
                lines == ["hello", "0: "] + (1..<count - 1).map { "\($0): dropped by \($0 + 1)" } + [
                    "\(count - 1): ", "end 0 after \(count)",
                ]
            )
            try await client.close()
            try await other.close()
        }
    }

    @Test func oneStreamHasAllWorkersWhereEveryFrameIsRead() async throws {
        let workers = 3
        let (started, continuation) = AsyncStream<UInt8>.makeStream()
        let gate = Gate()
        try await TestServer.run(
            { ($0.workers, $0.limits.maxFramesInFlight) = (workers, workers + 2) },
            reader: { pixels, _, _ in
                continuation.yield(pixels.firstByte)
                gate.wait()
                return .text(String(pixels.firstByte))
            }
        ) { server in
            defer { gate.open() }
            let client = try await TestClient.connect(port: server.port)
            let every = Message.configure(StreamConfiguration(delivery: .every))
            try await client.send(([every] + (1...9).map { Message.gray($0) } + [.end()]).bytes)
            #expect(try await client.nextLine()?.summary == "hello")
            guard case .configured(let configured)? = try await client.nextLine() else {
                Issue.record("the options were not taken")
                return
            }
            #expect(configured.window == workers + 2 && configured.options.delivery == .every)
            var inWork: Set<UInt8> = []
            for await first in started {
                inWork.insert(first)
                if inWork.count == workers { break }
            }
            #expect(inWork == [1, 2, 3])
            gate.open()
            #expect(
                try await client.remainingLines().map(\.summary) == (1...9).map { "\($0): \($0)" } + ["end 0 after 9"]
            )
            try await client.close()
        }
    }

    /// A frame of the flood takes as long as a number of camera frames; all is counted, nothing is timed.
    @Test func camerasAreServedBesideAFlood() async throws {
        let (cameras, frames, costOfTheFlood) = (4, 50, 20)
        let cameraFrames = NIOLockedValueBox(0)
        let change = DispatchSemaphore(value: 0)
        let isOver = NIOLockedValueBox(false)
        try await TestServer.run(
            { $0.workers = 2 },
            reader: { pixels, _, _ in
                guard pixels.height > 1 else {
                    cameraFrames.withLockedValue { $0 += 1 }
                    change.signal()
                    return .text(String(pixels.firstByte))
                }
                let end = cameraFrames.withLockedValue(\.self) + costOfTheFlood
                while !isOver.withLockedValue(\.self), cameraFrames.withLockedValue({ $0 < end }) { change.wait() }
                return .text("flood")
            }
        ) { server in
            let flood = try await TestClient.connect(port: server.port)
            let message = Message.gray(1, byteCount: 4 << 20).bytes
            let channel = flood.channel
            let flooding = Task {
                while !Task.isCancelled { try? await channel.writeAndFlush(message) }
            }
            #expect(try await flood.nextLine()?.summary == "hello")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<cameras {
                    group.addTask {
                        let camera = try await TestClient.connect(port: server.port)
                        #expect(try await camera.nextLine()?.summary == "hello")
                        for sequence in 0..<UInt64(frames) {
                            try await camera.send(.gray(sequence, first: UInt8(number)))
                            #expect(try await camera.nextLine()?.summary == "\(sequence): \(number)")
                        }
                        try await camera.close()
                    }
                }
                try await group.waitForAll()
            }
            isOver.withLockedValue { $0 = true }
            for _ in 0..<2 { change.signal() }
            // The flood is served as well, whatever of it was dropped before.
            var line = try await flood.nextLine()?.summary
            while line == "1: dropped by 1" { line = try await flood.nextLine()?.summary }
            #expect(line == "1: flood")
            flooding.cancel()
            try await flood.reset()
            _ = await flooding.value
        }
    }

    /// Less than a socket on the loopback interface keeps by itself, which is megabytes.
    @Test func aClientThatDoesNotReadIsNoticedHoweverShortItsLines() async throws {
        let text = String(repeating: "x", count: 100_000)
        let (logger, messages) = Logger.heard()
        try await TestServer.run(
            {
                $0.limits.slowReaderTime = .milliseconds(100)
                $0.stream.delivery = .every
            },
            reader: { _, _, _ in .text(text) },
            logger: logger
        ) { server in
            let client = try await TestClient.connect(port: server.port, reads: false)
            try await client.send((0..<5).map { Message.gray(UInt64($0)) }.bytes)
            #expect(await messages.first { $0 == "slow reader" } != nil)
            try? await client.close()
        }
    }

    @Test func aClientThatDoesNotReadGetsAnErrorAndIsClosed() async throws {
        let text = String(repeating: "x", count: 100_000)
        let (logger, messages) = Logger.heard()
        try await TestServer.run(
            {
                $0.limits.slowReaderTime = .milliseconds(100)
                $0.stream.delivery = .every
            },
            reader: { _, _, _ in .text(text) },
            logger: logger
        ) { server in
            let client = try await TestClient.connect(port: server.port, reads: false)
            let stream = (0..<1000).map { Message.gray(UInt64($0)) }.bytes
            let sent: EventLoopFuture<Void> = client.channel.writeAndFlush(stream)
            #expect(await messages.first { $0 == "slow reader" } != nil)
            try await client.startReading()
            let lines = try await client.remainingLines().map(\.summary)
            #expect(lines.first == "hello" && lines.last == "slow_reader -")
            #expect(lines.count < 1000)
            try? await client.close()
            try? await sent.get()
        }
    }
}
