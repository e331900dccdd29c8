package import NIOCore

/// Error of a text that is not valid JSON, or not of the expected form.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Short description of what was expected or found.
    public var message: String
    /// Offset of the error in bytes.
    public var offset: Int

    /// The error as a sentence.
    public var description: String { "\(self.message) at byte \(self.offset)" }
}

/// Pull parser for JSON, as strict as RFC 8259, that builds no tree.
///
/// ```swift
/// try reader.beginObject()
/// while let name = try reader.nextName() {
///     switch name {
///     case "sequence": sequence = try reader.unsignedInteger()
///     default: try reader.skipValue()
///     }
/// }
/// ```
package struct JSONReader {
    /// Maximum nesting depth of a skipped value.
    private static let maxDepth = 32

    /// Text being parsed.
    package let bytes: [UInt8]
    /// Current offset in the text.
    package var offset = 0
    /// Whether an object or array was just opened, so that no comma precedes the next value.
    private var isAtStart = false

    /// Creates a reader at the start of `buffer`.
    package init(_ buffer: ByteBuffer) {
        self.bytes = Array(buffer.readableBytesView)
    }

    /// Creates a reader at the start of `bytes`.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    // MARK: Structure

    package mutating func beginObject() throws(JSONError) {
        try self.expect(UInt8(ascii: "{"), or: "expected an object")
        self.isAtStart = true
    }

    /// Parses the name of the next member; `nil` at the object's end.
    ///
    /// Its value must be read or skipped.
    package mutating func nextName() throws(JSONError) -> String? {
        guard try self.advance(closing: UInt8(ascii: "}")) else { return nil }
        let name = try self.string()
        try self.expect(UInt8(ascii: ":"), or: "expected a colon")
        return name
    }

    package mutating func beginArray() throws(JSONError) {
        try self.expect(UInt8(ascii: "["), or: "expected an array")
        self.isAtStart = true
    }

    /// Advances to the next element of the array, which must be read or skipped; `false` at its end.
    package mutating func nextElement() throws(JSONError) -> Bool {
        try self.advance(closing: UInt8(ascii: "]"))
    }

    /// Throws unless only white space remains.
    package mutating func end() throws(JSONError) {
        if self.peek() != nil { throw self.error("expected nothing more") }
    }

    // MARK: Values

    mutating func bool() throws(JSONError) -> Bool {
        _ = self.peek()
        if self.take("true") { return true }
        if self.take("false") { return false }
        throw self.error("expected true or false")
    }

    /// Consumes `null` if it is next, and returns whether it was.
    package mutating func null() -> Bool {
        _ = self.peek()
        return self.take("null")
    }

    package mutating func string() throws(JSONError) -> String {
        try self.expect(UInt8(ascii: "\""), or: "expected a string")
        let start = self.offset
        var isASCII = true
        while let byte = self.current {
            switch byte {
            case UInt8(ascii: "\""):
                let text =
                    isASCII
                    ? self.text(from: start) : String(validating: self.bytes[start..<self.offset], as: UTF8.self)
                guard let text else { throw self.error("expected UTF-8") }
                self.offset += 1
                return text
            case UInt8(ascii: "\\"):
                return try self.escapedString(from: start)
            case 0..<0x20:
                throw self.error("expected a control character to be escaped")
            default:
                if byte >= 0x80 { isASCII = false }
                self.offset += 1
            }
        }
        throw self.error("expected the end of a string")
    }

    /// Returns the source text of one value of any kind.
    package mutating func rawValue() throws(JSONError) -> String {
        _ = self.peek()
        let start = self.offset
        try self.skipValue()
        return self.text(from: start)
    }

    /// Skips one value of any kind.
    package mutating func skipValue() throws(JSONError) {
        try self.skipValue(depth: 0)
    }

    private mutating func skipValue(depth: Int) throws(JSONError) {
        guard depth < Self.maxDepth else { throw self.error("expected no more than \(Self.maxDepth) levels") }
        switch self.peek() {
        case UInt8(ascii: "{"):
            try self.beginObject()
            while try self.nextName() != nil { try self.skipValue(depth: depth + 1) }
        case UInt8(ascii: "["):
            try self.beginArray()
            while try self.nextElement() { try self.skipValue(depth: depth + 1) }
        case UInt8(ascii: "\""):
            _ = try self.string()
        case UInt8(ascii: "t"), UInt8(ascii: "f"):
            _ = try self.bool()
        case UInt8(ascii: "n"):
            guard self.null() else { throw self.error("expected a value") }
        default:
            _ = try self.scanNumber()
        }
    }
}

extension JSONReader {
    /// The byte at the current offset.
    var current: UInt8? { self.offset < self.bytes.count ? self.bytes[self.offset] : nil }

    /// The next byte that is not white space, without consuming it.
    package mutating func peek() -> UInt8? {
        while let byte = self.current {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: self.offset += 1
            default: return byte
            }
        }
        return nil
    }

    private mutating func expect(_ byte: UInt8, or message: String) throws(JSONError) {
        guard self.peek() == byte else { throw self.error(message) }
        self.offset += 1
    }

    /// Advances to the next member or element, past its comma; `false` at `closing`.
    private mutating func advance(closing: UInt8) throws(JSONError) -> Bool {
        if self.peek() == closing {
            self.offset += 1
            self.isAtStart = false
            return false
        }
        if !self.isAtStart {
            try self.expect(UInt8(ascii: ","), or: "expected a comma or the end")
        }
        self.isAtStart = false
        return true
    }

    /// Consumes `byte` if it is at the current offset.
    mutating func take(_ byte: UInt8) -> Bool {
        guard self.current == byte else { return false }
        self.offset += 1
        return true
    }

    /// Consumes `word` if it is at the current offset.
    private mutating func take(_ word: StaticString) -> Bool {
        guard self.bytes.count - self.offset >= word.utf8CodeUnitCount else { return false }
        let end = self.offset + word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { $0.elementsEqual(self.bytes[self.offset..<end]) }
        if matches { self.offset = end }
        return matches
    }

    func text(from start: Int) -> String {
        String(decoding: self.bytes[start..<self.offset], as: UTF8.self)
    }

    package func error(_ message: String) -> JSONError {
        JSONError(message: message, offset: self.offset)
    }

    /// Parses the rest of a string from an escape at the current offset.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var text = Array(self.bytes[start..<self.offset])
        while let byte = self.current {
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw self.error("expected UTF-8") }
                self.offset += 1
                return string
            case UInt8(ascii: "\\"):
                self.offset += 1
                text.append(contentsOf: String(try self.escapedCharacter()).utf8)
            case 0..<0x20:
                throw self.error("expected a control character to be escaped")
            default:
                text.append(byte)
                self.offset += 1
            }
        }
        throw self.error("expected the end of a string")
    }

    /// Parses the escape after a backslash.
    private mutating func escapedCharacter() throws(JSONError) -> Unicode.Scalar {
        guard let byte = self.current else { throw self.error("expected the end of an escape") }
        self.offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw self.error("expected an escape that JSON has")
        }
        let unit = try self.hexadecimalUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), self.take("\\u") else {
            throw self.error("expected no half of a surrogate pair")
        }
        let trail = try self.hexadecimalUnit()
        guard UTF16.isTrailSurrogate(trail) else { throw self.error("expected the other half of a surrogate pair") }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func hexadecimalUnit() throws(JSONError) -> UInt16 {
        guard self.bytes.count - self.offset >= 4 else { throw self.error("expected four hexadecimal digits") }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(self.bytes[self.offset])).hexDigitValue else {
                throw self.error("expected four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            self.offset += 1
        }
        return unit
    }
}
