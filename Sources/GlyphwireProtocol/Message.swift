public import TextModel
public import NIOCore

/// One message from a client: a header and what follows it.
public struct Message: Sendable, Hashable {
    /// What the message is.
    public var header: MessageHeader
    /// As many bytes as the header says.
    public var payload: ByteBuffer
    /// Whether its payload was discarded for want of room.
    package var isDiscarded = false

    /// A message of `payload`; the header's count is set to its size.
    public init(header: MessageHeader, payload: ByteBuffer = ByteBuffer()) {
        self.header = header
        self.header.payloadByteCount = payload.readableBytes
        self.payload = payload
    }

    /// Appends the message's bytes to `buffer`.
    ///
    /// - Parameter buffer: Where to write.
    public func write(into buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: MessageHeader.byteCount + self.payload.readableBytes)
        self.header.write(into: &buffer)
        buffer.writeImmutableBuffer(self.payload)
    }
}

extension Message {
    /// A frame holding a JPEG file.
    ///
    /// - Parameters:
    ///   - jpeg: The file's bytes.
    ///   - orientation: How it must be turned; `nil` takes the JPEG's own EXIF tag.
    ///   - sequence: The client's own number.
    ///   - capturedMicroseconds: When the picture was taken, by the client's clock; 0 if unknown.
    /// - Returns: The message.
    public static func frame(
        jpeg: ByteBuffer,
        orientation: Orientation? = nil,
        sequence: UInt64,
        capturedMicroseconds: UInt64 = 0
    ) -> Message {
        let header = MessageHeader(
            type: .frame,
            format: .jpeg,
            orientation: orientation?.rawValue ?? 0,
            sequence: sequence,
            capturedMicroseconds: capturedMicroseconds,
            payloadByteCount: jpeg.readableBytes
        )
        return Message(header: header, payload: jpeg)
    }

    /// Options for the frames that follow.
    ///
    /// - Parameters:
    ///   - configuration: All options; those of an earlier `configure` are forgotten.
    ///   - sequence: The client's own number, echoed in the answer.
    /// - Returns: The message.
    public static func configure(_ configuration: StreamConfiguration, sequence: UInt64 = 0) -> Message {
        let body = configuration.json()
        return Message(
            header: MessageHeader(type: .configure, sequence: sequence, payloadByteCount: body.readableBytes),
            payload: body
        )
    }

    /// A request for a `pong` line.
    ///
    /// - Parameters:
    ///   - sequence: The client's own number, echoed in the answer.
    ///   - capturedMicroseconds: The client's clock, echoed in the answer.
    /// - Returns: The message.
    public static func ping(sequence: UInt64 = 0, capturedMicroseconds: UInt64 = 0) -> Message {
        Message(
            header: MessageHeader(
                type: .ping,
                sequence: sequence,
                capturedMicroseconds: capturedMicroseconds,
                payloadByteCount: 0
            )
        )
    }

    /// A request for a `stats` line.
    ///
    /// - Parameter sequence: The client's own number, echoed in the answer.
    /// - Returns: The message.
    public static func stats(sequence: UInt64 = 0) -> Message {
        Message(header: MessageHeader(type: .stats, sequence: sequence, payloadByteCount: 0))
    }

    /// The client's last message.
    ///
    /// - Parameter sequence: The client's own number, echoed in the answer.
    /// - Returns: The message.
    public static func end(sequence: UInt64 = 0) -> Message {
        Message(header: MessageHeader(type: .end, sequence: sequence, payloadByteCount: 0))
    }
}
