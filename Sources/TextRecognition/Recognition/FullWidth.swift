internal import TextModel

extension Script {
    /// Whether punctuation, digits and Latin letters beside it are often as wide as its own characters.
    fileprivate var hasFullWidthForms: Bool {
        switch self {
        case .han, .japanese, .hangul, .bopomofo: true
        default: false
        }
    }
}

extension String {
    /// The full-width forms of ASCII, in its order (Unicode Standard, block Halfwidth and Fullwidth Forms).
    private static let fullWidth: ClosedRange<UInt32> = 0xFF01...0xFF5E
    /// From a form to its character of ASCII.
    private static let toASCII: UInt32 = 0xFF01 - 0x21

    /// The text with ASCII in the place of its full-width forms, unless it has a letter of a script that they belong to:
    /// recognisers that know both tell one for the other.
    var narrowed: String {
        guard self.unicodeScalars.contains(where: Self.isFullWidth),
            !self.unicodeScalars.contains(where: { Script($0)?.hasFullWidthForms == true })
        else { return self }
        let scalars = self.unicodeScalars.map {
            Self.isFullWidth($0) ? Unicode.Scalar($0.value - Self.toASCII) ?? $0 : $0
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func isFullWidth(_ scalar: Unicode.Scalar) -> Bool { self.fullWidth.contains(scalar.value) }
}
