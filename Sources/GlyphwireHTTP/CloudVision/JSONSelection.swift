internal import GlyphwireProtocol
internal import NIOCore

/// Selection of JSON members, reformatted on one line or indented.
struct JSONSelection {
    private var reader: JSONReader
    private var output = ByteBuffer()
    private let isPretty: Bool

    /// Selects members of a JSON text.
    ///
    /// - Parameters:
    ///   - mask: The members to keep.
    ///   - json: A text written by this server.
    ///   - isPretty: Whether each member and element is on its own line.
    /// - Returns: The selection; the text itself if it is not JSON.
    static func select(_ mask: FieldMask, of json: ByteBuffer, isPretty: Bool) -> ByteBuffer {
        var selection = JSONSelection(reader: JSONReader(json), isPretty: isPretty)
        do throws(JSONError) {
            try selection.write(mask, depth: 0)
            return selection.output
        } catch {
            return json
        }
    }

    private init(reader: JSONReader, isPretty: Bool) {
        self.reader = reader
        self.isPretty = isPretty
    }

    private mutating func write(_ mask: FieldMask, depth: Int) throws(JSONError) {
        let first = self.reader.peek()
        switch first {
        case UInt8(ascii: "{"): try self.writeObject(mask, depth: depth)
        case UInt8(ascii: "["): try self.writeArray(mask, depth: depth)
        default:
            let start = self.reader.offset
            try self.reader.skipValue()
            self.output.writeBytes(self.reader.bytes[start..<self.reader.offset])
        }
    }

    private mutating func writeObject(_ mask: FieldMask, depth: Int) throws(JSONError) {
        self.output.writeString("{")
        var isEmpty = true
        try self.reader.beginObject()
        while let name = try self.reader.nextName() {
            let first = self.reader.peek()
            let isValue = first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
            // A text or a number has no members to select.
            guard let inner = mask[name], inner.isWhole || !isValue else {
                try self.reader.skipValue()
                continue
            }
            self.separate(isFirst: isEmpty, depth: depth + 1)
            isEmpty = false
            // The names that this server writes need no escapes.
            self.output.writeString(self.isPretty ? "\"\(name)\": " : "\"\(name)\":")
            try self.write(inner, depth: depth + 1)
        }
        self.close("}", isEmpty: isEmpty, depth: depth)
    }

    private mutating func writeArray(_ mask: FieldMask, depth: Int) throws(JSONError) {
        self.output.writeString("[")
        var isEmpty = true
        try self.reader.beginArray()
        while try self.reader.nextElement() {
            self.separate(isFirst: isEmpty, depth: depth + 1)
            isEmpty = false
            try self.write(mask, depth: depth + 1)
        }
        self.close("]", isEmpty: isEmpty, depth: depth)
    }

    private mutating func separate(isFirst: Bool, depth: Int) {
        if !isFirst { self.output.writeString(",") }
        self.breakLine(depth)
    }

    private mutating func close(_ bracket: String, isEmpty: Bool, depth: Int) {
        if !isEmpty { self.breakLine(depth) }
        self.output.writeString(bracket)
    }

    private mutating func breakLine(_ depth: Int) {
        if self.isPretty { self.output.writeString("\n" + String(repeating: "  ", count: depth)) }
    }
}
