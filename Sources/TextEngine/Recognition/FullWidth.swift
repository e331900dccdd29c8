internal import GlyphwireProtocol

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

    /// Puts ASCII in the place of its full-width forms, unless they belong to the line's script: recognisers that know both
    /// tell one for the other.
    ///
    /// - Parameter script: That of the line; `nil` where it has no letters.
    /// - Returns: The text as it is told.
    func narrowed(in script: Script?) -> String {
        guard script?.hasFullWidthForms != true, self.unicodeScalars.contains(where: Self.isFullWidth) else {
            return self
        }
        let scalars = self.unicodeScalars.map {
            Self.isFullWidth($0) ? Unicode.Scalar($0.value - Self.toASCII) ?? $0 : $0
        }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func isFullWidth(_ scalar: Unicode.Scalar) -> Bool { self.fullWidth.contains(scalar.value) }
}
