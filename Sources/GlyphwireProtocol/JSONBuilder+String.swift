extension JSONBuilder {
    /// Appends a string in quotation marks.
    mutating func quoted(_ string: String) {
        self.byte(UInt8(ascii: "\""))
        self.escaped(string)
        self.byte(UInt8(ascii: "\""))
    }

    /// Appends the content of a string, escaped.
    ///
    /// JSON requires escapes for quotation marks, backslashes and U+0000...U+001F. U+007F, U+2028 and U+2029 are
    /// escaped too, since they can break lines or terminals downstream.
    mutating func escaped(_ string: String) {
        let utf8 = string.utf8Span.span
        var start = 0
        var index = 0
        while index < utf8.count {
            let (unit, length): (UInt16, Int)
            switch utf8[index] {
            case 0x00..<0x20, 0x22, 0x5C, 0x7F:
                (unit, length) = (UInt16(utf8[index]), 1)
            // U+2028 and U+2029; a string is valid UTF-8, so all three bytes exist.
            case 0xE2 where utf8[index + 1] == 0x80 && utf8[index + 2] & 0xFE == 0xA8:
                (unit, length) = (0x2000 | UInt16(utf8[index + 2] & 0x3F), 3)
            default:
                index += 1
                continue
            }
            self.append(utf8.extracting(start..<index))
            self.escape(unit)
            index += length
            start = index
        }
        self.append(utf8.extracting(start..<utf8.count))
    }

    private mutating func escape(_ unit: UInt16) {
        switch unit {
        case 0x22: self.literal("\\\"")
        case 0x5C: self.literal("\\\\")
        case 0x08: self.literal("\\b")
        case 0x09: self.literal("\\t")
        case 0x0A: self.literal("\\n")
        case 0x0C: self.literal("\\f")
        case 0x0D: self.literal("\\r")
        default:
            self.literal("\\u")
            for shift in stride(from: UInt16(12), through: 0, by: -4) {
                let digit = UInt8(unit >> shift & 0xF)
                self.byte(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }
}
