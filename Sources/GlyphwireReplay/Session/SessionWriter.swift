package import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Writer of a session: messages one after another, as a client would send them.
///
/// Every message is in the file when ``write(_:)`` returns, so an interrupted recording lacks only its end.
package struct SessionWriter {
    /// Number of bytes written.
    package private(set) var byteCount = 0
    /// Number of frames written.
    package private(set) var frameCount = 0

    private let file: File
    private let limits: WireLimits
    private var buffer = ByteBuffer()

    /// Creates the session at `path`, or replaces an existing one.
    ///
    /// - Parameters:
    ///   - path: Path of the file, usually with the extension `.gws`.
    ///   - limits: The limits on messages; by default a server's.
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
                "frame \(message.header.sequence) takes \(size) bytes, a server accepts at most "
                    + "\(self.limits.maxMessageBytes); record it as JPEG or LZ4, or make it smaller"
            )
        }
        self.buffer.clear()
        message.write(into: &self.buffer)
        try self.file.append(self.buffer)
        self.byteCount += self.buffer.readableBytes
        if message.header.type == MessageType.frame.rawValue { self.frameCount += 1 }
    }

    /// Appends the message that ends a stream, so that the file can be sent to a server unchanged.
    package mutating func finish() throws(ReplayError) {
        try self.write(.end())
    }
}
