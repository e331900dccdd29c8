import GlyphwireProtocol
import NIOCore
import TextModel

@testable import GlyphwireServer

extension WatchedFrame {
    /// A frame that was read, with a result `line`.
    static func read(
        _ line: String,
        stream: UInt64,
        payload: ByteBuffer = ByteBuffer(bytes: [1, 2, 3])
    ) throws -> WatchedFrame {
        let header = MessageHeader(type: .frame, format: .jpeg, payloadByteCount: payload.readableBytes)
        return WatchedFrame(
            stream: stream,
            isRead: true,
            frame: try FrameDescription(header: header, limits: WireLimits()),
            payload: payload,
            line: ByteBuffer(string: line + "\n")
        )
    }
}
