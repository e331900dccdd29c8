/// TrueType font of one glyph, an em wide and high, for text that is found and not seen.
///
/// Its outline is a line from the lower left corner of the em to the upper right and back, which has no area. PDFium takes
/// the box of a character from the outline: of an empty one, matches are not highlighted, and text that runs up or down is
/// lost. The font has the tables that PDF requires (ISO 32000-1, section 9.9) and 1000 units an em; fontTools built it.
enum GlyphlessFont {
    private static let hexadecimal = """
        000100000006004000020020676c796607d138d2000000f000000014686561645b4980480000006c000000366868656107d103ea\
        000000a400000024686d747803e80000000000e8000000046c6f63610000000a000000ec000000046d61787000030004000000c8\
        00000020000100000001000059819f905f0f3cf5000303e8000000007c259dc0000000007c259dc00000000003e803e800000003\
        00020000000000000001000003e80000000003e80000000003e80001000000000000000000000000000000010001000000010002\
        00010000000000020000000000000000000000000000000003e800000000000a00010000000003e803e800010000310103e803e8

        """

    /// The font file.
    static let file: [UInt8] = {
        var digits = Self.hexadecimal.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }[...]
        var bytes: [UInt8] = []
        while let high = digits.popFirst(), let low = digits.popFirst() { bytes.append(UInt8(high << 4 | low)) }
        return bytes
    }()
}
