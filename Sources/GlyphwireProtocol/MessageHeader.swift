public import TextModel

/// Header of 32 bytes before every payload, in network byte order.
///
/// `type`, `format`, `orientation` and `flags` are kept as sent and are validated later, so that an error can be
/// reported with the message's sequence number.
public struct MessageHeader: Sendable, Hashable {
    /// Size of the header in bytes, with the length field.
    public static let byteCount = 32
    /// Size of the length field in bytes; the length does not include it.
    public static let lengthFieldByteCount = 4

    /// Number of a ``MessageType``.
    public var type: UInt8
    /// Number of a ``FrameFormat``, for a frame.
    public var format: UInt8
    /// Number of an ``Orientation``, for a frame; 0 takes the JPEG's EXIF tag, else 1.
    public var orientation: UInt8
    /// Flags: unknown ones are rejected in the high half and ignored in the low half.
    public var flags: UInt8
    /// Sequence number chosen by the client, echoed back.
    public var sequence: UInt64
    /// Capture time in microseconds of the client's clock, echoed back; 0 if unknown.
    public var capturedMicroseconds: UInt64
    /// Width in pixels as sent; 0 for JPEG.
    public var width: UInt16
    /// Height in pixels as sent; 0 for JPEG.
    public var height: UInt16
    /// Stride in bytes from one row to the next; 0 for rows without padding.
    public var bytesPerRow: UInt32
    /// Number of bytes after the header.
    public var payloadByteCount: Int

    /// Creates a header of a message of `type`.
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
