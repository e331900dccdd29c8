internal import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Follows a client's byte stream and gives frames without a capture time the one at which they come.
///
/// So they can be played as they came. Every other byte stays as it is, wherever the bytes were split.
struct CaptureStamp {
    private static let capturedOffset = 16

    /// What has come of the header that is next.
    private var header = ByteBuffer()
    /// Bytes of the payload that are still to come.
    private var payloadByteCount = 0
    /// Whether it is not known where the next message begins; what comes is then passed on as it is.
    private var isLost = false
    /// Frames that have begun.
    private(set) var frameCount = 0

    /// The bytes to keep for `chunk`, as soon as it is known what they are.
    ///
    /// - Parameters:
    ///   - chunk: What has come, as much as it is.
    ///   - now: Microseconds since 1970.
    /// - Returns: As many bytes as have come, but for the start of a header that is not whole.
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

    /// What has come of a header that will never be whole.
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
