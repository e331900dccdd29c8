public import TextModel

/// What a client's message is.
public enum MessageType: UInt8, Sendable, CaseIterable {
    /// A picture to read.
    case frame = 1
    /// A JSON object of options for the frames that follow.
    case configure = 2
    /// A request for a `pong` line.
    case ping = 3
    /// The client sends nothing more and waits for what is left.
    case end = 4
    /// A request for a `stats` line.
    case stats = 5
}

/// The 32 bytes in front of every message, in network byte order.
///
/// `type`, `format`, `orientation` and `flags` are kept as they were sent: what they may be is for the reader of the
/// message to say, so that a bad value can be answered with the message's own sequence.
public struct MessageHeader: Sendable, Hashable {
    /// Bytes of the header, the length field among them.
    public static let byteCount = 32
    /// Bytes of the length field, which does not count itself.
    public static let lengthFieldByteCount = 4

    /// A ``MessageType``'s number.
    public var type: UInt8
    /// A ``FrameFormat``'s number, of a frame.
    public var format: UInt8
    /// An ``Orientation``'s number, of a frame; 0 takes the JPEG's own EXIF tag, else 1.
    public var orientation: UInt8
    /// The high half must be understood, the low half may be ignored.
    public var flags: UInt8
    /// The client's own number, echoed back.
    public var sequence: UInt64
    /// Capture time in microseconds of the client's clock, echoed back; 0 if unknown.
    public var capturedMicroseconds: UInt64
    /// In pixels as sent; 0 for JPEG.
    public var width: UInt16
    /// In pixels as sent; 0 for JPEG.
    public var height: UInt16
    /// Bytes from one row to the next; 0 for rows without padding.
    public var bytesPerRow: UInt32
    /// Bytes that follow the header.
    public var payloadByteCount: Int

    /// A header of a message of `type` with everything else as given.
    public init(
        type: MessageType,
        format: FrameFormat? = nil,
        orientation: UInt8 = 0,
        flags: UInt8 = 0,
        sequence: UInt64 = 0,
        capturedMicroseconds: UInt64 = 0,
        width: UInt16 = 0,
        height: UInt16 = 0,
        bytesPerRow: UInt32 = 0,
        payloadByteCount: Int
    ) {
        self.type = type.rawValue
        self.format = format?.rawValue ?? 0
        self.orientation = orientation
        self.flags = flags
        self.sequence = sequence
        self.capturedMicroseconds = capturedMicroseconds
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.payloadByteCount = payloadByteCount
    }
}
