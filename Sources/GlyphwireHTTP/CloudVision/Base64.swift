/// Base64 decoder, for the standard and the URL alphabet, with padding or without.
enum Base64 {
    /// The six bits of each character; 64 for ignored ones, 255 for invalid ones.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        for space in "\r\n".utf8 { values[Int(space)] = 64 }
        return values
    }()

    /// Decodes `text`.
    ///
    /// - Parameter text: Base64; line ends are ignored.
    /// - Returns: The bytes; `nil` if the text has other characters, or is truncated.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var bits: UInt32 = 0
        var count = 0
        var padding = 0
        for letter in text {
            let value = Self.values[Int(letter)]
            switch value {
            case 0..<64 where padding == 0:
                bits = bits << 6 | UInt32(value)
                count += 1
                if count == 4 {
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                    bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                    bytes.append(UInt8(truncatingIfNeeded: bits))
                    (bits, count) = (0, 0)
                }
            case 64: continue
            default:
                guard letter == UInt8(ascii: "=") else { return nil }
                padding += 1
            }
        }
        switch (count, padding) {
        case (0, 0): break
        case (2, 0), (2, 2): bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 0), (3, 1):
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return bytes
    }

    /// The first invalid ASCII character of `text`; `nil` without any.
    static func firstOther(in text: some Collection<UInt8>) -> UInt8? {
        text.first { $0 < 0x80 && $0 != UInt8(ascii: "=") && Self.values[Int($0)] == 255 }
    }
}
