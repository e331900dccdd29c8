/// Natural order of names: `frame2` before `frame10`.
package enum NaturalOrder {
    /// Whether `a` is before `b`: runs of digits are compared as numbers, other characters by byte.
    package static func precedes(_ a: String, _ b: String) -> Bool {
        var (x, y) = (Array(a.utf8)[...], Array(b.utf8)[...])
        while let first = x.first, let second = y.first {
            guard Self.isDigit(first), Self.isDigit(second) else {
                if first != second { return first < second }
                x.removeFirst()
                y.removeFirst()
                continue
            }
            let (m, n) = (Self.takeNumber(&x), Self.takeNumber(&y))
            if m.count != n.count { return m.count < n.count }
            if m != n { return m.lexicographicallyPrecedes(n) }
        }
        // Equal numbers are ordered by their leading zeros, so that the order is total.
        return x.isEmpty == y.isEmpty ? a < b : x.isEmpty
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Removes the leading digits and returns them without leading zeros.
    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = bytes.prefix(while: Self.isDigit)
        bytes = bytes.dropFirst(digits.count)
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
