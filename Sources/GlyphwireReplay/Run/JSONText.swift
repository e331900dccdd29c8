internal import GlyphwireProtocol
internal import NIOCore

/// JSON value of any kind, kept as source text, so that numbers lose no digits.
package struct JSONText: Sendable, Hashable {
    /// JSON source text.
    package let text: String

    private init(unchecked text: String) {
        self.text = text
    }

    /// Validates `text`; `nil` if it is not exactly one JSON value.
    package init?(_ text: String) {
        var reader = JSONReader(Array(text.utf8))
        guard let value = try? reader.rawValue(), (try? reader.end()) != nil else { return nil }
        self.text = value
    }

    private init(_ body: (inout JSONBuilder) -> Void) {
        var buffer = ByteBuffer()
        buffer.writeJSON(body)
        self.text = String(buffer: buffer)
    }

    /// Creates a string.
    package static func string(_ value: String) -> JSONText { JSONText { $0.string(value) } }

    /// Creates `true` or `false`.
    package static func bool(_ value: Bool) -> JSONText { JSONText { $0.bool(value) } }

    /// Creates a whole number.
    package static func integer(_ value: Int) -> JSONText { JSONText { $0.integer(value) } }

    /// Creates a number with all of its digits.
    package static func number(_ value: Double) -> JSONText { JSONText(unchecked: "\(value)") }

    /// Creates an array.
    package static func array(_ values: [JSONText]) -> JSONText {
        JSONText { json in
            json.array { json in
                for value in values { json.raw(value.text) }
            }
        }
    }
}

extension [String: JSONText] {
    /// Parses the members of the JSON object `body`; of two with the same name, the last counts.
    init(jsonObject body: ByteBuffer) throws(JSONError) {
        self.init()
        var reader = JSONReader(body)
        try reader.beginObject()
        while let name = try reader.nextName() { self[name] = JSONText(try reader.rawValue()) }
        try reader.end()
    }

    /// JSON object with these members, sorted by name.
    var jsonObject: ByteBuffer {
        var buffer = ByteBuffer()
        buffer.writeJSON { json in
            json.object { json in
                for (name, value) in self.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    json.raw(value.text)
                }
            }
        }
        return buffer
    }
}
