internal import TextModel
public import NIOCore

extension MessageHeader {
    /// Bytes of the header behind the length field: the smallest length a message may announce.
    static let minimumLength = byteCount - lengthFieldByteCount

    /// Takes a header off the front of `buffer`.
    ///
    /// The result is `nil` as long as fewer than 32 bytes are there, but the length field is judged as soon as its own
    /// four are, before the rest of the header has come.
    ///
    /// - Parameters:
    ///   - buffer: The bytes received; its reader index moves past the header, or not at all.
    ///   - limits: The length a message may have.
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
    /// - Parameter buffer: Where to write; the payload goes behind.
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

    /// Bytes of payload in a message with the length field `announced`, which stands at the start of `buffer`.
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

    /// What to say of a length that is really the start of some text protocol, such as `GET `.
    private static func asText(_ length: UInt32) -> String {
        let bytes = withUnsafeBytes(of: length.bigEndian) { Array($0) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return "" }
        return " (the text \"\(Self.text(length))\" stands where a length belongs)"
    }
}

extension MessageHeader {
    /// What the message is, once its type and flags are found good.
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
                "flags \(self.flags) set a bit of the high half, which must be understood and is not; send 0"
            )
        }
        return type
    }
}
