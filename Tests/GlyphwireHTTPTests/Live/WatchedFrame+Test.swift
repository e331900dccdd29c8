import GlyphwireProtocol
import NIOCore
import TextModel

@testable import GlyphwireServer

extension WatchedFrame {
    /// A frame that was read, with a result `line`.
    static func read(_ line: String, stream: UInt64) throws -> WatchedFrame {
        let header = MessageHeader(type: .frame, format: .jpeg, payloadByteCount: 3)
        return WatchedFrame(
            stream: stream,
            isRead: true,
            frame: try FrameDescription(header: header, limits: WireLimits()),
            payload: ByteBuffer(bytes: [1, 2, 3]),
            line: ByteBuffer(string: line + "\n")
        )
    }
}
