extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal, two digits each.
    package var hexadecimal: String { self.map { String($0, radix: 16).zeroPadded(to: 2) }.joined() }
}
