extension Unicode.Scalar {
    /// Whether it is a letter, a mark or joiner of one, a digit or an underscore of any script (UTS #18, annex C).
    var isWordPart: Bool {
        if self.isASCII {
            return ("a"..."z").contains(self) || ("A"..."Z").contains(self) || ("0"..."9").contains(self) || self == "_"
        }
        let properties = self.properties
        return properties.isAlphabetic || properties.numericType == .decimal || self.isMark || properties.isJoinControl
    }

    /// Whether it is part of a word in a script that puts spaces between words.
    var isPartOfSpacedWord: Bool {
        switch self {
        case "\u{0E00}"..."\u{0EFF}", "\u{2E80}"..."\u{31FF}", "\u{3400}"..."\u{9FFF}", "\u{F900}"..."\u{FAFF}",
            "\u{20000}"..."\u{3FFFF}":
            false
        default: self.isWordPart
        }
    }

    /// Whether it is a mark of the letter before it, such as a vowel sign.
    var isMark: Bool {
        switch self.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Whether it is a mark that makes another letter of the one before it, unlike a vowel sign or a virama.
    var isDiacritic: Bool {
        let combining = self.properties.canonicalCombiningClass
        return combining != .notReordered && combining != .virama
    }
}
