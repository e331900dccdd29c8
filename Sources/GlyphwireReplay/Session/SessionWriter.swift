package import GlyphwireProtocol
internal import TextModel
internal import NIOCore

/// Writer of a session: messages one after another, as a client would send them.
///
/// The session has its path once it is finished. Every message is in the file beside it when ``write(_:)`` returns, so a
/// recording that is killed lacks only its end.
package struct SessionWriter {
    /// Number of bytes written.
    package private(set) var byteCount = 0
    /// Number of frames written.
    package private(set) var frameCount = 0

    private let file: OutputFile
    private let limits: WireLimits
    private var buffer = ByteBuffer()

    /// Creates a session for `path`; one that is there is replaced at the end.
    ///
    /// - Parameters:
    ///   - path: Path of the file, usually with the extension `.gws`.
    ///   - inputs: The files that the session is made of, none of which it may replace.
    ///   - limits: The limits on messages; by default a server's.
    /// - Throws: ``ReplayError``.
    package init(
        path: String,
        apartFrom inputs: [String],
        limits: WireLimits = WireLimits()
    ) throws(ReplayError) {
        self.file = try OutputFile(path: path, apartFrom: inputs)
        self.limits = limits
    }

    /// Appends a message.
    package mutating func write(_ message: Message) throws(ReplayError) {
        let size = MessageHeader.length(ofPayload: message.payload.readableBytes)
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

    /// Appends the message that ends a stream, so that the file can be sent to a server unchanged, and gives it its path.
    package mutating func finish() throws(ReplayError) {
        try self.write(.end())
        try self.file.finish()
    }

    /// Gives the session its path without an end, for frames that cannot be recorded again.
    func keep() throws(ReplayError) { try self.file.finish() }
}
