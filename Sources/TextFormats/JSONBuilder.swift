internal import GlyphwireProtocol
package import NIOCore

/// Writes JSON value by value, and the commas between them.
package struct JSONBuilder: Sendable {
    /// What was written.
    package private(set) var buffer = ByteBuffer()
    private var isFirst = true

    /// Nothing is written yet.
    package init() {}

    /// Writes an object, as a member if it has a name, whose members `body` writes.
    package mutating func object(_ name: StaticString? = nil, _ body: (inout JSONBuilder) -> Void) {
        self.enclose("{", "}", name, body)
    }

    /// Writes an array, as a member if it has a name, whose elements `body` writes.
    package mutating func array(_ name: StaticString? = nil, _ body: (inout JSONBuilder) -> Void) {
        self.enclose("[", "]", name, body)
    }

    /// Writes a string.
    package mutating func string(_ name: StaticString? = nil, _ value: String) {
        self.begin(name)
        self.buffer.writeJSON(atMost: JSONCursor.bound(value)) { $0.string(value) }
    }

    /// Writes a whole number.
    package mutating func integer(_ name: StaticString? = nil, _ value: Int) {
        self.begin(name)
        self.buffer.writeJSON(atMost: JSONCursor.numberBound) { $0.integer(value) }
    }

    /// Writes a number with as many decimals as it needs and `precision` allows.
    mutating func number(_ name: StaticString? = nil, _ value: Float, _ precision: JSONCursor.Precision) {
        self.begin(name)
        self.buffer.writeJSON(atMost: JSONCursor.numberBound) { $0.decimal(Double(value), precision) }
    }

    private mutating func enclose(
        _ opening: StaticString,
        _ closing: StaticString,
        _ name: StaticString?,
        _ body: (inout JSONBuilder) -> Void
    ) {
        self.begin(name)
        self.buffer.writeStaticString(opening)
        self.isFirst = true
        body(&self)
        self.buffer.writeStaticString(closing)
        self.isFirst = false
    }

    private mutating func begin(_ name: StaticString?) {
        if !self.isFirst { self.buffer.writeStaticString(",") }
        self.isFirst = false
        guard let name else { return }
        self.buffer.writeStaticString("\"")
        self.buffer.writeStaticString(name)
        self.buffer.writeStaticString("\":")
    }
}
