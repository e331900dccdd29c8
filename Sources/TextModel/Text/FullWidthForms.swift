extension Unicode.Scalar {
    /// Full-width forms of ASCII, in its order (Unicode Standard, block Halfwidth and Fullwidth Forms).
    private static let fullWidth: ClosedRange<UInt32> = 0xFF01...0xFF5E
    /// Distance from a full-width form to its ASCII character.
    private static let toASCII: UInt32 = 0xFF01 - 0x21

    /// The ASCII character of a full-width form; `nil` for any other.
    package var narrowed: Unicode.Scalar? {
        Self.fullWidth.contains(self.value) ? Unicode.Scalar(self.value - Self.toASCII) : nil
    }
}
