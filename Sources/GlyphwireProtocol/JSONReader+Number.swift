extension JSONReader {
    mutating func unsignedInteger() throws(JSONError) -> UInt64 {
        let start = self
        let number = try self.scanNumber()
        guard let value = number.unsignedInteger else { throw start.error("expected a whole number") }
        return value
    }

    /// A whole number that fits `Int`.
    mutating func integer() throws(JSONError) -> Int {
        var asDouble = self
        let number = try self.scanNumber()
        if let value = number.unsignedInteger.flatMap(Int.init(exactly:)) { return value }
        guard let value = Int(exactly: try asDouble.number()) else { throw asDouble.error("expected a whole number") }
        return value
    }

    mutating func number() throws(JSONError) -> Double {
        let start = self
        let number = try self.scanNumber()
        let value = number.fastDouble ?? Double(self.text(from: number.start)) ?? .infinity
        guard value.isFinite else { throw start.error("expected a number of double precision") }
        return value
    }
}

/// A number, taken apart as far as 64 bits go.
struct ScannedNumber {
    /// Where it starts.
    var start: Int
    var isNegative = false
    /// All digits as one number; `nil` where 64 bits cannot hold them.
    var digits: UInt64? = 0
    /// How many of the digits stand behind the point, less the exponent.
    var decimals = 0
    var isWhole = true

    var unsignedInteger: UInt64? { self.isWhole && !self.isNegative ? self.digits : nil }

    /// The value where two exact doubles and one correctly rounded operation give it.
    var fastDouble: Double? {
        guard let digits = self.digits, digits < 1 << 53, (0..<Self.powers.count).contains(self.decimals) else {
            return nil
        }
        let magnitude = Double(digits) / Self.powers[self.decimals]
        return self.isNegative ? -magnitude : magnitude
    }

    /// The powers of ten that a double holds exactly.
    private static let powers: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    mutating func add(digit: UInt8) {
        guard let digits = self.digits else { return }
        let (tenfold, overflow) = digits.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tenfold.addingReportingOverflow(UInt64(digit))
        self.digits = overflow || carry ? nil : sum
    }
}

extension JSONReader {
    mutating func scanNumber() throws(JSONError) -> ScannedNumber {
        _ = self.peek()
        var number = ScannedNumber(start: self.offset)
        number.isNegative = self.take("-")
        if self.digit() == 0 {
            self.offset += 1
        } else {
            try self.scanDigits { number.add(digit: $0) }
        }
        if self.take(".") {
            number.isWhole = false
            try self.scanDigits {
                number.add(digit: $0)
                number.decimals += 1
            }
        }
        if self.take("e") || self.take("E") {
            number.isWhole = false
            number.digits = nil
            _ = self.take("+") || self.take("-")
            try self.scanDigits { _ in }
        }
        return number
    }

    /// The digit at the reader's place.
    private func digit() -> UInt8? {
        guard let byte = self.current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return byte - UInt8(ascii: "0")
    }

    /// Takes one digit or more.
    private mutating func scanDigits(_ body: (UInt8) -> Void) throws(JSONError) {
        guard self.digit() != nil else { throw self.error("expected a value") }
        while let digit = self.digit() {
            body(digit)
            self.offset += 1
        }
    }
}
