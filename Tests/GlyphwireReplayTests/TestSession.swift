import GlyphwireProtocol
import NIOCore
import StubServer

@testable import GlyphwireReplay

/// Sessions for tests.
enum TestSession {
    /// A frame whose payload is one byte.
    static func frame(_ sequence: UInt64, captured: UInt64) -> Message {
        .frame(
            jpeg: ByteBuffer(bytes: [UInt8(truncatingIfNeeded: sequence)]),
            sequence: sequence,
            capturedMicroseconds: captured
        )
    }

    /// Frames 1 to `count`, one every `gap`.
    static func frames(_ count: Int, gap: Duration = .milliseconds(100)) -> [Message] {
        (1...count).map { Self.frame(UInt64($0), captured: 1_000_000 + UInt64(Double($0) * gap.milliseconds * 1000)) }
    }

    static func bytes(_ messages: [Message]) -> [UInt8] {
        var buffer = ByteBuffer()
        for message in messages { message.write(into: &buffer) }
        return Array(buffer.readableBytesView)
    }
}

extension TemporaryFolder {
    /// A run of `messages`, as a session in this folder, against `server`.
    func configuration(
        _ server: StubServer,
        _ messages: [Message],
        pace: FrameSchedule.Pace = .rate(1e6)
    ) throws -> ReplayConfiguration {
        let path = try self.file("session.gws", TestSession.bytes(messages))
        return ReplayConfiguration(session: path, port: server.port, pace: pace)
    }
}
