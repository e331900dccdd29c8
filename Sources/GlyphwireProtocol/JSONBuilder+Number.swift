extension JSONBuilder {
    /// Number of decimal places that a number is rounded to.
    package struct Precision: Sendable {
        let decimals: Int
        let scale: Double

        /// A tenth of a pixel.
        package static let pixels = Precision(decimals: 1, scale: 10)
        /// A hundredth.
        package static let hundredths = Precision(decimals: 2, scale: 100)
        /// A thousandth.
        package static let confidence = Precision(decimals: 3, scale: 1e3)
        /// A hundred-thousandth of a side, which is a tenth of a pixel in 10,000.
        package static let fractions = Precision(decimals: 5, scale: 1e5)
        /// A millionth.
        static let options = Precision(decimals: 6, scale: 1e6)

        /// The value of a number after it is written and parsed.
        func rounded(_ number: Double) -> Double { (number * self.scale).rounded() / self.scale }
    }

    /// Largest magnitude of a decimal number, far beyond any picture's size; larger ones are clamped to it.
    private static let maxMagnitude = 1e9

    /// Appends the digits of a whole number.
    mutating func digits(of value: Int) {
        if value < 0 { self.byte(UInt8(ascii: "-")) }
        self.digits(of: UInt64(value.magnitude), decimals: 0)
    }

    /// Appends a number rounded half away from zero, without trailing zeros; non-finite numbers become 0.
    mutating func digits(of value: Double, _ precision: Precision) {
        let clamped = value.isFinite ? min(max(value, -Self.maxMagnitude), Self.maxMagnitude) * precision.scale : 0
        let scaled = Int64(clamped + (clamped < 0 ? -0.5 : 0.5))
        if scaled < 0 { self.byte(UInt8(ascii: "-")) }
        var (digits, decimals) = (UInt64(scaled.magnitude), precision.decimals)
        while decimals > 0 {
            let (quotient, remainder) = digits.quotientAndRemainder(dividingBy: 10)
            guard remainder == 0 else { break }
            (digits, decimals) = (quotient, decimals - 1)
        }
        self.digits(of: digits, decimals: decimals)
    }

    /// Appends the digits of `value` with a decimal point before the last `decimals` of them.
    mutating func digits(of value: UInt64, decimals: Int) {
        let digitCount = max(value.digitCount, decimals &+ 1)
        var rest = value
        if decimals > 0 {
            self.fill(digitCount &+ 1) { chunk, place in
                let point = place.upperBound &- 1 &- decimals
                rest.removeDigits(place.upperBound &- 1, downTo: point &+ 1, into: &chunk)
                chunk[point] = UInt8(ascii: ".")
                rest.removeDigits(point &- 1, downTo: place.lowerBound, into: &chunk)
            }
        } else {
            self.fill(digitCount) { chunk, place in
                rest.removeDigits(place.upperBound &- 1, downTo: place.lowerBound, into: &chunk)
            }
        }
    }
}

extension UInt64 {
    /// Number of decimal digits of the number.
    @inline(__always)
    fileprivate var digitCount: Int {
        var (count, rest) = (0, self)
        while rest >= 10_000 {
            rest /= 10_000
            count &+= 4
        }
        return count &+ (rest < 100 ? (rest < 10 ? 1 : 2) : (rest < 1000 ? 3 : 4))
    }

    /// Removes the last decimal digits and writes them as characters to the offsets `first` to `last`.
    ///
    /// Two digits are taken at a time, so that one long division serves both.
    @inline(__always)
    fileprivate mutating func removeDigits(_ last: Int, downTo first: Int, into bytes: inout MutableSpan<UInt8>) {
        var index = last
        while index > first {
            let (quotient, pair) = self.quotientAndRemainder(dividingBy: 100)
            let (tens, ones) = UInt32(truncatingIfNeeded: pair).quotientAndRemainder(dividingBy: 10)
            bytes[index] = UInt8(truncatingIfNeeded: ones) | UInt8(ascii: "0")
            bytes[index &- 1] = UInt8(truncatingIfNeeded: tens) | UInt8(ascii: "0")
            self = quotient
            index &-= 2
        }
        if index == first {
            let (quotient, digit) = self.quotientAndRemainder(dividingBy: 10)
            bytes[index] = UInt8(truncatingIfNeeded: digit) | UInt8(ascii: "0")
            self = quotient
        }
    }
}
