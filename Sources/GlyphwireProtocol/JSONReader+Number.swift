extension JSONReader {
    mutating func unsignedInteger() throws(JSONError) -> UInt64 {
        let number = try self.scanNumber()
        guard let value = number.unsignedInteger else {
            throw JSONError(message: "expected a whole number", offset: number.start)
        }
        return value
    }

    /// Parses a whole number that fits in `Int`.
    package mutating func integer() throws(JSONError) -> Int {
        let number = try self.scanNumber()
        if let value = number.unsignedInteger.flatMap(Int.init(exactly:)) { return value }
        guard let value = Int(exactly: try self.double(of: number)) else {
            throw JSONError(message: "expected a whole number", offset: number.start)
        }
        return value
    }

    mutating func number() throws(JSONError) -> Double {
        let number = try self.scanNumber()
        return try self.double(of: number)
    }

    /// The double closest to a scanned number.
    private func double(of number: ScannedNumber) throws(JSONError) -> Double {
        let value = number.fastDouble ?? Double(self.text(from: number.start)) ?? .infinity
        guard value.isFinite else {
            throw JSONError(message: "expected a number of double precision", offset: number.start)
        }
        return value
    }
}

/// Scanned number, split into digits and scale as far as 64 bits allow.
struct ScannedNumber {
    /// Offset of its first byte.
    var start: Int
    var isNegative = false
    /// All digits as one integer.
    var digits: UInt64 = 0
    /// Whether ``digits`` and ``scale`` are exact: the digits fit in 64 bits and there is no exponent.
    var isComplete = true
    /// Ten to the power of the number of fractional digits.
    var scale = 1.0
    var isWhole = true

    var unsignedInteger: UInt64? {
        self.isComplete && self.isWhole && !self.isNegative ? self.digits : nil
    }

    /// The value, if a single correctly rounded operation on two exact doubles gives it.
    var fastDouble: Double? {
        guard self.isComplete, self.digits < 1 << 53, self.scale <= 1e22 else { return nil }
        let magnitude = Double(self.digits) / self.scale
        return self.isNegative ? -magnitude : magnitude
    }

    mutating func add(digit: UInt8) {
        let (tenfold, overflow) = self.digits.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tenfold.addingReportingOverflow(UInt64(digit))
        self.digits = sum
        if overflow || carry { self.isComplete = false }
    }
}

extension JSONReader {
    mutating func scanNumber() throws(JSONError) -> ScannedNumber {
        _ = self.peek()
        var number = ScannedNumber(start: self.offset)
        number.isNegative = self.take(UInt8(ascii: "-"))
        if !self.take(UInt8(ascii: "0")) {
            try self.scanDigits { number.add(digit: $0) }
        }
        if self.take(UInt8(ascii: ".")) {
            number.isWhole = false
            try self.scanDigits { digit in
                number.add(digit: digit)
                number.scale *= 10
            }
        }
        if self.take(UInt8(ascii: "e")) || self.take(UInt8(ascii: "E")) {
            number.isWhole = false
            number.isComplete = false
            _ = self.take(UInt8(ascii: "+")) || self.take(UInt8(ascii: "-"))
            try self.scanDigits { _ in }
        }
        return number
    }

    /// The digit at the current offset.
    private var digit: UInt8? {
        guard let byte = self.current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        return byte - UInt8(ascii: "0")
    }

    /// Scans one or more digits.
    private mutating func scanDigits(_ body: (UInt8) -> Void) throws(JSONError) {
        guard self.digit != nil else { throw self.error("expected a value") }
        while let digit = self.digit {
            body(digit)
            self.offset += 1
        }
    }
}
