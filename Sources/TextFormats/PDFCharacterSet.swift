internal import TextModel

/// Characters of a PDF document, each with a code of two bytes.
struct PDFCharacterSet {
    /// The largest code of a font with the encoding Identity-H; 0 is for characters that have none.
    private static let maxCode = 0xFFFF
    /// The limit of entries in a section of a character map (Adobe technical note 5411).
    private static let maxEntries = 100

    private var codes: [Character: Int] = [:]
    private var characters: [Character] = []

    /// The number of codes in use, with 0.
    var codeCount: Int { self.characters.count + 1 }

    /// The code of a character, new if it is the first; 0 if all are taken.
    mutating func code(of character: Character) -> Int {
        if let code = self.codes[character] { return code }
        guard self.characters.count < Self.maxCode else { return 0 }
        self.characters.append(character)
        self.codes[character] = self.characters.count
        return self.characters.count
    }

    /// The codes of characters as a hexadecimal string of PDF.
    mutating func string(_ characters: [Character]) -> String {
        "<" + characters.map { Self.digits(UInt16(self.code(of: $0))) }.joined() + ">"
    }

    /// The map from codes to Unicode (ISO 32000-1, section 9.10.3).
    var unicodeMap: String {
        var map = """
            /CIDInit /ProcSet findresource begin
            12 dict begin
            begincmap
            /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
            /CMapName /Adobe-Identity-UCS def
            /CMapType 2 def
            1 begincodespacerange
            <0000> <FFFF>
            endcodespacerange

            """
        for start in stride(from: 0, to: self.characters.count, by: Self.maxEntries) {
            let section = self.characters[start..<min(start + Self.maxEntries, self.characters.count)]
            map += "\(section.count) beginbfchar\n"
            for (index, character) in section.enumerated() {
                let units = String(character).utf16.map(Self.digits).joined()
                map += "<\(Self.digits(UInt16(start + index + 1)))> <\(units)>\n"
            }
            map += "endbfchar\n"
        }
        return map + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
    }

    private static func digits(_ value: UInt16) -> String {
        String(value, radix: 16, uppercase: true).zeroPadded(to: 4)
    }
}
