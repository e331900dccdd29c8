internal import GlyphwireProtocol
public import TextModel
public import NIOCore

/// Picture to recognize.
public struct Frame: Sendable, Hashable {
    /// Encoding of ``payload``.
    public var format: FrameFormat
    /// JPEG file, or rows, uncompressed or compressed with LZ4.
    public var payload: ByteBuffer
    /// Width in pixels; 0 for a JPEG.
    public var width: UInt16
    /// Height in pixels; 0 for a JPEG.
    public var height: UInt16
    /// Stride in bytes from one row to the next; 0 for rows without padding, and for a JPEG.
    public var bytesPerRow: UInt32
    /// Stored orientation; `nil` takes the JPEG's EXIF tag, else ``Orientation/up``.
    public var orientation: Orientation?
    /// Capture time in microseconds of any clock, echoed in the result; 0 if unknown.
    public var capturedMicroseconds: UInt64
    /// Sequence number, echoed in the result; `nil` for one more than the previous frame's.
    public var sequence: UInt64?

    /// Creates a frame of any format.
    public init(
        format: FrameFormat,
        payload: ByteBuffer,
        width: UInt16,
        height: UInt16,
        bytesPerRow: UInt32 = 0,
        orientation: Orientation? = nil,
        capturedMicroseconds: UInt64 = 0,
        sequence: UInt64? = nil
    ) {
        self.format = format
        self.payload = payload
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.orientation = orientation
        self.capturedMicroseconds = capturedMicroseconds
        self.sequence = sequence
    }

    /// Creates a frame from a JPEG file.
    public init(
        jpeg: ByteBuffer,
        orientation: Orientation? = nil,
        capturedMicroseconds: UInt64 = 0,
        sequence: UInt64? = nil
    ) {
        self.init(
            format: .jpeg,
            payload: jpeg,
            width: 0,
            height: 0,
            orientation: orientation,
            capturedMicroseconds: capturedMicroseconds,
            sequence: sequence
        )
    }

    /// Creates a frame from a JPEG file.
    public init(
        jpeg: some Sequence<UInt8>,
        orientation: Orientation? = nil,
        capturedMicroseconds: UInt64 = 0,
        sequence: UInt64? = nil
    ) {
        self.init(
            jpeg: ByteBuffer(bytes: jpeg),
            orientation: orientation,
            capturedMicroseconds: capturedMicroseconds,
            sequence: sequence
        )
    }

    /// The frame as a message.
    func message(sequence: UInt64) -> Message {
        Message(
            header: MessageHeader(
                type: .frame,
                format: self.format,
                orientation: self.orientation?.rawValue ?? 0,
                sequence: sequence,
                capturedMicroseconds: self.capturedMicroseconds,
                width: self.width,
                height: self.height,
                bytesPerRow: self.bytesPerRow,
                payloadByteCount: self.payload.readableBytes
            ),
            payload: self.payload
        )
    }
}
