package import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Writes a session: messages one after the other, as a client would send them.
///
/// Every message is in the file when ``write(_:)`` returns, so a recording that is broken off loses nothing but its end.
package struct SessionWriter {
    /// Bytes written so far.
    package private(set) var byteCount = 0
    /// Frames written so far.
    package private(set) var frameCount = 0

    private let file: File
    private let limits: WireLimits
    private var buffer = ByteBuffer()

    /// Makes the session at `path`, in place of one that is there.
    ///
    /// - Parameters:
    ///   - path: Of the file; `.gws` is the usual end of its name.
    ///   - limits: How large a message may be; by default what a server takes by default.
    /// - Throws: ``ReplayError``.
    package init(path: String, limits: WireLimits = WireLimits()) throws(ReplayError) {
        self.file = try File(writing: path)
        self.limits = limits
    }

    /// Appends a message.
    package mutating func write(_ message: Message) throws(ReplayError) {
        let size = message.payload.readableBytes + MessageHeader.byteCount - MessageHeader.lengthFieldByteCount
        guard size <= self.limits.maxMessageBytes else {
            throw ReplayError(
                .badPicture,
                "frame \(message.header.sequence) takes \(size) bytes, a server takes at most "
                    + "\(self.limits.maxMessageBytes); record it as JPEG or LZ4, or make it smaller"
            )
        }
        self.buffer.clear()
        message.write(into: &self.buffer)
        try self.file.append(self.buffer)
        self.byteCount += self.buffer.readableBytes
        if message.header.type == MessageType.frame.rawValue { self.frameCount += 1 }
    }

    /// Appends the message that ends a stream, so that the file can be sent to a server as it is.
    package mutating func finish() throws(ReplayError) {
        try self.write(.end())
    }
}
