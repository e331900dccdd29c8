import GlyphwireProtocol
import NIOCore
import TextModel
import Testing

@testable import GlyphwireServer

@Suite struct FrameQueueTests {
    private static func job(of connection: UInt64) throws -> FrameJob {
        let header = MessageHeader(type: .frame, format: .gray, width: 1, height: 1, payloadByteCount: 1)
        var configuration = StreamConfiguration(delivery: .every)
        configuration.temporal = false
        return FrameJob(
            connection: ConnectionID(connection),
            ticket: 1,
            sequence: connection,
            capturedMicroseconds: 0,
            frame: try FrameDescription(header: header, limits: WireLimits()),
            payload: ByteBuffer(bytes: [0]),
            configuration: configuration,
            tracking: nil,
            arrival: FrameArrival(at: .now, wallMicroseconds: 0, capturedMicroseconds: 0, clockOffset: nil),
            finish: { _, _ in }
        )
    }

    /// The connection of the next frame.
    private static func next(of queue: FrameQueue) -> FrameJob? {
        guard case .read(let job)? = queue.next() else { return nil }
        return job
    }

    @Test func aFrameThatWaitsForTheReservedWorkerIsReadThoughNobodySendsAnother() throws {
        let queue = FrameQueue(workers: 2)
        _ = queue.append(try Self.job(of: 2))
        let silent = try #require(Self.next(of: queue))
        _ = queue.finished(silent)
        for _ in 0..<2 { _ = queue.append(try Self.job(of: 1)) }
        #expect(Self.next(of: queue)?.sequence == 1)
        #expect(Self.next(of: queue)?.sequence == 1, "the other connection has sent nothing for a second")
    }
}
