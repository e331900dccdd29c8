internal import TextModel
public import NIOCore

extension MessageHeader {
    /// Number of header bytes after the length field: the smallest valid length.
    static let minimumLength = byteCount - lengthFieldByteCount

    /// Parses a header at the front of `buffer`.
    ///
    /// The result is `nil` while there are fewer than 32 bytes, but the length field is checked as soon as its own four
    /// have arrived.
    ///
    /// - Parameters:
    ///   - buffer: The bytes received; its reader index moves past the header, or not at all.
    ///   - limits: The limits on a message's length.
    /// - Throws: ``WireError`` with ``WireError/Code/messageTooShort`` or ``WireError/Code/messageTooLarge``.
    public init?(reading buffer: inout ByteBuffer, limits: WireLimits) throws(WireError) {
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else { return nil }
        let payloadByteCount = try Self.payloadByteCount(announced: length, in: buffer, limits: limits)
        guard
            let (_, type, format, orientation, flags, sequence, captured, width, height, bytesPerRow) =
                buffer.readMultipleIntegers(
                    as: (UInt32, UInt8, UInt8, UInt8, UInt8, UInt64, UInt64, UInt16, UInt16, UInt32).self
                )
        else { return nil }
        self.type = type
        self.format = format
        self.orientation = orientation
        self.flags = flags
        self.sequence = sequence
        self.capturedMicroseconds = captured
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.payloadByteCount = payloadByteCount
    }

    /// Appends the header's 32 bytes to `buffer`.
    ///
    /// - Parameter buffer: The buffer to append to; the payload follows.
    public func write(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(
            UInt32(Self.minimumLength + self.payloadByteCount),
            self.type,
            self.format,
            self.orientation,
            self.flags,
            self.sequence,
            self.capturedMicroseconds,
            self.width,
            self.height,
            self.bytesPerRow
        )
    }

    /// Number of payload bytes in a message with the length field `announced`, at the start of `buffer`.
    private static func payloadByteCount(
        announced: UInt32,
        in buffer: ByteBuffer,
        limits: WireLimits
    ) throws(WireError) -> Int {
        let length = Int64(announced)
        guard length >= Self.minimumLength else {
            throw WireError(
                .messageTooShort,
                "a message announces \(length) bytes, but its header alone takes \(Self.minimumLength) after the length "
                    + "field; send the number of bytes that follow that field"
            )
        }
        guard length <= limits.maxMessageBytes else {
            throw WireError(
                .messageTooLarge,
                "a message announces \(length) bytes\(Self.asText(announced)), the limit is \(limits.maxMessageBytes); "
                    + (FramingMistake(buffer, limit: limits.maxMessageBytes)?.advice
                        ?? "send smaller frames, or JPEG or LZ4 instead of raw pixels")
            )
        }
        return Int(length) - Self.minimumLength
    }

    private static func text(_ length: UInt32) -> String {
        withUnsafeBytes(of: length.bigEndian) { String(decoding: $0, as: UTF8.self) }
    }

    /// Note on a length that is the start of a text protocol, such as `GET `.
    private static func asText(_ length: UInt32) -> String {
        let bytes = withUnsafeBytes(of: length.bigEndian) { Array($0) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "" }
        return " (the text \"\(Self.text(length))\" is in place of a length)"
    }
}

extension MessageHeader {
    /// Validates the message's type and flags.
    ///
    /// - Returns: The type.
    /// - Throws: ``WireError`` with ``WireError/Code/unknownType`` or ``WireError/Code/unsupportedFlag``.
    public func checkedType() throws(WireError) -> MessageType {
        guard let type = MessageType(rawValue: self.type) else {
            throw WireError(
                .unknownType,
                "message type \(self.type) is unknown; use 1 frame, 2 configure, 3 ping, 4 end or 5 stats"
            )
        }
        guard self.flags & 0xF0 == 0 else {
            throw WireError(
                .unsupportedFlag,
                "flags \(self.flags) set an unknown bit of the mandatory high half; send 0"
            )
        }
        return type
    }
}
