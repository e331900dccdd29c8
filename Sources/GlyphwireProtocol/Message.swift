public import TextModel
public import NIOCore

/// Message from a client: a header and its payload.
public struct Message: Sendable, Hashable {
    /// Header of the message.
    public var header: MessageHeader
    /// Payload, with the byte count of the header.
    public var payload: ByteBuffer
    /// Whether the payload was discarded, for lack of memory or as unused; the header keeps its byte count.
    package var isDiscarded = false

    /// Creates a message of `payload`, and sets the header's byte count to its size.
    public init(header: MessageHeader, payload: ByteBuffer = ByteBuffer()) {
        self.header = header
        self.header.payloadByteCount = payload.readableBytes
        self.payload = payload
    }

    /// Appends the message's bytes to `buffer`.
    ///
    /// - Parameter buffer: The buffer to append to.
    public func write(into buffer: inout ByteBuffer) {
        buffer.reserveCapacity(minimumWritableBytes: MessageHeader.byteCount + self.payload.readableBytes)
        self.header.write(into: &buffer)
        buffer.writeImmutableBuffer(self.payload)
    }
}

extension Message {
    /// Creates a frame with a JPEG file.
    ///
    /// - Parameters:
    ///   - jpeg: The file's bytes.
    ///   - orientation: The stored orientation; `nil` takes the JPEG's EXIF tag.
    ///   - sequence: The client's sequence number.
    ///   - capturedMicroseconds: The capture time on the client's clock; 0 if unknown.
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

    /// Creates a message that sets the options for the frames after it.
    ///
    /// - Parameters:
    ///   - configuration: All options; they replace those of an earlier `configure`.
    ///   - sequence: The client's sequence number, echoed in the answer.
    /// - Returns: The message.
    public static func configure(_ configuration: StreamConfiguration, sequence: UInt64 = 0) -> Message {
        self.configure(configuration.json(), sequence: sequence)
    }

    /// Creates a message that shows an access token and sets no other option, for a server that asks for one first.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - sequence: The client's sequence number, echoed in the answer.
    /// - Returns: The message.
    package static func configure(token: String, sequence: UInt64 = 0) -> Message {
        var body = ByteBuffer()
        body.writeJSON { json in
            json.object { $0.string("token", token) }
        }
        return self.configure(body, sequence: sequence)
    }

    private static func configure(_ body: ByteBuffer, sequence: UInt64) -> Message {
        Message(
            header: MessageHeader(type: .configure, sequence: sequence, payloadByteCount: body.readableBytes),
            payload: body
        )
    }

    /// Creates a request for a `pong` line.
    ///
    /// - Parameters:
    ///   - sequence: The client's sequence number, echoed in the answer.
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

    /// Creates a request for a `stats` line.
    ///
    /// - Parameter sequence: The client's sequence number, echoed in the answer.
    /// - Returns: The message.
    public static func stats(sequence: UInt64 = 0) -> Message {
        Message(header: MessageHeader(type: .stats, sequence: sequence, payloadByteCount: 0))
    }

    /// Creates the client's last message.
    ///
    /// - Parameter sequence: The client's sequence number, echoed in the answer.
    /// - Returns: The message.
    public static func end(sequence: UInt64 = 0) -> Message {
        Message(header: MessageHeader(type: .end, sequence: sequence, payloadByteCount: 0))
    }
}
