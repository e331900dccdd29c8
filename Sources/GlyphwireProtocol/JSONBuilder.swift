package import NIOCore

extension ByteBuffer {
    /// Appends the JSON value that `body` writes.
    @inline(__always)
    package mutating func writeJSON(_ body: (inout JSONBuilder) -> Void) {
        var json = JSONBuilder(appendingTo: self.take())
        body(&json)
        self = json.finish()
    }

    /// Moves the buffer out, so that it has a single owner and is appended to without a copy.
    private mutating func take() -> ByteBuffer {
        var taken = ByteBuffer()
        swap(&self, &taken)
        return taken
    }
}

/// Builder of JSON text that writes value by value and inserts the commas.
///
/// Text collects in a chunk on the stack; each full chunk is appended to the buffer, which grows as needed. No size has
/// to be known in advance, and only the buffer's growth allocates.
package struct JSONBuilder: ~Copyable {
    /// Size of the chunk in bytes: enough for most short lines, and cheap to clear for each.
    private static let chunkByteCount = 512

    private var buffer: ByteBuffer
    private var chunk = InlineArray<512, UInt8>(repeating: 0)
    /// Number of bytes in the chunk.
    private var count = 0
    /// Whether the next value needs no comma before it.
    private var isFirst = true

    fileprivate init(appendingTo buffer: consuming ByteBuffer) {
        self.buffer = buffer
    }

    /// Returns the buffer with all of the text.
    fileprivate consuming func finish() -> ByteBuffer {
        self.flush()
        return self.buffer
    }
}

// MARK: Structure

extension JSONBuilder {
    /// Writes an object with the members that `body` writes.
    @inline(__always)
    package mutating func object(_ body: (inout JSONBuilder) -> Void) {
        self.beginValue()
        self.enclose(in: ("{", "}"), body)
    }

    /// Writes a member that is an object with the members that `body` writes.
    @inline(__always)
    package mutating func object(_ name: StaticString, _ body: (inout JSONBuilder) -> Void) {
        self.beginMember(name)
        self.enclose(in: ("{", "}"), body)
    }

    /// Writes a member that is an array with the elements that `body` writes.
    @inline(__always)
    package mutating func array(_ name: StaticString, _ body: (inout JSONBuilder) -> Void) {
        self.beginMember(name)
        self.enclose(in: ("[", "]"), body)
    }

    /// Writes an array with the elements that `body` writes.
    @inline(__always)
    package mutating func array(_ body: (inout JSONBuilder) -> Void) {
        self.beginValue()
        self.enclose(in: ("[", "]"), body)
    }

    /// Writes the name of a member, whose value must follow.
    package mutating func name(_ name: String) {
        self.string(name)
        self.byte(UInt8(ascii: ":"))
        self.isFirst = true
    }

    @inline(__always)
    private mutating func enclose(
        in brackets: (opening: Unicode.Scalar, closing: Unicode.Scalar),
        _ body: (inout JSONBuilder) -> Void
    ) {
        self.byte(UInt8(ascii: brackets.opening))
        self.isFirst = true
        body(&self)
        self.byte(UInt8(ascii: brackets.closing))
        self.isFirst = false
    }

    /// Writes the comma before a value unless it is the first.
    @inline(__always)
    mutating func beginValue() {
        if !self.isFirst { self.byte(UInt8(ascii: ",")) }
        self.isFirst = false
    }

    @inline(__always)
    private mutating func beginMember(_ name: StaticString) {
        self.beginValue()
        self.byte(UInt8(ascii: "\""))
        self.literal(name)
        self.literal("\":")
    }
}

// MARK: Values

