/// Class of a character in the Unicode Bidirectional Algorithm (UAX #9, table 4), of those that matter in a line of text.
enum BidirectionalClass {
    case leftToRight
    case rightToLeft
    case arabicLetter
    case europeanNumber
    case europeanSeparator
    case europeanTerminator
    case arabicNumber
    case commonSeparator
    /// Any other, such as a space or a bracket.
    case neutral

    /// Creates the class of a character: that of its first code point, which marks take as well (rule W1).
    init(_ character: Character) {
        let scalar = character.unicodeScalars[character.unicodeScalars.startIndex]
        // DerivedBidiClass.txt of the Unicode Character Database, for the scripts that are read.
        switch scalar.value {
        case 0x30...0x39, 0xB2, 0xB3, 0xB9, 0x6F0...0x6F9, 0x2070...0x2079, 0x2080...0x2089, 0xFF10...0xFF19:
            self = .europeanNumber
        case 0x660...0x669, 0x66B, 0x66C: self = .arabicNumber
        case 0x2B, 0x2D, 0x2212, 0xFB29, 0xFF0B, 0xFF0D: self = .europeanSeparator
        case 0x23, 0x25, 0xB0, 0xB1, 0x609, 0x60A, 0x66A, 0x2030...0x2034, 0xFF03, 0xFF05: self = .europeanTerminator
        case 0x2C, 0x2E, 0x2F, 0x3A, 0xA0, 0x60C, 0x202F, 0xFF0C, 0xFF0E, 0xFF0F, 0xFF1A: self = .commonSeparator
        default: self.init(scalar)
        }
    }

    /// Creates the class of a code point that is neither a digit nor a sign in or at numbers.
    private init(_ scalar: Unicode.Scalar) {
        let letter: BidirectionalClass =
            switch scalar.value {
            case 0x590...0x5FF, 0xFB1D...0xFB4F: .rightToLeft
            case 0x600...0x6FF, 0x750...0x77F, 0x870...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF: .arabicLetter
            default: .leftToRight
            }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber,
            .decimalNumber, .spacingMark:
            self = letter
        // Hyphens and stops of Hebrew and Arabic have the class of the letters, those of other scripts are neutral.
        case .dashPunctuation, .otherPunctuation: self = letter == .leftToRight ? .neutral : letter
        case .currencySymbol: self = .europeanTerminator
        default: self = .neutral
        }
    }

    /// Whether this is the class of letters.
    var isLetter: Bool { self == .leftToRight || self == .rightToLeft || self == .arabicLetter }

    /// Direction that the class gives to neutral characters beside it (rule N1).
    var direction: BidirectionalClass { self == .leftToRight ? .leftToRight : .rightToLeft }
}
