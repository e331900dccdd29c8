package import NIOCore

extension ByteBuffer {
    /// Appends JSON of no more than `bound` bytes, with one look at the buffer's capacity.
    package mutating func writeJSON(atMost bound: Int, _ body: (inout JSONCursor) -> Void) {
        self.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { memory in
            var cursor = JSONCursor(memory)
            body(&cursor)
            return cursor.count
        }
    }
}

/// Puts JSON into memory that is known to be large enough; running past it is our own bug, and traps.
package struct JSONCursor {
    /// Bytes that a number takes at most.
    package static let numberBound = 20
    /// Bytes that eight numbers with their commas and brackets take at most.
    static let boxBound = 8 * (numberBound + 1) + 2

    /// How many places behind the point are told.
    package struct Precision: Sendable {
        let decimals: Int
        let scale: Double

        /// A tenth of a pixel.
        package static let pixels = Precision(decimals: 1, scale: 10)
        /// A thousandth.
        package static let confidence = Precision(decimals: 3, scale: 1e3)
        /// A hundred-thousandth of a side, which is a tenth of a pixel in 10,000.
        package static let fractions = Precision(decimals: 5, scale: 1e5)
        /// A millionth.
        static let options = Precision(decimals: 6, scale: 1e6)

        /// A number as it is told.
        func rounded(_ number: Double) -> Double { (number * self.scale).rounded() / self.scale }
    }

    private let memory: UnsafeMutableRawBufferPointer
    /// Bytes written.
    private(set) var count = 0

    init(_ memory: UnsafeMutableRawBufferPointer) {
        self.memory = memory
    }

    /// Bytes that `string` takes at most, quotes included: six for each byte where every one is escaped.
    package static func bound(_ string: String) -> Int { 6 * string.utf8.count + 2 }

    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        precondition(self.count < self.memory.count)
        self.memory[self.count] = byte
        self.count += 1
    }

    /// Text that is JSON already.
    @inline(__always)
    mutating func literal(_ text: StaticString) {
        self.bytes(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    private mutating func bytes(_ bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count <= self.memory.count - self.count)
        if let source = bytes.baseAddress, let target = self.memory.baseAddress {
            (target + self.count).copyMemory(from: source, byteCount: bytes.count)
        }
        self.count += bytes.count
    }

    mutating func bool(_ value: Bool) {
        self.literal(value ? "true" : "false")
    }

    package mutating func integer(_ value: Int) {
        if value < 0 { self.byte(UInt8(ascii: "-")) }
        self.integer(UInt64(value.magnitude))
    }

    mutating func integer(_ value: UInt64) {
        self.digits(of: value, decimals: 0)
    }

    /// A number rounded, its trailing zeros left out; what is not finite is 0.
    package mutating func decimal(_ value: Double, _ precision: Precision) {
        // Ten digits in front of the point are more than any picture needs, and keep every number within its bound.
        let bounded = value.isFinite ? min(max(value, -1e9), 1e9) * precision.scale : 0
        let scaled = Int64(bounded + (bounded < 0 ? -0.5 : 0.5))
        if scaled < 0 { self.byte(UInt8(ascii: "-")) }
        var (digits, decimals) = (UInt64(scaled.magnitude), precision.decimals)
        while decimals > 0 {
            let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            (digits, decimals) = (quotient, decimals - 1)
        }
        self.digits(of: digits, decimals: decimals)
    }

    /// The digits of `value`, with a point in front of the last `decimals` of them.
    private mutating func digits(of value: UInt64, decimals: Int) {
        var digitCount = 1
        var power: UInt64 = 10
        // The power past the twentieth digit does not fit, and is not needed.
        while digitCount < 20, value >= power {
            digitCount += 1
            power = power &* 10
        }
        digitCount = max(digitCount, decimals + 1)
        let pointCount = decimals > 0 ? 1 : 0
        precondition(digitCount + pointCount <= self.memory.count - self.count)
        var index = self.count + digitCount + pointCount
        self.count = index
        var rest = value
        for _ in 0..<decimals {
            index -= 1
            self.memory[index] = Self.lastDigit(of: &rest)
        }
        if decimals > 0 {
            index -= 1
            self.memory[index] = UInt8(ascii: ".")
        }
        for _ in decimals..<digitCount {
            index -= 1
            self.memory[index] = Self.lastDigit(of: &rest)
        }
    }

    /// Takes the last decimal digit off `number`, as text.
    @inline(__always)
    private static func lastDigit(of number: inout UInt64) -> UInt8 {
        let (quotient, digit) = number.quotientAndRemainder(dividingBy: 10)
        number = quotient
        return UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
    }

    /// A string in quotes.
    package mutating func string(_ string: String) {
        self.byte(UInt8(ascii: "\""))
        self.unquoted(string)
        self.byte(UInt8(ascii: "\""))
    }

    /// The inside of a string.
    ///
    /// Escaped is what JSON demands, and what breaks a line or a terminal further on: U+007F, U+2028 and U+2029.
    mutating func unquoted(_ string: String) {
        var string = string
        string.withUTF8 { utf8 in
            var start = 0
            for index in utf8.indices {
                let (unit, length): (UInt16, Int)
                switch utf8[index] {
                case 0x00..<0x20, 0x22, 0x5C, 0x7F:
                    (unit, length) = (UInt16(utf8[index]), 1)
                case 0xE2 where utf8[index + 1] == 0x80 && utf8[index + 2] & 0xFE == 0xA8:
                    (unit, length) = (0x2000 | UInt16(utf8[index + 2] & 0x3F), 3)
                default:
                    continue
                }
                self.bytes(UnsafeBufferPointer(rebasing: utf8[start..<index]))
                self.escape(unit)
                start = index + length
            }
            self.bytes(UnsafeBufferPointer(rebasing: utf8[start...]))
        }
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
