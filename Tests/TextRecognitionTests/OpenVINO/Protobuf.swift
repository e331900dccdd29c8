/// Writes protocol-buffers messages.
enum Protobuf {
    /// A whole number.
    static func varint(_ value: UInt64) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// A field of a message: its number, its wire type, and its content.
    static func field(_ number: UInt64, _ type: UInt64, _ content: [UInt8]) -> [UInt8] {
        self.varint(number << 3 | type) + content
    }

    /// A field of bytes, a text or a message.
    static func bytes(_ number: UInt64, _ content: [UInt8]) -> [UInt8] {
        self.field(number, 2, self.varint(UInt64(content.count)) + content)
    }
}
