internal import GlyphwireProtocol
internal import NIOCore

extension ByteBuffer {
    /// Appends escaped text, as the content of an element or of a quoted attribute.
    ///
    /// Characters that XML does not allow become U+FFFD. Tabs and line breaks are written as references, since parsers
    /// turn them into spaces in attributes.
    mutating func writeMarkup(escaping text: String) {
        guard text.utf8.contains(where: { Self.isSpecial($0) }) else {
            self.writeString(text)
            return
        }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 32)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": escaped.unicodeScalars.append("\u{FFFD}")
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        self.writeString(escaped)
    }

    /// Whether a byte is, or begins, a character that is escaped.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            0x7F, 0xC2, 0xEF:
            true
        default: false
        }
    }

    /// Appends a number with no more decimals than necessary.
    mutating func writeDecimal(_ value: Float, _ precision: JSONBuilder.Precision) {
        self.writeJSON { $0.number(value, precision: precision) }
    }
}
