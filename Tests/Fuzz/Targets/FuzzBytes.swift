/// Source of choices and values from a fuzzer's bytes; past their end everything is 0.
struct FuzzBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.rest = bytes[...] }

    var isEmpty: Bool { self.rest.isEmpty }

    mutating func byte() -> UInt8 { self.rest.popFirst() ?? 0 }

    mutating func bool() -> Bool { self.byte() & 1 == 1 }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number {
        (0..<Number.bitWidth / 8).reduce(0) { number, _ in number << 8 | Number(truncatingIfNeeded: self.byte()) }
    }

    /// Any number, including NaN and infinities.
    mutating func float() -> Float { Float(bitPattern: self.number()) }

    mutating func choice<Choice: CaseIterable>(_: Choice.Type = Choice.self) -> Choice {
        let cases = Array(Choice.allCases)
        return cases[Int(self.byte()) % cases.count]
    }

    /// Up to 255 bytes as text; invalid UTF-8 becomes U+FFFD.
    mutating func text() -> String {
        let byteCount = Int(self.byte())
        let bytes = self.rest.prefix(byteCount)
        self.rest.removeFirst(bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Up to `most` elements, until the bytes are used up.
    mutating func array<Element>(atMost most: Int, _ element: (inout FuzzBytes) -> Element) -> [Element] {
        let count = Int(self.byte()) % (most + 1)
        return (0..<count).compactMap { _ in self.isEmpty ? nil : element(&self) }
    }

    /// The remaining bytes.
    mutating func remaining() -> [UInt8] {
        defer { self.rest = [] }
        return Array(self.rest)
    }
}
