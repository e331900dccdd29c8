internal import TextModel
public import NIOCore

extension MessageHeader {
    /// Number of header bytes after the length field: the smallest valid length.
    static let minimumLength = byteCount - lengthFieldByteCount

    /// Value of the length field of a message whose payload has `byteCount` bytes.
    package static func length(ofPayload byteCount: Int) -> Int { self.minimumLength + byteCount }

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
        guard let length = Self.announcedLength(in: buffer) else { return nil }
        guard Self.isAllowed(length, by: limits) else {
            throw Self.error(of: length, limits: limits, mistake: FramingMistake(buffer, limit: limits.maxMessageBytes))
        }
        self.init(reading: &buffer)
    }

    /// Parses a header whose length field is allowed; the result is `nil` while there are fewer than 32 bytes.
    init?(reading buffer: inout ByteBuffer) {
        guard
            let (length, type, format, orientation, flags, sequence, captured, width, height, bytesPerRow) =
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
        self.payloadByteCount = Int(length) - Self.minimumLength
    }

    /// Appends the header's 32 bytes to `buffer`.
    ///
    /// - Parameter buffer: The buffer to append to; the payload follows, of less than 4 GiB with the header.
    public func write(into buffer: inout ByteBuffer) {
        buffer.writeMultipleIntegers(
            UInt32(Self.length(ofPayload: self.payloadByteCount)),
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

    /// The length field at the start of `buffer`; `nil` while its four bytes have not arrived.
    static func announcedLength(in buffer: ByteBuffer) -> UInt32? {
        buffer.getInteger(at: buffer.readerIndex, as: UInt32.self)
    }

    /// Whether a message may have the length field `announced`.
    static func isAllowed(_ announced: UInt32, by limits: WireLimits) -> Bool {
        (Int64(Self.minimumLength)...Int64(max(limits.maxMessageBytes, Self.minimumLength))).contains(Int64(announced))
    }

    /// Error for a length field that is not allowed.
    ///
    /// - Parameters:
    ///   - announced: The length field.
    ///   - limits: The limits on a message's length.
    ///   - mistake: The mistake that explains it, if one is recognized.
    ///   - isFirst: Whether no message came before.
    /// - Returns: The error.
    static func error(
        of announced: UInt32,
        limits: WireLimits,
        mistake: FramingMistake?,
        isFirst: Bool = true
    ) -> WireError {
        let otherCause = isFirst ? "" : ", and check the length of the message before, which may be wrong"
        guard announced >= Self.minimumLength else {
            return WireError(
                .messageTooShort,
                "a message announces \(announced) bytes, but its header alone takes \(Self.minimumLength) after the "
                    + "length field; send the number of bytes that follow that field" + otherCause
            )
        }
        return WireError(
            .messageTooLarge,
            "a message announces \(announced) bytes\(Self.asText(announced)), the limit is \(limits.maxMessageBytes); "
                + (mistake?.advice ?? Self.advice(for: announced) + otherCause)
        )
    }

    /// What a client should do whose mistake is not known.
    private static func advice(for announced: UInt32) -> String {
        Self.asText(announced).isEmpty
            ? "send smaller frames, or JPEG or LZ4 instead of raw pixels"
            : "send each message behind a header of 32 bytes"
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
                "message type \(self.type) is unknown; use \(MessageType.list)"
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
