internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Filter of a client's byte stream that adds the time of arrival to frames without a capture time.
///
/// With it they can be played at their original pace. All other bytes are unchanged, wherever the stream was split.
struct CaptureStamp {
    private static let capturedOffset = 16

    /// Received bytes of the next header.
    private var header = ByteBuffer()
    /// Number of bytes left of the current payload.
    private var payloadByteCount = 0
    /// Whether framing was lost; then all bytes are passed unchanged.
    private var isLost = false
    /// Number of frames that have begun.
    private(set) var frameCount = 0

    /// Returns the bytes to record, once they are determined.
    ///
    /// - Parameters:
    ///   - chunk: The received bytes, split anywhere.
    ///   - now: Microseconds since 1970.
    /// - Returns: All bytes received so far, except those of an incomplete header.
    mutating func stamp(_ chunk: ByteBuffer, at now: UInt64) -> ByteBuffer {
        var chunk = chunk
        var stamped = ByteBuffer()
        while chunk.readableBytes > 0 {
            if self.isLost {
                stamped.writeBuffer(&chunk)
            } else if self.payloadByteCount > 0 {
                let count = min(self.payloadByteCount, chunk.readableBytes)
                if let part = chunk.readSlice(length: count) { stamped.writeImmutableBuffer(part) }
                self.payloadByteCount -= count
            } else {
                let count = min(MessageHeader.byteCount - self.header.readableBytes, chunk.readableBytes)
                if let part = chunk.readSlice(length: count) { self.header.writeImmutableBuffer(part) }
                if self.header.readableBytes == MessageHeader.byteCount { self.finishHeader(into: &stamped, at: now) }
            }
        }
        return stamped
    }

    /// Returns the bytes of a header that remained incomplete.
    mutating func finish() -> ByteBuffer {
        defer { self.header.clear() }
        return self.header
    }

    private mutating func finishHeader(into stamped: inout ByteBuffer, at now: UInt64) {
        let start = self.header.readerIndex
        let length = self.header.getInteger(at: start, as: UInt32.self) ?? 0
        let rest = MessageHeader.byteCount - MessageHeader.lengthFieldByteCount
        let isFrame = self.header.getInteger(at: start + 4, as: UInt8.self) == MessageType.frame.rawValue
        let captured = self.header.getInteger(at: start + Self.capturedOffset, as: UInt64.self)
        if Int(length) < rest {
            self.isLost = true
        } else {
            self.payloadByteCount = Int(length) - rest
            if isFrame { self.frameCount += 1 }
            if isFrame, captured == 0 { self.header.setInteger(now, at: start + Self.capturedOffset) }
        }
        stamped.writeImmutableBuffer(self.header)
        self.header.clear()
    }
}
