/// TrueType font of one empty glyph, an em wide, for text that is found and not seen.
///
/// It has the tables that PDF requires (ISO 32000-1, section 9.9) and 1000 units an em; fontTools built it.
enum GlyphlessFont {
    private static let hexadecimal = """
        000100000006004000020020676c796600000000000000f000000001686561645f1640e00000006c000000366868656103e903ea\
        000000a400000024686d747803e80000000000e8000000046c6f636100000000000000ec000000046d61787000020002000000c8\
        000000200001000000010000695c902f5f0f3cf5000303e800000000000000000000000000000000000000000000000000000003\
        00020000000000000001000003e80000000003e80000000000000001000000000000000000000000000000010001000000010000\
        00000000000000020000000000000000000000000000000003e800000000000000000000\

        """

    /// The font file.
    static let file: [UInt8] = {
        var digits = Self.hexadecimal.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }[...]
        var bytes: [UInt8] = []
        while let high = digits.popFirst(), let low = digits.popFirst() { bytes.append(UInt8(high << 4 | low)) }
        return bytes
    }()
}