extension JSONBuilder {
    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) {
        self.beginValue()
        self.literal(value ? "true" : "false")
    }

    /// Writes a member that is `true` or `false`.
    @inline(__always)
    package mutating func bool(_ name: StaticString, _ value: Bool) {
        self.beginMember(name)
        self.literal(value ? "true" : "false")
    }

    /// Writes a member that is `null`.
    @inline(__always)
    package mutating func null(_ name: StaticString) {
        self.beginMember(name)
        self.literal("null")
    }

    /// Writes a value that is already JSON text.
    package mutating func raw(_ json: String) {
        self.beginValue()
        self.append(json.utf8Span.span)
    }

    /// Writes a string.
    package mutating func string(_ value: String) {
        self.beginValue()
        self.quoted(value)
    }

    /// Writes a member that is a string.
    @inline(__always)
    package mutating func string(_ name: StaticString, _ value: String) {
        self.beginMember(name)
        self.quoted(value)
    }

    /// Writes a member that is a string without characters that need escapes.
    @inline(__always)
    mutating func string(_ name: StaticString, literal value: StaticString) {
        self.beginMember(name)
        self.byte(UInt8(ascii: "\""))
        self.literal(value)
        self.byte(UInt8(ascii: "\""))
    }

    /// Writes a member that is the text of all `lines` as one string, separated by line feeds.
    @inline(__always)
    mutating func string(_ name: StaticString, joining lines: some Sequence<String>) {
        self.beginMember(name)
        self.byte(UInt8(ascii: "\""))
        var isFirst = true
        for line in lines {
            if !isFirst { self.literal("\\n") }
            isFirst = false
            self.escaped(line)
        }
        self.byte(UInt8(ascii: "\""))
    }

    /// Writes an array of strings.
    package mutating func strings(_ values: [String]) {
        self.array { json in
            for value in values { json.string(value) }
        }
    }

    /// Writes a member that is an array of strings.
    @inline(__always)
    mutating func strings(_ name: StaticString, _ values: [String]) {
        self.array(name) { json in
            for value in values { json.string(value) }
        }
    }

    /// Writes a whole number.
    package mutating func integer(_ value: Int) {
        self.beginValue()
        self.digits(of: value)
    }

    /// Writes a non-negative whole number.
    package mutating func integer(_ value: UInt64) {
        self.beginValue()
        self.digits(of: value, decimals: 0)
    }

    /// Writes a member that is a whole number.
    @inline(__always)
    package mutating func integer(_ name: StaticString, _ value: Int) {
        self.beginMember(name)
        self.digits(of: value)
    }

    /// Writes a member that is a non-negative whole number.
    @inline(__always)
    package mutating func integer(_ name: StaticString, _ value: UInt64) {
        self.beginMember(name)
        self.digits(of: value, decimals: 0)
    }

    /// Writes a number rounded to `precision`, without trailing zeros; non-finite numbers become 0.
    package mutating func number(_ value: Double, precision: Precision) {
        self.beginValue()
        self.digits(of: value, precision)
    }

    /// Writes a number rounded to `precision`, without trailing zeros; non-finite numbers become 0.
    @inline(__always)
    package mutating func number(_ value: Float, precision: Precision) {
        self.number(Double(value), precision: precision)
    }

    /// Writes a member that is a number rounded to `precision`, without trailing zeros.
    @inline(__always)
    package mutating func number(_ name: StaticString, _ value: Double, precision: Precision) {
        self.beginMember(name)
        self.digits(of: value, precision)
    }

    /// Writes a member that is a number rounded to `precision`, without trailing zeros.
    @inline(__always)
    package mutating func number(_ name: StaticString, _ value: Float, precision: Precision) {
        self.number(name, Double(value), precision: precision)
    }
}

// MARK: Bytes

extension JSONBuilder {
    /// Appends one byte.
    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        if self.count == Self.chunkByteCount { self.flush() }
        self.chunk[self.count] = byte
        self.count &+= 1
    }

    /// Appends JSON text.
    @inline(__always)
    mutating func literal(_ text: StaticString) {
        self.append(Span(_unsafeElements: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)))
    }

    /// Appends bytes of JSON text.
    @inline(__always)
    mutating func append(_ bytes: Span<UInt8>) {
        if bytes.count > Self.chunkByteCount &- self.count { return self.appendPastChunk(bytes) }
        self.copy(bytes)
    }

    /// Appends bytes that do not fit in the chunk.
    @inline(never)
    private mutating func appendPastChunk(_ bytes: Span<UInt8>) {
        self.flush()
        if bytes.count > Self.chunkByteCount {
            bytes.withUnsafeBytes { _ = self.buffer.writeBytes($0) }
        } else {
            self.copy(bytes)
        }
    }

    /// Appends bytes that fit in the chunk.
    @inline(__always)
    private mutating func copy(_ bytes: Span<UInt8>) {
        let start = self.count
        var chunk = self.chunk.mutableSpan
        chunk.withUnsafeMutableBytes { chunk in
            bytes.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: chunk[start...]).copyMemory(from: $0) }
        }
        self.count &+= bytes.count
    }

    /// Appends `byteCount` bytes, at most a chunk, that `body` writes directly into the chunk.
    @inline(__always)
    mutating func fill(_ byteCount: Int, _ body: (inout MutableSpan<UInt8>, Range<Int>) -> Void) {
        if byteCount > Self.chunkByteCount &- self.count { self.flush() }
        var chunk = self.chunk.mutableSpan
        body(&chunk, Range(uncheckedBounds: (self.count, self.count &+ byteCount)))
        self.count &+= byteCount
    }

    /// Moves the chunk's text to the buffer.
    @inline(never)
    private mutating func flush() {
        let text = self.chunk.span.extracting(first: self.count)
        text.withUnsafeBytes { _ = self.buffer.writeBytes($0) }
        self.count = 0
    }
}
