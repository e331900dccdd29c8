internal import GlyphwireProtocol
public import TextModel
public import NIOCore

/// Picture to recognize.
public struct Frame: Sendable, Hashable {
    /// Encoding of ``payload``.
    public var format: FrameFormat
    /// The JPEG file, or the rows as they are or packed with LZ4.
    public var payload: ByteBuffer
    /// In pixels; 0 for a JPEG, which says itself.
    public var width: UInt16
    /// In pixels; 0 for a JPEG, which says itself.
    public var height: UInt16
    /// Bytes from one row to the next; 0 for rows without padding, and for a JPEG.
    public var bytesPerRow: UInt32
    /// How the picture must be turned to stand upright; `nil` takes the JPEG's own EXIF tag, else ``Orientation/up``.
    public var orientation: Orientation?
    /// When it was taken, in microseconds of a clock of yours, echoed in the result; 0 if unknown.
    public var capturedMicroseconds: UInt64
    /// Your own number for it, echoed in the result; `nil` takes one more than the frame before.
    public var sequence: UInt64?

    /// A frame of any format.
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

    /// A frame that is a JPEG file.
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

    /// A frame that is a JPEG file.
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
